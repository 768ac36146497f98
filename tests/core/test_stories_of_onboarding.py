"""The first pull of a repository, as decided: offered once, followed until all is there."""

import pytest

from bot.core.decide.decide import decide
from bot.core.journal.effects import Effect, OfferGates, PostComment, PublishCheckRun, RunSelfTest
from bot.core.journal.events import EffectIntended, TextPublished
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.onboarding import is_onboarding, onboarding_pull
from bot.core.talk.bootstrap import first_policy
from bot.core.talk.links import new_file
from bot.core.values.check_run import Conclusion
from bot.core.values.first_pull import OnboardingSnapshot
from bot.core.values.ids import PullNumber, SpecRunId
from bot.core.values.repository import PullState
from tests.core.kit import EVERYTHING, World
from tests.core.values import FACTS, GATES, policy, sha

PULL = PullNumber(4)
LACKS = {".github/workflows/a.yml": "on: push\n# 1 + 1 & more\n"}


class Newcomer:
    """A repository without a policy; what is seen of its first pull is set by the test."""

    def __init__(self, text: str | None = None) -> None:
        self.world = World(text)
        self.has_policy_file = text is not None
        self.seen: OnboardingSnapshot | None = None

    def intended(self) -> list[Effect]:
        """What one round intends; nothing of it is done."""
        world = self.world
        asked = looks(world.state, EVERYTHING, world.now)
        changed: dict[str, object] = {"onboarding": self.seen if asked.onboarding else None}
        if not self.has_policy_file:
            changed["policy_version"] = ""
        events = decide(world.state, world.observe().model_copy(update=changed), world.now)
        world.write(e for e in events if isinstance(e, TextPublished))
        return [e.effect for e in events if isinstance(e, EffectIntended)]

    def publish(self, subject: str, digest: str = "pull 4") -> None:
        now = self.world.now
        self.world.write((TextPublished(subject=subject, digest=digest, published_at=now),))

    def sees(self, state: PullState, missing: dict[str, str]) -> list[Effect]:
        self.seen = OnboardingSnapshot(pull=PULL, state=state, head=sha("head"), missing=missing)
        return [e for e in self.intended() if isinstance(e, PostComment | PublishCheckRun)]


def test_a_repository_without_a_policy_is_offered_one_once() -> None:
    new = Newcomer()
    (offer,) = [e for e in new.intended() if isinstance(e, OfferGates)]
    assert (offer.spec_run, offer.key) == (SpecRunId(""), "offer:onboarding")
    new.publish("offer:onboarding")
    assert onboarding_pull(new.world.state) == PULL
    assert not [e for e in new.intended() if isinstance(e, OfferGates)]


@pytest.mark.parametrize("text", [GATES, "version: 1\nquiet_seconds: 0\n"])
def test_a_repository_with_a_policy_is_offered_none(text: str) -> None:
    assert not [e for e in Newcomer(text).intended() if isinstance(e, OfferGates)]


def test_a_repository_that_was_offered_gates_gets_no_second_offer() -> None:
    new = Newcomer()
    new.publish("offer:gates")
    assert not [e for e in new.intended() if isinstance(e, OfferGates)]


def test_the_check_waits_while_something_is_missing_and_is_green_then() -> None:
    new = Newcomer()
    new.publish("offer:onboarding")
    (waits,) = new.sees(PullState.OPEN, LACKS)
    assert isinstance(waits, PublishCheckRun)
    assert (waits.text.conclusion, waits.text.title) == (None, "1 file missing")
    new.publish(f"check:onboarding:{sha('head')}", waits.text_digest)
    assert new.sees(PullState.OPEN, LACKS) == []
    (green,) = new.sees(PullState.OPEN, {})
    assert isinstance(green, PublishCheckRun)
    assert (green.text.conclusion, green.updates) == (Conclusion.SUCCESS, True)


def test_the_self_test_of_the_first_merge_is_made_once() -> None:
    new = Newcomer()
    new.publish("offer:onboarding")
    new.sees(PullState.MERGED, LACKS)
    assert not [e for e in new.intended() if isinstance(e, RunSelfTest)]
    new.seen = OnboardingSnapshot(pull=PULL, state=PullState.MERGED, head=sha("head"), missing={})
    (test,) = [e for e in new.intended() if isinstance(e, RunSelfTest)]
    assert int(test.issue) == PULL
    # Its answer came before the greeting was out.
    new.publish(f"comment:{test.subject}", "text")
    assert not [e for e in new.intended() if isinstance(e, RunSelfTest)]


