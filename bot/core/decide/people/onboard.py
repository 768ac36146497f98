"""The first pull of a repository without a policy: offered once, followed until all is there.

Its check run says what is missing; merging it starts nothing but a greeting and a self-test.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import OfferGates, RunSelfTest
from bot.core.journal.events import TextPublished
from bot.core.state.onboarding import DECLINED, GREETING, OFFERED
from bot.core.talk import onboarding_text
from bot.core.talk.bootstrap import OFFER_BRANCH
from bot.core.talk.text import digest_of
from bot.core.values.check_run import CheckRunText
from bot.core.values.first_pull import OnboardingSnapshot
from bot.core.values.ids import CommentId, IssueNumber, Sha, SpecRunId
from bot.core.values.repository import PullState


def next_steps(decision: Decision) -> None:
    _offer(decision)
    seen = decision.observed.onboarding
    if seen is not None:
        _follow(decision, seen)


def _offer(decision: Decision) -> None:
    main = decision.observed.main
    has_policy = bool(decision.observed.policy_version) or bool(decision.policy.required_gates)
    published = decision.state.published
    was_offered = OFFERED in published or "offer:gates" in published
    if main is None or has_policy or was_offered:
        return
    decision.intend(
        OfferGates(
            spec_run=SpecRunId(""),
            base=main.sha,
            branch=OFFER_BRANCH,
            title=onboarding_text.pull_title(),
            body=onboarding_text.pull_body(),
            at=decision.now,
        )
    )


def _follow(decision: Decision, seen: OnboardingSnapshot) -> None:
    facts = decision.state.facts
    if facts is None:
        return
    match seen.state:
        case PullState.OPEN:
            text = onboarding_text.check(facts, OFFER_BRANCH, seen.missing)
            _publish_check(decision, seen.head, text)
        case PullState.CLOSED:
            # Somebody does not want it: they can write a policy at any time.
            decision.emit(
                TextPublished(subject=DECLINED, digest="closed", published_at=decision.now)
            )
        case PullState.MERGED if seen.missing:
            lacks = onboarding_text.still_missing(facts, seen.missing)
            decision.comment_once(seen.pull, "onboarding lacks", lacks)
        case PullState.MERGED:
            decision.comment_once(seen.pull, GREETING, onboarding_text.greeting())
            _try_all(decision, seen)


def _try_all(decision: Decision, seen: OnboardingSnapshot) -> None:
    """The self-test that nobody asked for in a comment."""
    test = RunSelfTest(issue=IssueNumber(seen.pull), comment=CommentId(0), asked_at=decision.now)
    if f"comment:{test.subject}" not in decision.state.published:
        decision.intend(test)


def _publish_check(decision: Decision, head: Sha, text: CheckRunText) -> None:
    external_id = f"onboarding:{head}"
    digest = digest_of(text.model_dump_json())
    decision.keep_check(head, external_id, text, digest)
