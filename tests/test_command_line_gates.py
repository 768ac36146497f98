"""`headgate gates run` on a clone, and `headgate gates explain` of a type of changes."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.core.spec.policy import Policy, read_policy
from bot.core.values.ids import Sha
from bot.entry.commands.gates_steering import steering_here
from tests.gates.checkouts import Repository
from tests.needs import needs_bubblewrap
from tests.test_command_line import ROOT, headgate

POLICY = """\
version: 1
stop_at_first_red: false
gates:
  lint: {run: 'echo src/calc.py:1:1: E501 too long; grep -q clean src/calc.py'}
  calc: {run: test -f src/calc.py}
  scope: {builtin: scope_check}
  web: {run: 'true', required: false, modes: {fix: "off"}}
  proof: {builtin: spec_verify, required: false}
"""
PLACE = ".github/headgate.yml"


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "clone")
    repository.commit({PLACE: POLICY})
    repository.git("checkout", "-q", "-b", "work")
    return repository


@pytest.mark.slow
def test_a_failing_setup_is_reported_and_no_gate_runs(clone: Repository) -> None:
    clone.git("checkout", "-q", "main")
    clone.commit({PLACE: POLICY + "setup: ['echo no such package; exit 7']\n"})
    clone.git("checkout", "-q", "-B", "work")
    clone.commit({"src/calc.py": "ONE = 2\n"})
    text = headgate("gates", "run", cwd=clone.folder, HEADGATE_LAYERS="off")
    assert (text.returncode, text.stdout) == (2, "")
    assert "Setup `echo no such package; exit 7` ended with 7: no such package" in text.stderr
    whole = headgate("gates", "run", "--json", cwd=clone.folder, HEADGATE_LAYERS="off")
    said = json.loads(whole.stdout)
    assert (whole.returncode, said["gates"]) == (2, [])
    assert "ended with 7: no such package" in said["sentence"]


@pytest.mark.slow
def test_on_main_gates_that_need_a_diff_are_skipped(clone: Repository) -> None:
    clone.git("checkout", "-q", "main")
    clone.commit(
        {PLACE: "version: 1\ngates: {scope: {builtin: scope_check}, junk: {builtin: junk}}\n"}
    )
    said = headgate("gates", "run", "--review", cwd=clone.folder, HEADGATE_LAYERS="off")
    assert said.returncode == 0, said.stderr
    assert "The policy has no gate with `review`" in said.stderr
    assert "HEAD has no changes that main does not have." in said.stderr
    assert "scope does not run: there is no diff." in said.stderr
    assert "passed  junk" in said.stdout


@pytest.mark.slow
def test_gates_of_main_judge_the_checked_out_commit(clone: Repository, tmp_path: Path) -> None:
    evil = POLICY.replace("grep -q clean src/calc.py", "true")
    clone.commit({"src/calc.py": "ONE = 2\n"})
    red = headgate("gates", "run", "--base", "main", cwd=clone.folder, HEADGATE_LAYERS="off")
    assert red.returncode == 1, red.stderr
    assert "failed  lint" in red.stdout
    assert "src/calc.py:1: E501 too long" in red.stdout
    assert "passed  scope" in red.stdout
    assert "proof does not run: no changed test names a requirement" in red.stderr

    clone.commit({"src/calc.py": "ONE = 2  # clean\n", PLACE: evil})
    clone.write("src/calc.py", "not committed\n")
    some = ("lint", "calc")
    green = headgate(
        "gates", "run", *some, "--base", "main", cwd=clone.folder, HEADGATE_LAYERS="off"
    )
    assert green.returncode == 0, green.stdout + green.stderr
    assert "Uncommitted changes are not judged." in green.stderr
    assert "scope" not in green.stdout


def test_files_that_setup_runs_are_steering_files_in_a_clone(clone: Repository) -> None:
    clone.git("checkout", "-q", "main")
    base = clone.commit({"ci/install.py": "print()\n"})
    head = clone.commit({"ci/install.py": "print(1)\n"})
    policy = read_policy(POLICY + "setup: [python3 ci/install.py]\n")
    assert isinstance(policy, Policy)

    steering = steering_here(clone.folder / ".git", Sha(base), Sha(head), policy)

    assert (steering.runner, steering.setup) == ((), ("ci/install.py",))


@pytest.mark.slow
def test_changes_to_steering_files_are_reported_on_a_local_machine(clone: Repository) -> None:
    def told() -> tuple[int, dict[str, object], str]:
        options = ("--base", "main", "--json", "calc")
        said = headgate("gates", "run", *options, cwd=clone.folder, HEADGATE_LAYERS="off")
        return said.returncode, json.loads(said.stdout), said.stderr

    clone.commit({"src/calc.py": "ONE = 1\n", "tests/conftest.py": "collect_ignore = ['a']\n"})
    code, said, errors = told()
    assert (code, said["steers"]) == (
        0,
        {"runner": ["tests/conftest.py"], "setup": [], "shadows": []},
    )
    assert (
        "that decide how its gates run (`tests/conftest.py`). Here the gates run with them"
        in errors
    )

    clone.commit({"pytest.py": "raise SystemExit(0)\n"})
    code, said, errors = told()
    assert (code, said["gates"]) == (1, [])
    assert "No gate runs. It adds `pytest.py`" in errors
    assert "This cannot be allowed" in errors


PROOF = """\
version: 1
gates:
  test: {run: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests, junit: true, repeat: 0}
  proof: {builtin: spec_verify}
  read: {review: {block: major}}
  accept: {acceptance: maintain}
  scan: {external: {check: scan}}
