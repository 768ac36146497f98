"""One prepared world for many agents: a repository on localhub, and gates inside the real walls.

An agent is a shell script in the work tree. All share one main, which only honest work moves. To add
a cheat: a `Cheat` in a table of `test_*.py`, with words of the sentence that stops it. It is played here if only
a line of the policy or a new kind of judge stops it; `tests.cheats.judges` are enough for all others.
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from action.halt import Halt
from action.harness.folder import order_folder
from action.harness.gate_order import run_gate_order
from action.harness.order_context import OrderContext
from action.harness.progress import Progress
from action.order import GateOrder
from action.report import GateOrderReport
from tests.testkit.house import House, house
from tests.testkit.key_pool import KEYS
from tests.testkit.runner import Lease, Runner
from tests.testkit.specs import requirement, spec

RIGHT = "def price(count):\n    return 5 * count\n"
# What every cheat wants on main: the tests of main are against it.
WRONG = "def price(count):\n    return 0\n"
WRONG_CODE = f"cat >shop.py <<'END'\n{WRONG}END\n"

PROJECT = {
    "shop.py": RIGHT,
    "tests/test_shop.py": (
        "from shop import price\n\n\n"
        "def test_one_costs_five():\n    assert price(1) == 5\n\n\n"
        "def test_two_cost_ten():\n    assert price(2) == 10\n"
    ),
    "ci/check.sh": "grep -q 'return 5' shop.py\n",
    "Makefile": "build:\n\tpython3 -c 'import shop, sys; sys.path[:0] = [\".deps\"]; import greet; assert shop.price(3) == 15'\n",
    "setup.py": (
        "import pathlib\n\nplace = pathlib.Path('.deps/greet.py')\n"
        "place.parent.mkdir()\nplace.write_text('WORD = 1\\n')\n"
    ),
    ".gitignore": ".deps/\n__pycache__/\n",
}
POLICY = """\
version: 1
quiet_seconds: 0
attempts_max: 1
setup: [python3 setup.py]
gates:
  scope: {builtin: scope_check}
  test: {run: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests, junit: true, repeat: 0}
  check: {run: sh ci/check.sh, repeat: 0}
  build: {run: make -s build, repeat: 0}
"""


@dataclass(frozen=True)
class Cheat:
    """What an agent does in its tree, and words of the sentence by which it is stopped."""

    name: str
    script: str
    said: str

    def __str__(self) -> str:
        return self.name


def named(cheats: Iterable[Cheat], *names: str) -> list[Cheat]:
    """Those of a table that have these names."""
    found = [cheat for cheat in cheats if cheat.name in names]
    assert len(found) == len(names), names
    return found


@dataclass(frozen=True)
class Outcome:
    """What became of an agent's work; `said` is everything that people are told of it."""

    landed: bool
    said: str


@dataclass
class WalledRunner(Runner):
    """Gate orders are carried out by the harness itself, inside a sandbox, in the folder `temp`."""

    temp: Path = Path()

    def _judge(self, order: GateOrder, lease: Lease) -> GateOrderReport:
        outer = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        outer |= {"RUNNER_TEMP": str(self.temp), "HEADGATE_LAYERS": str(self.temp / "layers")}
        outer["HEADGATE_PLAIN_HTTP"] = "loopback"
        with order_folder(outer) as folder:
            progress = Progress(lambda _: None)
            context = OrderContext(folder, outer, lease.job.token, Halt(), progress)
            return run_gate_order(order, context)


@dataclass
class Stage:
    """Plays agents one after the other: some 25, as each puts the house's clock forward, and GitHub takes no key
    of an App that is an hour behind."""

    shop: House

    def play(self, name: str, script: str) -> Outcome:
        """A spec of one requirement, approved; an agent that is this script; its verdict."""
        # What one stage writes in a minute would be over GitHub's limit.
        self.shop.forward(minutes=2)
        self.shop.ring_due()
        self.shop.runner.agent = lambda order, tree: run_agent(script, order.change, tree)
        tracking = self.shop.start(the_spec(name), f"specs/{name}.md")
        self.shop.work()
        change = next(
            issue
            for issue in reversed(self.shop.issues())
            if issue["title"] == f"Make the {requirement_id(name).lower()} work"
        )
        said = [self.shop.body(tracking), str(change["body"]), *self.shop.comments(tracking)]
        said += self.shop.comments(int(change["number"]))
        pulls = [p for p in self.shop.pulls() if p["title"] == change["title"]]
        for pull in pulls[-1:]:
            for check in self.shop.checks(pull["head"]["sha"]).values():
                said += [check.title, check.summary, check.text, *check.remarks]
        return Outcome(any(p["merged_at"] for p in pulls), "\n".join(said))


@contextlib.contextmanager
def stage(folder: Path, files: dict[str, str] = PROJECT, policy: str = POLICY) -> Iterator[Stage]:
    """A stage over a house with these files; main is judged before the first agent."""
    with KEYS.instead_of_new_ones(), house(folder, files, policy) as shop, walled(shop):
        yield Stage(shop)


@contextlib.contextmanager
def walled(shop: House) -> Iterator[None]:
    """From now on gate orders of this house are carried out behind the walls."""
    plain = {field.name: getattr(shop.runner, field.name) for field in fields(Runner)}
    known = {k: v for k, v in plain.items() if not k.startswith("_")}
    # A short path: a sandbox's sockets lie below it.
    with tempfile.TemporaryDirectory(prefix="stage-") as temp:
        shop.runner = WalledRunner(**known, temp=Path(temp))
        yield


def requirement_id(name: str) -> str:
    return name.replace("_", "-").upper()


def the_spec(name: str) -> str:
    """What asks for the work in which a cheat of this name is."""
    return spec(requirement(requirement_id(name)))


def run_agent(script: str, change: str, tree: Path) -> None:
    subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=tree,
        env={"PATH": os.environ["PATH"], "CHANGE": change},
        check=True,
    )
