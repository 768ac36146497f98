"""What an owner gets wrong is told in a sentence that names the thing and the fix."""

from datetime import timedelta

import pytest
from pydantic import SecretStr

from bot.adapters.github.registration import AppProblem
from bot.core.spec.policy import PolicyRefusal, read_policy
from bot.entry.commands.app_trouble import app_trouble
from bot.entry.settings import Settings

SETTINGS = Settings(_env_file=None, app_id=7)


@pytest.mark.parametrize(
    ("problem", "thing", "fix"),
    [
        (AppProblem.NO_KEY, "not an RSA key", "HEADGATE_PRIVATE_KEY_FILE"),
        (AppProblem.WRONG_KEY, "the key for App 7", "generate a private key"),
        (AppProblem.NO_SUCH_APP, "no App with the id 7", "HEADGATE_APP_ID"),
        (AppProblem.CLOCK_OFF, "10 min 0 s ahead", "timedatectl set-ntp true"),
        (AppProblem.UNREACHABLE, "cannot be reached", "HEADGATE_GITHUB_API_URL"),
        (AppProblem.REFUSED, "refuses the request", "githubstatus.com"),
    ],
)
def test_each_problem_of_an_app_names_the_cause_and_the_fix(
    problem: AppProblem, thing: str, fix: str
) -> None:
    says, how = app_trouble(problem, "status 401", timedelta(minutes=10), SETTINGS)
    assert thing in says
    assert fix in how


def test_a_key_in_the_settings_must_be_removed_before_a_key_file_counts() -> None:
    """What `headgate setup` writes holds the key itself, which counts before a file with one."""
    made = SETTINGS.model_copy(update={"private_key": SecretStr("a key")})
    for problem in (AppProblem.NO_KEY, AppProblem.WRONG_KEY):
        _, how = app_trouble(problem, "", timedelta(0), made)
        assert "and unset HEADGATE_PRIVATE_KEY, which has priority" in how


def test_every_problem_of_an_app_has_a_case() -> None:
    told = [app_trouble(problem, "", timedelta(0), SETTINGS) for problem in AppProblem]
    assert len(set(told)) == len(AppProblem)


def test_an_unknown_builtin_gate_is_reported() -> None:
    refused = read_policy("version: 1\ngates:\n  tested:\n    builtin: test\n")
    assert isinstance(refused, PolicyRefusal)
    (finding,) = refused.findings
    assert (finding.line, finding.quote) == (4, "test")
    assert "`gates.tested.builtin`" in finding.question
    assert "'tests'" in finding.question
