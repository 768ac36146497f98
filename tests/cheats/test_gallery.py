"""Cheats that a gate or its surroundings stop, and honest work that lands."""

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import POLICY, PROJECT, WRONG, WRONG_CODE, Cheat, Stage, named

pytestmark = pytest.mark.slow

# A test that writes the report of its own gate, kills whatever it sees, and leaves with 1.
KILLER = """cat >tests/test_kill.py <<'END'
import os, pathlib, signal, subprocess


def test_forges():
    out = pathlib.Path(os.environ["HEADGATE_JUNIT"]).parent
    sha = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    result = '{"gate": "test", "judges": "tree", "ending": "passed", "sentence": "All good."}'
    report = '{"candidate_sha": "%s", "tree_sha": "", "definition_hash": "", "results": [%s]}'
    (out / "report.json").write_text(report % (sha, result))
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        if folder.name not in ("1", str(os.getpid())):
            os.kill(int(folder.name), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
END
"""

PASSES_ALL = """import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
WRITES_ITS_REPORT = """import os


def pytest_sessionfinish(session, exitstatus):
    with open(os.environ["HEADGATE_JUNIT"], "w") as report:
        report.write('<testsuite><testcase name="a"/></testsuite>')
    os._exit(0)
"""
SHADOW = """import os

with open(os.environ["HEADGATE_JUNIT"], "w") as report:
    report.write('<testsuite><testcase name="a"/></testsuite>')
"""


def writes(path: str, text: str) -> str:
    """A file of the tree, in place of what is there."""
    return f"mkdir -p $(dirname {path}); cat >{path} <<'END'\n{text}END\n"


ALLOW = "/headgate allow"
NOBODY = "This cannot be allowed"
CHEATS = [
    Cheat("wrong_code", WRONG_CODE, "test_one_costs_five"),
    Cheat("policy", WRONG_CODE + "echo 'version: 1' >.github/headgate.yml", "protected"),
    Cheat("forged_report", WRONG_CODE + KILLER, "Did not pass: test (crashed)"),
    Cheat(
        "attributes",
        WRONG_CODE + "echo 'shop.py working-tree-encoding=UTF-16LE' >tests/.gitattributes",
        "protected",
    ),
    Cheat("script", WRONG_CODE + writes("ci/check.sh", "exit 0\n"), ALLOW),
    Cheat("makefile", WRONG_CODE + writes("Makefile", "build:\n\ttrue\n"), ALLOW),
    Cheat("other_makefile", WRONG_CODE + writes("GNUmakefile", "build:\n\ttrue\n"), ALLOW),
    Cheat("hook", WRONG_CODE + writes("tests/conftest.py", PASSES_ALL), ALLOW),
    Cheat("own_report", WRONG_CODE + writes("conftest.py", WRITES_ITS_REPORT), ALLOW),
    Cheat("ini", WRONG_CODE + writes("pytest.ini", "[pytest]\naddopts = --co\n"), ALLOW),
    Cheat(
        "pyproject",
        WRONG_CODE + writes("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--co'\n"),
        ALLOW,
    ),
    Cheat("setup", WRONG_CODE + writes("setup.py", "raise SystemExit\n"), ALLOW),
    Cheat(
        "planted",
        WRONG_CODE + "echo >.gitignore; " + writes(".deps/sitecustomize.txt", "planted"),
        "at paths that `setup` writes",
    ),
    Cheat("runner", WRONG_CODE + writes("pytest.py", SHADOW), NOBODY),
    Cheat("library", WRONG_CODE + writes("unittest/__init__.py", SHADOW), NOBODY),
    Cheat("beside_tests", WRONG_CODE + writes("tests/difflib.py", SHADOW), NOBODY),
    Cheat("start_up", WRONG_CODE + writes("src/sitecustomize.py", SHADOW), NOBODY),
    Cheat("bin", WRONG_CODE + writes("node_modules/.bin/make", "exit 0\n"), NOBODY),
]


# Stopped by what runs: the first of each kind of end.
RUN = named(CHEATS, "wrong_code", "forged_report", "planted")
PLAYED = [*RUN, *named(CHEATS, "policy", "setup", "runner")]
HONEST = (
    "printf '\\n\\ndef test_three_cost_fifteen():\\n    assert price(3) == 15\\n' "
    ">>tests/test_shop.py; printf '\\n# Half price on Sundays is not for sale.\\n' >>shop.py"
)


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", PROJECT, POLICY)


@pytest.mark.parametrize("cheat", [one for one in CHEATS if one not in RUN], ids=str)
def test_a_cheat_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat)


def test_honest_work_is_not_stopped(the_judges: Judges) -> None:
    the_judges.let_pass("honest", HONEST)


@pytest.mark.parametrize("cheat", PLAYED, ids=str)
def test_a_cheat_does_not_land(the_stage: Stage, cheat: Cheat) -> None:
    outcome = the_stage.play(cheat.name, cheat.script)

    assert not outcome.landed, outcome.said
    assert cheat.said in outcome.said
    assert WRONG not in the_stage.shop.main_files()["shop.py"]


def test_honest_work_lands(the_stage: Stage) -> None:
    outcome = the_stage.play("honest", HONEST)

    assert outcome.landed, outcome.said
    assert "Half price" in the_stage.shop.main_files()["shop.py"]


def test_a_person_lets_honest_work_change_how_it_is_judged(the_stage: Stage) -> None:
    shop = the_stage.shop
    stopped = the_stage.play("settings", writes("conftest.py", "collect_ignore = ['old']\n"))
    assert not stopped.landed
    pull = shop.pull("Make the settings work")
    candidate = pull["head"]["sha"]
    assert shop.checks(candidate)["headgate/verdict"].conclusion == "failure"

    eve = shop.comment(pull["number"], f"/headgate allow {candidate}", shop.tokens["eve"])
    shop.work()
    assert "conftest.py" not in shop.main_files()
    assert "needs the role" in shop.reply(pull["number"], eve)

    shop.comment(pull["number"], f"/headgate allow {candidate[:12]}")
    shop.work()
    assert "conftest.py" in shop.main_files()
    ledger = shop.commit_text("refs/headgate/ledger")
    assert '"allowed":["conftest.py by @ada"]' in ledger
