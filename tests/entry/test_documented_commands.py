"""Every documented command runs unchanged, here or in the named test."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.adapters.github.app_tokens import app_permissions
from bot.adapters.store.engine import open_engine
from bot.adapters.store.vitals import SqlVitals
from bot.core.state.webhook import EVENTS
from bot.core.values.vitals import Part
from bot.localhub.actions.evaluation import EvaluationScope, evaluate, parse_condition
from bot.localhub.actions.filters import pull_request_passes, push_passes
from bot.localhub.actions.parse_workflow import read_workflow
from tests.demo.watched import eventually, output, start
from tests.entry.browser_kit import free_port
from tests.entry.documented import PAGES, ROOT, commands, run
from tests.entry.setup_kit import own_environment, town
from tests.needs import needs_curl
from tests.test_command_line import SPEC

# Those that are run here, in this order, beside a server that runs; the last ones after it has ended.
BESIDE = (
    "headgate doctor --json",
    "curl --fail --silent http://127.0.0.1:8460/readyz",
    "headgate webhook --new-secret https://headgate.example.org",
    "headgate backup /srv/headgate-backup",
    'find "$HEADGATE_VAR/blobs" -type f -mtime +90 -delete',
    "rm .github/workflows/headgate-agent.yml .github/workflows/headgate-gates.yml",
    "headgate init",
)
AFTER = ("headgate restored",)
# Those that are run here without a server, and the code with which each ends.
ALONE = {
    ".venv/bin/headgate plan path/to/spec.md": 0,
    ".venv/bin/headgate coverage": 1,
    ".venv/bin/headgate spec check path/to/spec.md": 0,
    ".venv/bin/headgate spec show path/to/spec.md": 0,
    ".venv/bin/headgate spec diff old.md new.md": 1,
}
UP = ".venv/bin/headgate up"
EXPORTS = (
    "export HEADGATE_APP_ID=… HEADGATE_PRIVATE_KEY_FILE=…/app.pem HEADGATE_WEBHOOK_SECRET=…",
    "export HEADGATE_PUBLIC_URL=https://<your server>",
)
HERE = {*BESIDE, *AFTER, *ALONE, UP, *EXPORTS}
# Those that stand in another file as they stand on the page, and are run from there.
ELSEWHERE = {
    "make demo": ".ci/run",
    "make test": ".ci/run",
    'pg_dump --format=custom --file=/srv/headgate.dump "$DATABASE_URL"': "tests/entry/test_real_servers.py",
    'pg_restore --clean --if-exists --dbname="$DATABASE_URL" /srv/headgate.dump': "tests/entry/test_real_servers.py",
}
_PROGRAM = re.compile(r"npm install --global (\S+)@([\d.]+)")


def has_its_run(command: str) -> bool:
    if installed := _PROGRAM.fullmatch(command):
        # `make agents`, which CI runs, installs this version of it.
        tried = json.loads((ROOT / "tests/agents/node/package.json").read_text())["dependencies"]
        is_in_ci = "make agents" in (ROOT / ".ci" / "run").read_text()
        return is_in_ci and tried.get(installed[1]) == installed[2]
    if command in ELSEWHERE:
        lines = (ROOT / ELSEWHERE[command]).read_text().splitlines()
        return any(re.search(rf"(?:^|'){re.escape(command)}(?:'| |$)", line) for line in lines)
    return command in HERE


@pytest.mark.parametrize("page", PAGES)
def test_every_documented_command_is_run_by_a_test(page: str) -> None:
    assert [command for command in commands(page) if not has_its_run(command)] == []


@pytest.mark.parametrize(
    "command",
    ["headgate fly", "npm install --global opencode-ai@0.0.1", "npm install --global left-pad@1.0"],
)
def test_an_untested_documented_command_is_reported(command: str) -> None:
    assert not has_its_run(command)


def test_a_file_that_does_not_run_a_command_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ELSEWHERE, "make demo", "tests/demo/test_demo.py")
    assert not has_its_run("make demo")


def test_the_documented_spec_commands_run_unchanged(tmp_path: Path) -> None:
    installed(tmp_path)
    for path in ("path/to/spec.md", "specs/till.md", "old.md", "new.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(SPEC)
    (tmp_path / "new.md").write_text(SPEC.replace("of a basket", "of both baskets"))
    for command, code in ALONE.items():
        done = run(command, tmp_path, {})
        assert (done.returncode, done.stderr) == (code, ""), command
        assert done.stdout


def test_an_app_that_was_made_by_hand_is_named_by_the_exports(tmp_path: Path) -> None:
    with town(tmp_path) as place:
        app = place.hub.register_app("headgate", None, "", app_permissions(), EVENTS)
        place.hub.install_app(app.app_id, "ada")
        (tmp_path / "app.pem").write_text(app.private_key_pem)
        values = iter([str(app.app_id), str(tmp_path), "a-secret"])
        known = re.sub("…", lambda _: next(values), EXPORTS[0])
        address = EXPORTS[1].replace("<your server>", "headgate.example.org")
        script = f"{known} && {address} && headgate doctor --json"
        done = run(script, tmp_path, place.environment(HEADGATE_OWNERS="ada"))
    found = {f["name"]: f for f in json.loads(done.stdout)["findings"]}
    assert found["GitHub App"]["health"] == "fine", found["GitHub App"]
    assert found["webhook"]["says"] == "a secret is set"


def installed(folder: Path) -> None:
    """As `make setup` leaves it."""
    (folder / ".venv").symlink_to(Path(sys.executable).parents[1])


def test_every_tested_command_is_documented() -> None:
    there = {command for page in PAGES for command in commands(page)}
    assert {*HERE, *ELSEWHERE} <= there


@pytest.mark.slow
@needs_curl
def test_the_commands_of_operation_run(tmp_path: Path) -> None:
    port = free_port()
    clone = tmp_path / "clone"
    clone.mkdir()
    subprocess.run(["git", "init", "--quiet", str(clone)], check=True)
    with town(tmp_path) as place:
        app = place.hub.register_app("headgate", None, "", app_permissions(), EVENTS)
        place.hub.install_app(app.app_id, "ada")
        environment = place.environment(
            HEADGATE_APP_ID=str(app.app_id),
            HEADGATE_PRIVATE_KEY=app.private_key_pem,
            HEADGATE_OWNERS="ada",
            HEADGATE_PORT=port,
        )
        assert run("headgate init", clone, environment).returncode == 0
        installed(tmp_path)
        # The command is a program of Python's; `start` begins one.
        server = start(*UP.split(), folder=tmp_path, environment=own_environment(environment))
        eventually(lambda: f"Headgate's address: http://127.0.0.1:{port}" in output(tmp_path))
        ready = BESIDE[1].replace("8460", port)
        eventually(lambda: run(ready, clone, environment).returncode == 0)
        (tmp_path / "var" / "blobs").mkdir(exist_ok=True)
        # What reads and what answers people are two parts: one may be silent alone.
        engine = open_engine(f"sqlite:///{tmp_path / 'var' / 'journal.db'}")
        beating = {pulse.part for pulse in SqlVitals(engine).pulses()}
        engine.dispose()
        assert beating >= {Part.WORKER, Part.READER, Part.SWEEP}
        for command in BESIDE:
            done = run(command.replace("8460", port), clone, environment)
            assert done.returncode == 0, (command, done.stdout, done.stderr)
        began = time.monotonic()
        server.terminate()
        assert server.wait(30) == 0
        assert time.monotonic() - began < 20
        for command in AFTER:
            done = run(command, clone, environment)
            assert done.returncode == 0, (command, done.stdout, done.stderr)
        again = run("headgate backup /srv/headgate-backup", clone, environment)
    copied = {path.name for path in (clone / "headgate-backup").iterdir()}
    assert copied >= {"journal.db", "inbox.db"}
    assert (again.returncode, "is not empty" in again.stderr) == (1, True)
    assert (clone / ".github" / "workflows" / "headgate-agent.yml").is_file()


def test_the_documented_manual_app_equals_the_app_of_setup() -> None:
    page = " ".join((ROOT / "docs" / "install.md").read_text().split())
    said = re.search(r"repository permissions: (.+?): write; (.+?): read\..*?Events: (.+?)\)", page)
    assert said is not None
    written, read, events = ([w.replace(" ", "_") for w in g.split(", ")] for g in said.groups())
    assert dict.fromkeys(written, "write") | dict.fromkeys(read, "read") == app_permissions()
    assert tuple(events) == EVENTS


def test_the_workflow_that_keeps_agents_branches_out_does_so() -> None:
    text = (ROOT / "docs" / "ci.md").read_text().partition("```yaml\n")[2].partition("```")[0]
    workflow = read_workflow(text)
    push, pull = workflow.triggers.push, workflow.triggers.pull_request
    assert push is not None
    assert pull is not None
    assert not push_passes(push, "refs/heads/headgate/shop-1a2b3c4d/till", None)
    assert push_passes(push, "refs/heads/main", None)
    # The filter of a pull is about the branch below it, so the job itself must look.
    assert pull_request_passes(pull, "opened", "main", None)
    condition = parse_condition(workflow.jobs["build"].condition)
    for branch, runs in (("headgate/shop-1a2b3c4d/till", False), ("adas-branch", True)):
        scope = EvaluationScope({"github": {"head_ref": branch}})
        assert evaluate(condition, scope) is runs
