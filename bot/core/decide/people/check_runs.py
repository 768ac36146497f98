"""Check runs, created and kept true."""

from bot.core.decide.decision import Decision
from bot.core.journal.evolve_forgotten import OPEN
from bot.core.talk.text import digest_of
from bot.core.values.check_run import CheckRunText
from bot.core.values.ids import Sha


def publish_check(decision: Decision, sha: Sha, external_id: str, text: CheckRunText) -> None:
    digest = digest_of_check(text)
    if text.conclusion is None:
        # With the commit: `replaced_checks` reads it from here, when the state has forgotten it.
        digest = f"{OPEN}{sha}:{digest}"
    decision.keep_check(sha, external_id, text, digest)


def digest_of_check(text: CheckRunText) -> str:
    """What is remembered of a text that was published."""
    # What a text did not have when it was published is no part of its digest.
    later = None if text.is_queued else {"is_queued"}
    return digest_of(text.model_dump_json(exclude=later))
