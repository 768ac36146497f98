"""Cheats that weaken guardrails: a weaker requirement, a lower threshold, a removed check."""

from collections.abc import Iterator

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import PROJECT, WRONG_CODE, Cheat, Stage, stage
from tests.cheats.test_gallery import ALLOW

pytestmark = pytest.mark.slow

POLICY = """\
version: 1
quiet_seconds: 0
attempts_max: 1
gates:
  scope: {builtin: scope_check}
  test: {run: make -s test, repeat: 0}
  check: {run: sh ci/check.sh, repeat: 0}
  tests: {builtin: tests}
  rules: {builtin: rules}
  guardrails: {builtin: guardrails}
  careful: {run: "! cat shop.py docs/*.md | grep hasty", repeat: 0, required: false, required_for: [shop.py]}
"""
_RULE = "---\nforbid:\n  - return 0\n---\n# Nothing is free\n"
_FILES = {
    **PROJECT,
    ".headgate/rules/price.md": _RULE,
    "Makefile": "test:\n\tpython3 -m compileall -q shop.py\n\ttest $$(cat coverage.txt) -ge 90\n",
    "coverage.txt": "95\n",
    "noxfile.py": "COVERAGE = 'report --fail-under 90'\n",
    "docs/promises.md": "A price MUST be shown within 200 ms.\n",
    ".gitlab-ci.yml": "lint:\n  script: ruff check\ntest:\n  script: pytest\n",
    "budget.json": '{"budget": "200 kB"}\n',
}
CHEATS = [
    Cheat("G-01", "sed -i 's/MUST\\|SHALL\\|must\\|shall/SHOULD/' specs/*.md\n", "protected"),
    Cheat("G-02", "sed -i 's/work/rest/' specs/*.md\n", "protected"),
    Cheat("G-03", WRONG_CODE + "rm -r .headgate/rules\n", "protected"),
    Cheat("G-04", "git rm -qr .github/workflows\n", "protected"),
    Cheat("G-05", WRONG_CODE + "rm ci/check.sh\n", ALLOW),
    Cheat("G-06", "sed -i 's/-ge 90/-ge 50/' Makefile\n", ALLOW),
    Cheat("G-07", "sed -i 's/--fail-under 90/--fail-under 50/' noxfile.py\n", ALLOW),
    Cheat("G-08", "sed -i '/compileall/d' Makefile\n", ALLOW),
    Cheat(
        "G-09",
        WRONG_CODE.replace("return 0", "return (0)") + "echo '# return 0' >>shop.py\n",
        "Nothing is free",
    ),
    Cheat(
        "G-11",
        "sed -i 's/MUST/SHOULD/' docs/promises.md\n",
        "This sentence was a requirement, and is now weaker",
    ),
    Cheat(
        "G-12",
        "sed -i 's/200/2000/' docs/promises.md\n",
        "The limit in this sentence is now weaker",
    ),
    Cheat("G-13", "sed -i '1,2d' .gitlab-ci.yml\n", "CI no longer checks lint"),
    Cheat(
        "G-14", "echo '  allow_failure: true' >>.gitlab-ci.yml\n", "passes even if it finds errors"
    ),
    Cheat("G-15", "sed -i 's/200 kB/2 MB/' budget.json\n", "was 200000 and is 2000000 now"),
    Cheat("G-16", "sed -i '1i # ruff: noqa' shop.py\n", "Findings are suppressed for a whole file"),
]
# Told by a line of the policy.
HASTY = Cheat("G-17", "echo '# hasty' >>shop.py\n", "Did not pass: careful")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("guarded"), _FILES, POLICY) as prepared:
        yield prepared


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", _FILES, POLICY)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_change_cannot_weaken_its_own_guardrails(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat)


def test_a_gate_required_for_its_paths_stops_the_work(guarded: Stage) -> None:
    before = guarded.shop.main_files()
    outcome = guarded.play(HASTY.name, HASTY.script)
    assert not outcome.landed, outcome.said
    assert HASTY.said in outcome.said
    now = guarded.shop.main_files()
    assert {path: now[path] for path in _FILES} == {path: before[path] for path in _FILES}


def test_a_lowered_threshold_is_red_even_if_a_person_allowed_steering_files(
    guarded: Stage,
) -> None:
    guarded.play("G-10", "sed -i 's/--fail-under 90/--fail-under 60/' noxfile.py\n")
    pull = guarded.shop.pull("Make the g-10 work")
    guarded.shop.comment(pull["number"], f"/headgate allow {pull['head']['sha']}")
    guarded.shop.work()
    head = guarded.shop.pull("Make the g-10 work")["head"]["sha"]
    assert "1 threshold lowered" in guarded.shop.checks(head)["headgate/verdict"].summary
    assert "--fail-under 90" in guarded.shop.main_files()["noxfile.py"]


def test_a_gate_for_some_paths_does_not_stop_work_on_others(guarded: Stage) -> None:
    outcome = guarded.play("G-18", "echo 'A hasty word.' >docs/word.md\n")
    assert outcome.landed, outcome.said
