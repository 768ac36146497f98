"""`/headgate allow` at a person's pull: this head may edit what others are judged by."""

from bot.core.decide.decision import Decision
from bot.core.decide.people.allow_steering import SHA_CHARACTERS_MIN
from bot.core.journal.events import PullAllowed
from bot.core.journal.state import QueuedPull
from bot.core.talk import queue_text
from bot.core.talk.asked_command import AskedCommand, Reply, refuse, reply
from bot.core.values.lifecycle import QueuedPullState


def allow_rules(decision: Decision, pull: QueuedPull, asked: AskedCommand) -> Reply:
    """It may be said before anybody knows what the head edits; another head needs another word."""
    named = asked.argument.strip().strip("`").lower()
    if pull.has_left:
        return refuse(queue_text.not_in_queue())
    if pull.state is QueuedPullState.LANDING:
        return refuse(queue_text.is_landing())
    if not asked.role.covers(queue_text.RULES_ROLE):
        return refuse(queue_text.word_not_permitted(asked.author, asked.role))
    if len(named) < SHA_CHARACTERS_MIN or not pull.head.startswith(named):
        return refuse(queue_text.another_head(named, pull))
    if not pull.allowed_by:
        decision.emit(PullAllowed(number=pull.number, head=pull.head, by=asked.author))
    return reply(queue_text.allowed_reply(pull, pull.allowed_by or asked.author))