def test_a_merge_is_greeted_once() -> None:
    new = Newcomer()
    new.publish("offer:onboarding")
    assert is_onboarding(new.world.state)
    (greeting,) = new.sees(PullState.MERGED, {})
    assert isinstance(greeting, PostComment)
    assert int(greeting.issue) == PULL
    assert "is ready here" in greeting.text
    new.publish("comment:onboarding greeting", "text")
    assert new.sees(PullState.MERGED, {}) == []
    assert not is_onboarding(new.world.state)


def test_a_merge_without_workflows_lists_missing_files_and_greets_later() -> None:
    new = Newcomer()
    new.publish("offer:onboarding")
    (lacks,) = new.sees(PullState.MERGED, LACKS)
    assert isinstance(lacks, PostComment)
    assert "/new/main?filename=" in lacks.text
    new.publish("comment:onboarding lacks", "text")
    assert new.sees(PullState.MERGED, LACKS) == []
    (greeting,) = new.sees(PullState.MERGED, {})
    assert isinstance(greeting, PostComment)
    assert "is ready here" in greeting.text


def test_a_closed_first_pull_is_no_longer_watched() -> None:
    new = Newcomer()
    new.publish("offer:onboarding")
    assert new.sees(PullState.CLOSED, LACKS) == []
    assert not is_onboarding(new.world.state)
    assert not [e for e in new.intended() if isinstance(e, OfferGates)]


def test_the_first_pull_is_looked_at_together_with_main() -> None:
    new = Newcomer()
    hint = (Hint(kind=HintKind.PULL, number=PULL),)
    assert not looks(new.world.state, hint, new.world.now).onboarding
    new.publish("offer:onboarding")
    asked = looks(new.world.state, hint, new.world.now)
    assert (asked.onboarding, asked.main) == (True, True)
    assert not looks(new.world.state, (), new.world.now).onboarding


def test_a_link_carries_the_whole_file() -> None:
    (path, text) = next(iter(LACKS.items()))
    assert new_file(FACTS, "headgate/first-gates", path, text) == (
        "https://github.test/acme/shop/new/headgate/first-gates"
        "?filename=.github%2Fworkflows%2Fa.yml&value=on%3A%20push%0A%23%201%20%2B%201%20%26%20more%0A"
    )


@pytest.mark.parametrize(
    ("paths", "texts", "lines"),
    [
        (
            {"package.json", "pnpm-lock.yaml"},
            {"package.json": '{"scripts": {"test": "vitest", "lint": "eslint ."}}'},
            ["pnpm install --frozen-lockfile", "registry.npmjs.org", "pnpm run lint"],
        ),
        (
            {"package.json"},
            {
                "package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'
            },
            ["npm run build --if-present"],
        ),
        ({"package.json"}, {"package.json": "[not json"}, ["npm test"]),
        ({"pyproject.toml", "uv.lock"}, {}, ["uv sync --locked", "pypi.org", "uv run python"]),
        (
            {"pyproject.toml"},
            {"pyproject.toml": "[project]\nname = 'x'\n"},
            [".venv/bin/pip install -e .", "files.pythonhosted.org"],
        ),
        ({"requirements.txt"}, {}, ["-r requirements.txt"]),
        ({"go.mod", "go.sum"}, {}, ["go mod download", "proxy.golang.org"]),
        ({"Cargo.toml", "Cargo.lock"}, {}, ["cargo fetch --locked", "static.crates.io"]),
        (
            {"Makefile"},
            {"Makefile": "CC := gcc\nlint: all\ncheck:\n\tsh x\n"},
            ["make lint", "make check"],
        ),
    ],
)
def test_the_first_policy_knows_set_up_and_hosts(
    paths: set[str], texts: dict[str, str], lines: list[str]
) -> None:
    text = first_policy(paths, texts)
    for line in lines:
        assert line in text
    assert policy(text).required_gates
    assert "no test specified" not in text
