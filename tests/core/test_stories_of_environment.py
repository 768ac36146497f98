"""`environment` names what setup gets from a runner; it is strict and part of a result's key."""

import pytest

from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.state.evidence import Judged, keys_of
from bot.core.state.pauses import needs_of_gates
from bot.core.values.ids import Sha
from tests.core.kit import approved
from tests.core.values import GATES, beside, policy

NAMED = GATES + "environment:\n  variables: [NPM_TOKEN]\n  ca_files: [/etc/ssl/acme.pem]\n"
SETUP = "setup:\n  - npm ci\n"
JUDGED = Judged(commit=Sha("a" * 40), tree=Sha("b" * 40))


def test_orders_name_environment_variables_without_values() -> None:
    world = approved(beside(1), NAMED + SETUP)
    world.work()
    assert {o.environment.variables for o in world.orders.values()} == {("NPM_TOKEN",)}
    assert {o.environment.ca_files for o in world.orders.values()} == {("/etc/ssl/acme.pem",)}


def test_a_result_under_another_environment_is_not_reused() -> None:
    plain, named = policy(GATES), policy(NAMED)
    assert keys_of(plain, JUDGED) != keys_of(named, JUDGED)
    more = NAMED.replace("[NPM_TOKEN]", "[NPM_TOKEN, PIP_INDEX_URL]")
    assert keys_of(named, JUDGED) != keys_of(policy(more), JUDGED)


def test_a_corrected_environment_ends_the_wait_for_setup() -> None:
    plain, named = policy(GATES + SETUP), policy(NAMED + SETUP)
    assert needs_of_gates(plain, plain.gates) != needs_of_gates(named, named.gates)


@pytest.mark.parametrize(
    "name",
    [
        *("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "GITHUB_TOKEN", "HEADGATE_READ_TOKEN", "RUNNER_TEMP"),
        *("LD_PRELOAD", "actions_x", "PATH", "HOME", "two words", "A=B", ""),
    ],
)
def test_variables_of_github_and_headgate_cannot_be_named(name: str) -> None:
    read = read_policy(f'version: 1\nenvironment: {{variables: ["{name}"]}}\n')
    assert isinstance(read, PolicyRefusal)
    assert "environment.variables" in read.findings[0].question


@pytest.mark.parametrize("name", ["NPM_TOKEN", "_X", "LDAP_URL", "PATHS", "pip_index_url"])
def test_any_other_variable_can_be_named(name: str) -> None:
    read = read_policy(f"version: 1\nenvironment: {{variables: [{name}]}}\n")
    assert isinstance(read, Policy)
    assert read.environment.variables == (name,)


def test_a_ca_file_needs_an_absolute_path() -> None:
    read = read_policy("version: 1\nenvironment: {ca_files: [certs/acme.pem]}\n")
    assert isinstance(read, PolicyRefusal)
