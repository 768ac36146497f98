"""Answers threads of reviews on changes' pulls, and resolves what was fixed."""

from bot.core.journal import effects as ef
from bot.core.journal.events import Event, ThreadAnswered
from bot.core.talk.text import cut, marker
from bot.core.values.repository import Role
from bot.core.values.review import ReviewThread
from bot.shell.perform_task import Task


def answer_thread(task: Task[ef.AnswerThread]) -> tuple[Event, ...]:
    """Answer once, found again by its marker among our own comments; then resolve, where nothing was said
    since.

    The thread is read in any case: a person may have been there in between.
    """
    effect = task.effect
    found = task.ports.forge.review_threads(task.facts, effect.pull)
    thread = next((one for one in found if one.root == effect.thread), None)
    if thread is None:
        # Its first comment was deleted: nobody waits for an answer.
        return (_answered(effect, is_resolved=True),)
    if _needs_answer(thread, effect):
        body = cut(f"{marker(effect.subject)}\n{effect.text}")
        task.ports.forge.reply_to_review(task.facts, effect.pull, effect.thread, body)
    is_resolved = thread.is_resolved
    if effect.resolves and not is_resolved and not _is_spoken_in(task, thread):
        is_resolved = task.ports.forge.resolve_thread(task.facts, thread.id)
    return (_answered(effect, is_resolved=is_resolved),)


def _needs_answer(thread: ReviewThread, effect: ef.AnswerThread) -> bool:
    mark = marker(effect.subject)
    is_there = any(one.is_ours and mark in one.body for one in thread.comments)
    is_settled = thread.is_resolved and not effect.was_resolved
    return not is_there and not is_settled


def _is_spoken_in(task: Task[ef.AnswerThread], thread: ReviewThread) -> bool:
    """Whether somebody who may write said something that the agent did not know."""
    news = {c.author for c in thread.comments if c.id > task.effect.up_to and not c.is_ours}
    roles = (task.ports.forge.role(task.facts, author) for author in news if author)
    return any(role.covers(Role.WRITE) for role in roles)


def _answered(effect: ef.AnswerThread, *, is_resolved: bool) -> ThreadAnswered:
    return ThreadAnswered(
        change=effect.change,
        thread=effect.thread,
        order=effect.order,
        up_to=effect.up_to,
        is_resolved=is_resolved,
    )
