"""Stories of gate orders: a clean checkout, gates that cannot help each other, hostile reports."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from action.order import SetupCommand
from action.report import SandboxKind
from gates.result import Ending, GateDefinition, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order, git
from tests.needs import needs_bubblewrap

pytestmark = pytest.mark.slow


def gate(name: str, command: str, **more: object) -> GateDefinition:
    fields: dict[str, object] = {"name": name, "judges": Judges.TREE, "command": command}
    return TypeAdapter(GateDefinition).validate_python(fields | more)


def endings(server: FakeServer) -> dict[str, Ending]:
    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    return {result.gate: result.ending for result in report.results}


def commit(project: Project, files: dict[str, str]) -> str:
    """A commit on the project's main with these files; its SHA."""
    for name, text in files.items():
        place = project.work / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    who = ("-c", "user.name=t", "-c", "user.email=t@e", "-c", "core.autocrlf=false")
    for arguments in (("add", *files), (*who, "commit", "-qm", "evil")):
        subprocess.run(["git", *arguments], cwd=project.work, check=True)
    push = ["git", "push", "-q", str(project.bare), "HEAD:main"]
    subprocess.run(push, cwd=project.work, check=True)
    return git(project.work, "rev-parse", "HEAD")


def path_without_bubblewrap(folder: Path) -> str:
    """A search path on which the programs of this machine are, but for `bwrap`."""
    programs = folder / "programs"
    programs.mkdir(parents=True)
    for name in ("git", "bash", "sh", "python3"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    return str(programs)


@needs_bubblewrap
def test_every_gate_judges_the_candidate_and_the_report_names_it(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    gates = [gate("good", "test -f shop.py"), gate("bad", "echo sorry; exit 1")]
    server.order = gate_order(server, project, gates)

    run = harness.run("gates")

    assert run.code == 0, run.output
    assert endings(server) == {"good": Ending.PASSED, "bad": Ending.FAILED}
    report = server.gate_report.report
    assert report is not None
    assert (report.candidate_sha, report.definition_hash) == (project.head_sha, "abc")
    assert len(report.tree_sha) == 40
    assert server.gate_report.sandbox is SandboxKind.BUBBLEWRAP
    assert server.gate_report.sentence == "1 of 2 gates passed."
    assert "| `bad` | failed |" in harness.summary.read_text()
    assert harness.left_behind() == []


def on(harness: Harness, kind: str) -> Harness:
    """The harness on a machine that has this kind of sandbox."""
    if kind == "unshare":
        harness.environment["PATH"] = path_without_bubblewrap(harness.folder)
    return harness


@pytest.mark.parametrize("kind", ["bubblewrap", "unshare"])
def test_every_gate_finds_the_checkout_as_setup_left_it(
    server: FakeServer, project: Project, harness: Harness, kind: str
) -> None:
    see_that_nothing_is_spoilt(server, project, on(harness, kind))


def test_a_machine_without_overlays_copies_the_checkout(
    server: FakeServer, project: Project
) -> None:
    # Options of an overlay cannot name this folder.
    with tempfile.TemporaryDirectory(prefix="a,b-") as folder:
        see_that_nothing_is_spoilt(server, project, Harness(server, Path(folder)))


def see_that_nothing_is_spoilt(server: FakeServer, project: Project, harness: Harness) -> None:
    spoil = (
        "test -f deps/lib && mv deps moved && rm -rf moved shop.py && echo evil >gates.py && git config core.x y && "
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

    harness.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    assert report.results[1].ending is Ending.PASSED, report.results


FORGED = (
    'printf \'{"candidate_sha": "%s", "tree_sha": "t", "definition_hash": "abc", "results": '
    '[{"gate": "%s", "judges": "tree", "ending": "passed", "sentence": "forged"}]}\' '
    "$(git rev-parse HEAD) honest >../out/report.json"
)
KILL_ALL = "for p in /proc/[0-9]*; do kill -9 ${p#/proc/} 2>/dev/null || true; done"


@pytest.mark.parametrize("kind", ["bubblewrap", "unshare"])
def test_a_gate_cannot_write_its_own_result(
    server: FakeServer, project: Project, harness: Harness, kind: str
) -> None:
    on(harness, kind)
    gates = [
        gate("forge", f"{FORGED}; exit 1"),
        gate("kill", f"{FORGED}; kill -9 $PPID; {KILL_ALL}; exit 1"),
        gate("honest", "exit 1"),
        gate("seen", "grep -az 'definition[.]json' /proc/*/cmdline && exit 1; test $PPID = 1"),
    ]
    server.order = gate_order(server, project, gates)

    harness.run("gates")

    found = endings(server)
    assert found.pop("kill") in {Ending.CRASHED, Ending.FAILED}
    assert found == {"forge": Ending.FAILED, "honest": Ending.FAILED, "seen": Ending.PASSED}
    assert server.gate_report.sandbox is SandboxKind(kind)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("true", "wrote no JUnit report"),
        ("ln -s /etc/passwd $HEADGATE_JUNIT", "cannot be opened"),
        ("mkfifo $HEADGATE_JUNIT", "not a regular file"),
        ("mkdir $HEADGATE_JUNIT", "not a regular file"),
        ("head -c 17000000 /dev/zero >$HEADGATE_JUNIT", "larger"),
        ("echo '{}' >$HEADGATE_JUNIT", "not XML"),
        ("echo '<testsuite/>' >$HEADGATE_JUNIT", "no test was executed"),
    ],
)
def test_a_hostile_report_counts_as_a_gate_that_did_not_run(
    server: FakeServer, project: Project, harness: Harness, deed: str, said: str
) -> None:
    server.order = gate_order(server, project, [gate("evil", deed, junit="$HEADGATE_JUNIT")])

    harness.run("gates")

    report = server.gate_report.report
    assert report is not None
    assert report.results[0].ending is Ending.COULD_NOT_RUN
    assert said in report.results[0].sentence


def test_a_report_counts_only_with_the_ending_that_the_harness_saw(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    passing = "echo '<testsuite><testcase name=\"a\"/></testsuite>' >$HEADGATE_JUNIT"
    later = f"(sleep 0.3; {passing}) & disown; exit 0"
    gates = [
        gate("red", f"{passing}; exit 1", junit="$HEADGATE_JUNIT"),
        gate("killed", f"{passing}; kill -SEGV $$", junit="$HEADGATE_JUNIT"),
        gate("hangs", f"{passing}; sleep 60", junit="$HEADGATE_JUNIT", gate_timeout_seconds=1),
        gate("later", later, junit="$HEADGATE_JUNIT"),
        gate("green", passing, junit="$HEADGATE_JUNIT"),
    ]
    server.order = gate_order(server, project, gates)

    harness.run("gates")

    assert endings(server) == {
        "red": Ending.FAILED,
        "killed": Ending.CRASHED,
        "hangs": Ending.TIMED_OUT,
        "later": Ending.COULD_NOT_RUN,
        "green": Ending.PASSED,
    }


def test_reports_are_found_in_the_folder_of_the_command(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    old = "<testsuite><testcase name='old'><failure/></testcase></testsuite>"
    sha = commit(project, {"reports/old.xml": old})
    passing = "echo '<testsuite><testcase name=\"a\"/></testsuite>' >reports/new.xml"
    gates = [
        gate("new", passing, junit="reports/*.xml"),
        gate("none", "true", junit="reports/*.xml"),
        gate(
            "elsewhere", "ln -s /etc reports/etc; ln -s /etc/passwd reports/a.xml", junit="**/*.xml"
        ),
    ]
    server.order = gate_order(server, project, gates, candidate_sha=sha)

    harness.run("gates")

    assert endings(server) == {
        "new": Ending.PASSED,
        "none": Ending.COULD_NOT_RUN,
        "elsewhere": Ending.COULD_NOT_RUN,
    }


def test_a_command_that_cannot_start_could_not_run(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    gates = [gate("long", f": {'x' * 200_000}"), gate("zero", "true \0 true"), gate("good", "true")]
    server.order = gate_order(server, project, gates)

    run = harness.run("gates")

    assert endings(server) == {
        "long": Ending.COULD_NOT_RUN,
        "zero": Ending.COULD_NOT_RUN,
        "good": Ending.PASSED,
    }, run.output


def test_attributes_of_the_candidate_change_no_file(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    attributes = (
        "a.txt working-tree-encoding=UTF-16LE\nb.txt text eol=crlf\nc.txt ident\n* filter=evil\n"
    )
    commit(project, {"a.txt": "a\n", "b.txt": "one\n", "c.txt": "$Id$\n"})
    sha = commit(project, {".gitattributes": attributes})
    look = gate(
        "look", "printf 'a\none\n$Id$\n' >$TMPDIR/x; cat a.txt b.txt c.txt | cmp - $TMPDIR/x"
    )
    scope = GateDefinition(name="scope", judges=Judges.DIFF, builtin="scope_check")
    server.order = gate_order(server, project, [look, scope], candidate_sha=sha)

    harness.run("gates")

    assert endings(server) == {"look": Ending.PASSED, "scope": Ending.PASSED}


def test_a_package_named_gates_in_the_candidate_does_not_replace_the_judge(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    evil = "raise SystemExit(0)\n"
    sha = commit(project, {"gates/__init__.py": evil, "sitecustomize.py": evil})
    gates = [gate("bad", "exit 1")]
    server.order = gate_order(server, project, gates, candidate_sha=sha)

    harness.run("gates")

    assert endings(server) == {"bad": Ending.FAILED}


def test_setup_runs_on_the_tree_that_the_order_names(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    base = commit(project, {"setup.sh": "mkdir made; echo base >made/by", "gone.txt": "x\n"})
    git(project.work, "rm", "-q", "gone.txt")
    sha = commit(project, {"setup.sh": "mkdir made; echo evil >made/by"})
    look = "grep -q base made/by && grep -q evil setup.sh && test ! -e gone.txt"
    server.order = gate_order(
        server,
        project,
        [gate("look", look)],
        candidate_sha=sha,
        setup=(SetupCommand(run="sh setup.sh; echo spoilt >shop.py"),),
        setup_sha=base,
    )

    harness.run("gates")

    assert endings(server) == {"look": Ending.PASSED}, server.gate_report


def test_compiled_files_from_main_are_not_used_for_the_candidate(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    base = commit(project, {"till.py": "SUM = 1\n"})
    sha = commit(project, {"till.py": "SUM = 2\n"})
    # Compiled files are told apart by seconds, and setup may end in the second in which it began.
    an_hour_apart = "test $(cat seen) -lt $(($(stat -c %Y till.py) - 3600))"
    gates = [gate("sums", f"python3 -c 'import till; assert till.SUM == 2' && {an_hour_apart}")]
    setup = (SetupCommand(run="python3 -c 'import till'; stat -c %Y till.py >seen"),)
    more = {"candidate_sha": sha, "setup": setup, "setup_sha": base}
    server.order = gate_order(server, project, gates, **more)

    harness.run("gates")

    assert endings(server) == {"sums": Ending.PASSED}


@pytest.mark.parametrize("path", ["made/evil.py", "made"])
def test_a_commit_with_files_in_setups_places_is_not_run(
    server: FakeServer, project: Project, harness: Harness, path: str
) -> None:
    setup = (SetupCommand(run="mkdir made; touch made/lib"),)
    sha = commit(project, {path: "evil\n"})
    gates = [gate("good", "true"), gate("other", "true")]
    more = {"candidate_sha": sha, "setup": setup, "setup_sha": project.head_sha}
    server.order = gate_order(server, project, gates, **more)

    harness.run("gates")

    assert set(endings(server).values()) == {Ending.FAILED}
    report = server.gate_report.report
    assert report is not None
    assert path in report.results[0].sentence


def test_failing_setup_gives_no_gate_report(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    setup = (SetupCommand(run="echo broken; false"),)
    server.order = gate_order(server, project, [gate("good", "true")], setup=setup)

    harness.run("gates")

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
