"""A slip in the fold or in a changed copy is refused by the type checker, before any test runs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# File, what stands there, the slip, and what the checker says of it.
SLIPS = {
    "misspelt field": (
        "bot/core/journal/evolve_orders.py",
        "leased_at=event.leased_at",
        "leasd_at=event.leased_at",
        'Unexpected keyword argument "leasd_at" for "replace" of "OrderFacts"',
    ),
    "wrong type": (
        "bot/core/journal/evolve_orders.py",
        "orders_placed=state.orders_placed + 1",
        'orders_placed="seven"',
        'Argument "orders_placed" to "replace" of "RepositoryState" has incompatible type "str"',
    ),
    "fold of another event": (
        "bot/core/journal/evolve_orders.py",
        "on(ev.OrderLeased, _of_order(_leased))",
        "on(ev.WorkflowDispatched, _of_order(_leased))",
        'expected "Callable[[OrderFacts, WorkflowDispatched], OrderFacts]"',
    ),
    "check of another event": (
        "bot/core/journal/transitions.py",
        "_on(ev.PlanApproved, {_R.PROPOSED: _R.RUNNING}, another_revision)",
        "_on(ev.PlanApproved, {_R.PROPOSED: _R.RUNNING}, another_cycle)",
        'expected "Callable[[SpecRun, PlanApproved], bool]"',
    ),
    "state of another machine": (
        "bot/core/journal/transitions.py",
        "_on(ev.SpecRunEnded, {_R.RUNNING: _R.ENDED})",
        "_on(ev.SpecRunEnded, {_R.RUNNING: _D.ENDED})",
        '"DialoguePhase"; expected "SpecRunState"',
    ),
    "misspelt field of a value": (
        "bot/core/plan/edit.py",
        "change.replace(depends_on=quoted, owns=())",
        "change.replace(depends_no=quoted, owns=())",
        'Unexpected keyword argument "depends_no" for "replace" of "Frozen"',
    ),
    "wrong type in a value": (
        "bot/core/plan/edit.py",
        "change.replace(depends_on=quoted, owns=())",
        "change.replace(depends_on=quoted, owns=7)",
        'Argument "owns" to "replace" of "Frozen" has incompatible type "int"',
    ),
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


def _checked(file: Path, text: str, cache: Path) -> str:
    """What the type checker says of the file if this were its text."""
    shadow = cache / "shadow.py"
    shadow.write_text(text)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--cache-dir", str(cache / "cache")),
            *("--shadow-file", str(file), str(shadow), str(file)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS)
def test_the_type_checker_refuses_misspelt_fields_and_wrong_types(slip: str, cache: Path) -> None:
    name, stands, instead, said = SLIPS[slip]
    text = (ROOT / name).read_text()
    assert text.count(stands) == 1
    assert said in _checked(Path(name), text.replace(stands, instead), cache)
