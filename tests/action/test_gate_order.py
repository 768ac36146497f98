"""Stories of gate orders: a clean checkout, gates that cannot help each other, hostile reports."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from action.order import SetupCommand
from action.report import SandboxKind
from gates.result import Ending, GateDefinition, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order, with_stand_in_gates
from tests.needs import needs_bubblewrap

pytestmark = pytest.mark.slow


@pytest.fixture
def judging(harness: Harness, tmp_path: Path) -> Harness:
    return replace(harness, program_folder=with_stand_in_gates(tmp_path))


def gate(name: str, command: str, **more: object) -> GateDefinition:
    fields: dict[str, object] = {"name": name, "judges": Judges.TREE, "command": command}
    return TypeAdapter(GateDefinition).validate_python(fields | more)


def endings(server: FakeServer) -> dict[str, Ending]:
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    return {result.gate: result.ending for result in report.results}


@needs_bubblewrap
def test_every_gate_judges_the_candidate_and_the_report_names_it(
    server: FakeServer, project: Project, judging: Harness
) -> None:
    gates = [gate("good", "test -f shop.py"), gate("bad", "echo sorry; exit 1")]
    server.order = gate_order(server, project, gates)

    run = judging.run("gates")

    assert run.code == 0, run.output
    assert endings(server) == {"good": Ending.PASSED, "bad": Ending.FAILED}
    report = server.gate_report.report
    assert report is not None
    assert (report.candidate_sha, report.definition_hash) == (project.head_sha, "abc")
    assert len(report.tree_sha) == 40
    assert server.gate_report.sandbox is SandboxKind.BUBBLEWRAP
    assert server.gate_report.sentence == "1 of 2 gates passed."
    assert "| `bad` | failed |" in judging.summary.read_text()
    assert judging.left_behind() == []


def test_every_gate_finds_the_checkout_as_setup_left_it(
    server: FakeServer, project: Project, judging: Harness
) -> None:
    spoil = (
        "test -f deps/lib && rm -rf deps shop.py && echo evil >gates.py && git config core.x y && "
        "git commit -qam spoiled; mkdir -p ~/.config && touch ~/.config/evil /tmp/evil $TMPDIR/evil"
    )
    look = (
        "test -f deps/lib && test -f shop.py && test ! -e gates.py && test ! -e ~/.config/evil && "
        "test -f ~/cache && test ! -e /tmp/evil && ! git config core.x && git diff --quiet HEAD && "
        'test -z "$(git status --porcelain)"'
    )
    setup = "mkdir deps; touch deps/lib; touch ~/cache; echo changed >>shop.py; git config core.x z"
    gates = [gate("spoil", spoil), gate("look", look)]
    server.order = gate_order(server, project, gates, setup=(SetupCommand(run=setup),))

    judging.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    assert report.results[1].ending is Ending.PASSED, report.results


def test_a_gate_cannot_write_another_gates_result(
    server: FakeServer, project: Project, judging: Harness
) -> None:
    forged = json.dumps(
        {
            "candidate_sha": project.head_sha,
            "tree_sha": "t",
            "definition_hash": "abc",
            "results": [
                {"gate": "honest", "judges": "tree", "ending": "passed", "sentence": "forged"}
            ],
        }
    )
    forge = f"echo '{forged}' >../out/report.json; kill -9 $PPID"
    gates = [gate("forge", forge), gate("honest", "exit 1")]
    server.order = gate_order(server, project, gates)

    judging.run("gates")

    assert endings(server) == {"forge": Ending.CRASHED, "honest": Ending.FAILED}
    report = server.gate_report.report
    assert report is not None
    assert "another gate" in report.results[0].sentence


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("ln -s /etc/passwd ../out/report.json", "no report was left"),
        ("mkfifo ../out/report.json", "not a file"),
        ("mkdir ../out/report.json", "not a file"),
        ("head -c 9000000 /dev/zero >../out/report.json", "too large"),
        ("echo '{}' >../out/report.json", "could not be read"),
        ("true", "no report was left"),
    ],
)
def test_a_hostile_report_counts_as_a_gate_that_did_not_run(
    server: FakeServer, project: Project, judging: Harness, deed: str, said: str
) -> None:
    server.order = gate_order(server, project, [gate("evil", f"{deed}; kill -9 $PPID")])

    judging.run("gates")

    report = server.gate_report.report
    assert report is not None
    assert report.results[0].ending is Ending.CRASHED
    assert said in report.results[0].sentence


def test_a_package_called_gates_in_the_candidate_is_not_taken_for_the_judge(
    server: FakeServer, project: Project, judging: Harness
) -> None:
    work = project.work
    (work / "gates").mkdir()
    (work / "gates" / "__init__.py").write_text("raise SystemExit(0)\n")
    (work / "sitecustomize.py").write_text("raise SystemExit(0)\n")
    subprocess.run(["git", "add", "."], cwd=work, check=True)
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@e", "commit", "-qm", "evil"],
        cwd=work,
        check=True,
    )
    subprocess.run(["git", "push", "-q", str(project.bare), "HEAD:main"], cwd=work, check=True)
    sha = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=work, check=True, capture_output=True, text=True
    ).stdout.strip()
    gates = [gate("bad", "exit 1")]
    server.order = gate_order(server, project, gates, candidate_sha=sha)

    judging.run("gates")

    assert endings(server) == {"bad": Ending.FAILED}


def test_failing_setup_judges_nothing(
    server: FakeServer, project: Project, judging: Harness
) -> None:
    setup = (SetupCommand(run="echo broken; false"),)
    server.order = gate_order(server, project, [gate("good", "true")], setup=setup)

    judging.run("gates")

    assert server.gate_report.report is None
    assert "broken" in server.gate_report.sentence


def test_the_real_program_of_gates_runs_inside(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    gates = [
        gate("good", "grep -q hello shop.py"),
        gate("bad", "exit 1"),
        GateDefinition(name="scope_check", judges=Judges.DIFF, builtin="scope_check"),
    ]
    setup = (SetupCommand(run="touch made-by-setup"),)
    server.order = gate_order(server, project, gates, setup=setup)

    run = harness.run("gates")

    assert run.code == 0, run.output
    assert endings(server) == {
        "good": Ending.PASSED,
        "bad": Ending.FAILED,
        "scope_check": Ending.PASSED,
    }
