"""Stories of partial work: it is handed back after any ending, leftovers are not."""

import signal
from pathlib import Path

import pytest

from action.order import AgentKind, AgentSettings
from action.report import AgentEnding
from tests.action.fake_server import FakeServer, Turn, bash
from tests.action.kit import Harness, Project, agent_order, ended, git, make_project, unpack

pytestmark = pytest.mark.slow


def changed(project: Project, server: FakeServer, folder: Path) -> list[str]:
    """The paths of the only bundle."""
    (bundle,) = server.bundles
    clone = unpack(project, bundle, folder)
    return git(clone, "diff", "--name-only", "headgate^", "headgate").split()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_cancelled_workflow_hands_back_its_work_so_far(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path, number: int
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("echo 1 >paid.py")], [bash("echo 2 >>paid.py; sleep 60")]]
    process = harness.start()
    assert server.asked_again.wait(30)

    process.send_signal(number)
    run = ended(process, 20)

    assert run.code == 6, run.output
    assert server.agent_report.ending is AgentEnding.CRASHED
    assert "The workflow was cancelled" in server.agent_report.sentence
    assert server.agent_report.bundle_sha256 is not None
    assert changed(project, server, tmp_path) == ["paid.py"]
    assert harness.left_behind() == []


def test_a_second_signal_is_ignored(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("echo 1 >paid.py")], [bash("sleep 60")]]
    process = harness.start()
    assert server.asked_again.wait(30)

    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)

    assert ended(process, 20).code == 6
    assert changed(project, server, tmp_path) == ["paid.py"]


@pytest.mark.parametrize("words", ["Work is DONE.", "All done. DONE!", "It works now."])
def test_work_is_kept_if_the_last_answer_is_not_exactly_done(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path, words: str
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("echo 1 >paid.py")], [words], [words]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.FINISHED
    assert changed(project, server, tmp_path) == ["paid.py"]


def test_a_last_answer_without_changes_is_not_work(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [["It works."], ["It works."]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.NOTHING_CHANGED


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ([[bash("touch new")], ["GIVE UP: no"]], AgentEnding.GAVE_UP),
        ([[bash("touch new")], 400], AgentEnding.CRASHED),
    ],
)
def test_an_agent_that_does_not_finish_hands_back_its_work(
    server: FakeServer,
    project: Project,
    harness: Harness,
    tmp_path: Path,
    script: list[Turn],
    ending: AgentEnding,
) -> None:
    server.order = agent_order(server, project)
    server.script = script

    harness.run()

    assert server.agent_report.ending is ending
    assert changed(project, server, tmp_path) == ["new"]


def test_a_command_that_fails_hands_back_its_work(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path
) -> None:
    settings = AgentSettings(kind=AgentKind.COMMAND, command="touch new; exit 3")
    server.order = agent_order(server, project, agent=settings)

    harness.run()

    assert server.agent_report.ending is AgentEnding.CRASHED
    assert changed(project, server, tmp_path) == ["new"]


def test_leftovers_are_excluded_and_reported(
    server: FakeServer, harness: Harness, tmp_path: Path
) -> None:
    files = {
        "app.py": "x = 1\n",
        ".gitignore": "*.log\n",
        "web/.gitignore": "/out\n*.map\n",
        "kept/seen.pyc": "tracked\n",
    }
    project = make_project(tmp_path / "with_ignores", files)
    server.repository = project.bare
    server.order = agent_order(server, project, base_sha=project.head_sha)
    server.script = [
        [
            bash(
                "python3 -m venv --without-pip .venv; python3 -m venv --without-pip tools/env;"
                " mkdir -p pkg/__pycache__ web/out web/deep target;"
                " touch pkg/__pycache__/a.pyc b.pyc web/out/x web/deep/y.map web/deep/out;"
                " echo 'Signature: 8a477f597d28d172789f06886806bc55' >target/CACHEDIR.TAG;"
                " touch target/huge; echo 'KEY=1' >.env; echo >.gitignore; echo >web/.gitignore; echo hi >run.log;"
                " echo 3 >kept/seen.pyc; echo 2 >app.py; echo 1 >pkg/new.py; touch kept/CACHEDIR.TAG"
            )
        ],
        ["DONE"],
    ]

    run = harness.run()

    report = server.agent_report
    assert report.ending is AgentEnding.FINISHED, report.sentence
    assert changed(project, server, tmp_path) == [
        *(".gitignore", "app.py", "kept/CACHEDIR.TAG", "kept/seen.pyc", "pkg/new.py"),
        *("web/.gitignore", "web/deep/out"),
    ]
    assert report.left_out == (
        *(".env", ".venv/", "b.pyc", "pkg/__pycache__/", "run.log", "target/", "tools/env/"),
        *("web/deep/y.map", "web/out/"),
    )
    assert "Removed from the work: .env, .venv/" in harness.summary.read_text()
    assert run.code == 0


def test_leftovers_alone_do_not_count_as_work(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.script = [[bash("mkdir __pycache__; touch __pycache__/a.pyc")], ["DONE"]]

    harness.run()

    assert server.agent_report.ending is AgentEnding.NOTHING_CHANGED
    assert server.agent_report.left_out == ("__pycache__/",)
    assert server.bundles == []


def test_a_secret_from_before_the_run_is_not_blamed_on_the_agent(
    server: FakeServer, harness: Harness, tmp_path: Path
) -> None:
    key = "AKIA" + "QYLPMN5HHHFPZAM2"
    project = make_project(tmp_path / "with_key", {"tests/aws.py": f"KEY = '{key}'\n"})
    server.repository = project.bare
    server.order = agent_order(server, project)
    server.script = [[bash("echo 2 >>tests/aws.py; cp tests/aws.py copied.py")], ["DONE"]]

    run = harness.run()

    report = server.agent_report
    assert report.ending is AgentEnding.WORK_REFUSED
    assert "`copied.py` holds a secret (AWS Access Key in line 1)" in report.sentence
    assert key not in report.sentence + run.output
    assert changed(project, server, tmp_path) == ["tests/aws.py"]
