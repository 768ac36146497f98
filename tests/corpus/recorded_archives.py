"""The archive does with every recorded case what the OpenSpec CLI did with it, byte for byte."""

from pathlib import Path
from typing import cast

import pytest

from bot.core.spec.archive.delta import Checks, Folded, Refused, fold
from tests.contract.archive_worlds import World
from tests.contract.test_archive_twin import assert_command_lines_agree
from tests.corpus.folder import MISSING, archive_cases

CASES = archive_cases()
_MAIN = "openspec/specs/"


def test_there_are_recorded_cases() -> None:
    assert CASES, MISSING


@pytest.mark.parametrize("name", sorted(CASES))
def test_archive_case(name: str) -> None:
    case = CASES[name]
    given = cast(dict[str, object], case["input"])
    result = cast(dict[str, object], case["result"])
    expected = {f"{_MAIN}{k}": v for k, v in cast(dict[str, str], result["specs"]).items()}
    archived = cast(dict[str, object], result["archive"])["rc"] == 0
    flags = cast(list[str], given["flags"])
    if "--skip-specs" in flags:
        assert expected == {f"{_MAIN}{given['cap']}/spec.md": given["main"]}
        return
    main = {f"{_MAIN}{given['cap']}/spec.md": str(given["main"])} if given["main"] else {}
    outcome = fold(main, _delta(given), str(given["change"]), checks=_checks(flags))
    assert isinstance(outcome, Folded) is archived, outcome
    if isinstance(outcome, Refused):
        assert all(r.sentence for r in outcome.reasons)
        assert expected == main
        return
    after = {path: text for path, text in {**main, **outcome.files}.items() if text is not None}
    assert after == expected
    out = cast(dict[str, object], cast(dict[str, object], result["archive"])["out"])
    totals = cast(dict[str, object], out["archive"]).get("totals")
    assert totals is None or outcome.totals.model_dump() == totals
    again = fold(after, _delta(given), str(given["change"]), checks=Checks.NONE)
    assert isinstance(again, Folded)
    assert again.files == {}


def _checks(flags: list[str]) -> Checks:
    return Checks.NONE if "--no-validate" in flags else Checks.ALL


def _delta(given: dict[str, object]) -> dict[str, str]:
    prefix = f"openspec/changes/{given['change']}/"
    extra = cast(dict[str, str], given["extra"])
    files = {path.removeprefix(prefix): text for path, text in extra.items()}
    if given["delta"] is not None:
        files[f"specs/{given['cap']}/spec.md"] = str(given["delta"])
    if given["yaml"] is not None:
        files[".openspec.yaml"] = str(given["yaml"])
    return files


@pytest.mark.parametrize("case", sorted(CASES))
def test_both_command_lines_archive_a_case_identically(case: str, tmp_path: Path) -> None:
    given_ = cast(dict[str, object], CASES[case]["input"])
    at = f"openspec/changes/{given_['change']}/"
    files: dict[str, object] = {
        "openspec/config.yaml": "schema: spec-driven\n",
        f"{at}proposal.md": "## Why\nBecause.\n",
        f"{at}tasks.md": given_["tasks"],
        f"{at}.openspec.yaml": given_["yaml"],
        f"{at}specs/{given_['cap']}/spec.md": given_["delta"],
        f"openspec/specs/{given_['cap']}/spec.md": given_["main"],
        **cast(dict[str, object], given_["extra"]),
    }
    laid = {path: str(text).encode() for path, text in files.items() if text is not None}
    assert_command_lines_agree(World(laid, str(given_["change"])), tmp_path)
