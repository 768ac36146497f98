"""Ready-made values for the tests of the core: a repository, a policy, SHAs, specs, results."""

import hashlib
from datetime import UTC, datetime

from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Spec
from gates.result import Ending, GateResult, Judges
from tests.core.plan.kit import PATH, requirement, spec

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

FACTS = RepositoryFacts(
    id=RepositoryId(7),
    full_name="acme/shop",
    default_branch="main",
    installation_id=InstallationId(3),
    clone_url="https://github.test/acme/shop.git",
    html_url="https://github.test/acme/shop",
    bot_login="headgate[bot]",
    bot_id=99,
    app_id=5,
)

GATES = """\
version: 1
quiet_seconds: 0
gates:
  test:
    run: make test
    repeat: 0
  scope_check:
    builtin: scope_check
  lint:
    run: make lint
    required: false
"""


def sha(text: str) -> Sha:
    """A SHA that stands for a text."""
    return Sha(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


def policy(text: str = GATES) -> Policy:
    """The policy that a text means; the text is expected to be good."""
    read = read_policy(text)
    assert isinstance(read, Policy), read
    return read


def policy_refusal(text: str) -> PolicyRefusal:
    """Why a text is no policy."""
    read = read_policy(text)
    assert isinstance(read, PolicyRefusal), read
    return read


def chain() -> Spec:
    """Three changes: `cart`, then `till` after it, and `books` beside them."""
    return spec(
        requirement("A", "cart"),
        requirement("B", "till", after=["A"]),
        requirement("C", "books"),
    )


def beside(count: int) -> Spec:
    """So many changes that wait for nothing."""
    return spec(*(requirement(f"R{n}", f"domain{n}") for n in range(count)))


def result(
    gate: str, ending: Ending = Ending.PASSED, judges: Judges = Judges.TREE, sentence: str = ""
) -> GateResult:
    """What a gate said."""
    return GateResult(gate=gate, judges=judges, ending=ending, sentence=sentence or str(ending))


__all__ = [
    "FACTS",
    "GATES",
    "PATH",
    "START",
    "beside",
    "chain",
    "policy",
    "policy_refusal",
    "requirement",
    "result",
    "sha",
    "spec",
]
