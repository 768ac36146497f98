"""The setup of main's tree is kept for later orders, and judged code cannot write to it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from action.order import AgentKind, AgentSettings, SetupCommand
from action.report import AgentEnding
from gates.result import Ending, GateDefinition
from gates.setup_files import is_known_install
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, agent_order, gate_order, git, unpack
from tests.action.test_gate_order import commit, endings, gate, on

pytestmark = pytest.mark.slow

INSTALL = "mkdir deps && echo good >deps/lib && touch ~/cache && echo spoilt >>shop.py"
LOOK = gate("look", "grep -q good deps/lib && test -e ~/cache && git diff --quiet HEAD")


@pytest.fixture
def harness(server: FakeServer) -> Iterator[Harness]:
    """A runner that keeps layers, below a short path."""
    with tempfile.TemporaryDirectory(prefix="r-") as folder:
        place = Path(folder)
        environment = {"HEADGATE_LAYERS": str(place / "layers")}
        yield Harness(server, place, environment=environment, is_forked=True)


def judge(
    server: FakeServer, project: Project, harness: Harness, *gates: GateDefinition, **more: object
) -> str:
    """The log of an order whose setup runs on main's tree; the gates' endings are reported."""
    server.reports.clear()
    fields = {"setup": (SetupCommand(run=INSTALL),), "setup_sha": project.head_sha}
    server.order = gate_order(server, project, gates or (LOOK,), **(fields | more))
    return harness.run("gates").output


@pytest.mark.parametrize("kind", ["bubblewrap", "unshare"])
def test_a_second_order_reuses_the_setup(
    server: FakeServer, project: Project, harness: Harness, kind: str
) -> None:
    assert "Setup 1 of 1" in judge(server, project, on(harness, kind))
    assert endings(server) == {"look": Ending.PASSED}

    sha = commit(project, {"more.py": "x = 1\n"})
    assert "Setup 1 of 1" not in judge(server, project, harness, candidate_sha=sha)
    assert endings(server) == {"look": Ending.PASSED}


def test_gates_cannot_write_into_a_cached_layer(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    poison = gate("poison", "echo evil >deps/lib; rm -rf ~/cache; touch deps/evil ~/evil")
    judge(server, project, harness, poison)
    again = judge(server, project, harness, poison, LOOK)

    assert "Setup 1 of 1" not in again
    assert endings(server)["look"] is Ending.PASSED


def test_other_setup_commands_or_files_run_setup_again(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    judge(server, project, harness)
    line = SetupCommand(run=f"{INSTALL} # other")
    assert "Setup 1 of 1" in judge(server, project, harness, setup=(line,))
    sha = commit(project, {"requirements.txt": "a\n"})
    more = {"setup_sha": sha, "candidate_sha": sha}
    assert "Setup 1 of 1" in judge(server, project, harness, **more)
    assert endings(server) == {"look": Ending.PASSED}


def test_a_setup_of_the_candidates_own_tree_is_not_cached(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    for _ in range(2):
        assert "Setup 1 of 1" in judge(server, project, harness, setup_sha="")


@pytest.mark.parametrize("path", ["deps/evil", "deps"])
def test_a_commit_with_files_in_a_layers_places_is_not_run(
    server: FakeServer, project: Project, harness: Harness, path: str
) -> None:
    judge(server, project, harness)
    sha = commit(project, {path: "evil\n"})
    judge(server, project, harness, candidate_sha=sha)
    assert endings(server) == {"look": Ending.FAILED}


def test_an_agent_works_above_a_layer_and_hands_in_only_its_own_files(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    judge(server, project, harness)
    deed = "grep -q good deps/lib && echo mine >>deps/lib && rm ~/cache && echo new >new.txt; rm shop.py"
    settings = AgentSettings(kind=AgentKind.COMMAND, command=deed)
    more = {"setup": (SetupCommand(run=INSTALL),), "setup_sha": project.head_sha}
    server.reports.clear()
    server.order = agent_order(server, project, agent=settings, **more)

    log = harness.run("agent").output

    assert "Setup 1 of 1" not in log
    assert server.agent_report.ending is AgentEnding.FINISHED, log
    clone = unpack(project, server.bundles[0], tmp_path)
    server.bundles.clear()
    assert git(clone, "diff", "--name-status", project.head_sha, "HEAD").split() == [
        *("A", "new.txt"),
        *("D", "shop.py"),
    ]
    judge(server, project, harness)
    assert endings(server) == {"look": Ending.PASSED}


@pytest.mark.parametrize(
    ("line", "is_known"),
    [
        ("python3 -m venv .venv && .venv/bin/pip install -r requirements.txt", True),
        ("pip install -q pytest==8.1 ruff", True),
        ("npm ci --ignore-scripts", True),
        ("uv sync --frozen", True),
        ("go mod download; cargo fetch --locked", True),
        # Each of these may read any file of the tree.
        ("npm ci", False),
        ("pip install .", False),
        ("pip install -e .", False),
        ("pip install ./lib", False),
        ("pip install -r requirements.txt && sh more.sh", False),
        ("make deps", False),
    ],
)
def test_setup_that_reads_only_lock_and_build_files_is_recognised(
    line: str, is_known: bool
) -> None:
    assert is_known_install([line]) is is_known