"""
SPEC = """\
# Shop

## Requirements

- **REQ-1**: The shop MUST say the price of five.
- **REQ-2**: The shop MUST say the price of nothing.
"""
TEST = 'def test_five():\n    """REQ-1"""\n    assert 5 * 1 == 5\n'


@pytest.mark.slow
def test_requirements_are_proven_on_a_local_machine(clone: Repository) -> None:
    clone.git("checkout", "-q", "main")
    clone.commit({PLACE: PROOF, "specs/shop.md": SPEC})
    clone.git("checkout", "-q", "-B", "work")
    Path(os.fsdecode(os.fsencode(clone.folder) + b"/caf\xe9.txt")).write_text("no UTF-8\n")

    def told(*more: str) -> subprocess.CompletedProcess[str]:
        return headgate(
            "gates", "run", "--base", "main", *more, cwd=clone.folder, HEADGATE_LAYERS="off"
        )

    clone.commit({"tests/test_shop.py": TEST})
    green = told()
    assert green.returncode == 0, green.stdout + green.stderr
    assert "Requirements: REQ-1 (1 others are not checked" in green.stderr
    assert "passed  proof: The requirement is proven to L2" in green.stdout
    assert "REQ-1: L2" in green.stdout
    assert "tests/test_shop.py::test_five" in green.stdout
    assert (
        "read does not run: to let a model review the diff, use `headgate gates run read` or "
        "`--review`"
    ) in green.stderr
    assert (
        "accept does not run: a person with the role maintain decides it on GitHub." in green.stderr
    )
    assert "scan does not run: another App reports scan" in green.stderr

    unknown = told("--spec", "specs/shpo.md")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert (
        "There are no requirements in specs/shpo.md at HEAD. Specs with requirements: "
        "specs/shop.md." in unknown.stderr
    )

    whole = told("--spec", "./specs/shop.md")
    assert whole.returncode == 1
    assert "1 of 2 requirements not proven to L2: REQ-2: no test names it" in whole.stdout

    clone.commit({"tests/test_shop.py": TEST.replace("assert 5 * 1 == 5", "5 * 1")})
    hollow = told("proof", "test")
    assert hollow.returncode == 1
    assert "the tests that name it assert nothing" in hollow.stdout


# What a line may see only where there are no walls: the clone, what the shell was given, other programs, a port.
SEES = """\
version: 1
gates:
  clone: {{run: test -e {clone}/key.txt}}
  shell: {{run: test -n "$TOKEN_OF_SHELL"}}
  others: {{run: test -e /proc/{process}}}
  port: {{run: 'python3 -c "import socket; socket.create_connection((\\"127.0.0.1\\", {port}), 2)"'}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("walls", [pytest.param("bubblewrap", marks=needs_bubblewrap), "none"])
def test_local_gates_use_the_sandbox_of_a_runner_if_available(
    clone: Repository, walls: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        policy = SEES.format(clone=clone.folder, process=os.getpid(), port=port)
        clone.git("checkout", "-q", "main")
        clone.commit({PLACE: policy})
        clone.git("checkout", "-q", "-B", "work")
        clone.commit({"src/calc.py": "ONE = 3\n"})
        clone.write("key.txt", "not committed\n")
        given = {"HEADGATE_LAYERS": "off", "TOKEN_OF_SHELL": "abc"}
        # On a machine that Headgate has no filter of system calls for, there are no walls.
        machine = ("setarch", "linux32") if walls == "none" else ()
        said = subprocess.run(
            [*machine, sys.executable, "-m", "bot.entry.cli", "gates", "run", "--base", "main"],
            cwd=clone.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **given},
            capture_output=True,
            text=True,
            check=False,
        )
    assert f"(sandbox: {walls})" in said.stdout, said.stderr
    seen = {gate: f"passed  {gate}" in said.stdout for gate in ("clone", "others", "port")}
    assert seen == dict.fromkeys(seen, walls == "none"), said.stdout
    # It is no walls that keep the shell's own variables from a line.
    assert "failed  shell" in said.stdout
    assert said.returncode == 1


WAITS = """\
version: 1
setup: ["true"]
gates:
  waits: {run: 'trap "" INT TERM; sleep 20', repeat: 0}
"""


def _hears_interrupts() -> None:
    """What a shell starts in its background does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_files(
    clone: Repository, tmp_path: Path, by: signal.Signals
) -> None:
    clone.git("checkout", "-q", "main")
    clone.commit({PLACE: WAITS})
    clone.git("checkout", "-q", "-B", "work")
    clone.commit({"src/calc.py": "ONE = 3\n"})
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    given = {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary), "HEADGATE_LAYERS": "off"}
    with subprocess.Popen(
        [sys.executable, "-m", "bot.entry.cli", "gates", "run"],
        cwd=clone.folder,
        env={**os.environ, **given},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hears_interrupts,
    ) as run:
        assert run.stderr is not None
        lines = iter(run.stderr.readline, "")
        assert any("waits starts" in line for line in lines)
        run.send_signal(by)
        # Until everything that holds it has ended.
        rest = "".join(lines)
    assert "Interrupted. No gate has judged the commit." in rest
    left = [one.name for one in temporary.iterdir() if not one.name.startswith("headgate-order-")]
    assert left == []
    if by is signal.SIGINT:
        assert run.returncode == 130
        assert list(temporary.iterdir()) == []


def test_a_type_of_changes_is_explained(clone: Repository) -> None:
    told = headgate("gates", "explain", "fix", "--json", cwd=clone.folder)
    rows = {row["gate"]: (row["mode"], row["said by"]) for row in json.loads(told.stdout)}
    assert rows["lint"] == ("required", "default")
    assert rows["web"] == ("off", "line 7 (`modes.fix`)")
    assert headgate("gates", "explain", "nothing", cwd=clone.folder).returncode == 1


def test_a_run_that_cannot_judge_says_why(clone: Repository, tmp_path: Path) -> None:
    def told(folder: Path, *arguments: str) -> str:
        done = headgate("gates", "run", *arguments, cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert "Name the branch that HEAD started from" in told(clone.folder, "--base", "gone")
    clone.git("branch", "-m", "main", "trunk")
    assert "Name the branch that HEAD started from with --base" in told(clone.folder)
    clone.git("branch", "-m", "trunk", "main")
    no_gate = told(clone.folder, "lint", "nothing", "--base", "main")
    assert (
        "These gates do not exist or cannot run here: nothing. Gates that can run: lint, calc"
        in no_gate
    )
    bare = tmp_path / "bare"
    bare.mkdir()
    assert "Change to a clone of the repository." in told(bare)
    subprocess.run(["git", "init", "-q", str(bare)], check=True)
    assert "Commit first, because gates judge a commit." in told(bare)
    other = Repository(tmp_path / "other")
    other.commit({"README.md": "x\n"})
    assert "To write a first one, run `headgate init`" in told(other.folder, "--base", "main")
