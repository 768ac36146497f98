"""Every command of the documents runs as it stands there, here or in the test that is named."""

import re
import subprocess
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
# Those that another test runs; or, where no test can, the row of docs/assumptions.md that says so.
ELSEWHERE = {
    "make demo": "tests/demo/test_demo.py",
    "make test": ".ci/run",
    ".venv/bin/headgate plan path/to/spec.md": "tests/test_command_line.py",
    ".venv/bin/headgate coverage": "tests/test_command_line.py",
    ".venv/bin/headgate spec check path/to/spec.md": "tests/test_command_line.py",
    ".venv/bin/headgate spec show path/to/spec.md": "tests/test_command_line.py",
    ".venv/bin/headgate spec diff old.md new.md": "tests/test_command_line.py",
    ".venv/bin/headgate up": "tests/entry/test_setup_in_a_browser.py",
    "export HEADGATE_APP_ID=… HEADGATE_PRIVATE_KEY_FILE=…/app.pem HEADGATE_WEBHOOK_SECRET=…": "tests/bench/stage.py",
    "export HEADGATE_PUBLIC_URL=https://<your server>": "tests/bench/stage.py",
    "npm install --global @anthropic-ai/claude-code@2.1.197": "tests/agents/real_programs.py",
    "npm install --global @openai/codex@0.169.0": "tests/agents/real_programs.py",
    "npm install --global opencode-ai@1.18.33": "tests/agents/real_programs.py",
    'pg_dump --format=custom --file=/srv/headgate.dump "$DATABASE_URL"': "tests/entry/test_real_servers.py",
    'pg_restore --clean --if-exists --dbname="$DATABASE_URL" /srv/headgate.dump': "tests/entry/test_real_servers.py",
}
ASSUMED = {"codex exec": "Codex takes the address of a model from a provider of its configuration"}


@pytest.mark.parametrize("page", PAGES)
def test_every_command_has_its_run(page: str) -> None:
    assumed = (ROOT / "docs" / "assumptions.md").read_text()
    for command in commands(page):
        row = next((row for begin, row in ASSUMED.items() if command.startswith(begin)), "")
        if row:
            assert row in assumed
        elif command in ELSEWHERE:
            assert (ROOT / ELSEWHERE[command]).is_file()
        else:
            assert command in (*BESIDE, *AFTER)


def test_nothing_is_run_that_no_page_has() -> None:
    there = {command for page in PAGES for command in commands(page)}
    assert {*BESIDE, *AFTER, *ELSEWHERE} <= there


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
        server = start(
            "-m", "bot.entry.cli", "up", folder=tmp_path, environment=own_environment(environment)
        )
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


def test_an_app_that_is_made_by_hand_is_the_one_that_setup_makes() -> None:
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
