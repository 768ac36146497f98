"""Comments of reviews on changes' pulls, which agents hear as they hear `/headgate tell`.

Each is read once. Who may write is told by a reaction that it counts. What others say is left to
people, and leaves no trace: anybody may comment on a public repository, and the journal does not
grow by that.
"""

from bot.core.decide.changes.tell_agents import hears, tell_from_review
from bot.core.decide.decision import Decision
from bot.core.journal.effects import ReactToReview
from bot.core.journal.events import ReviewCommentRead, ReviewCommentsSeen
from bot.core.journal.state import ChangeFacts
from bot.core.state.reviews import is_news, reviewed_change
from bot.core.talk import told_text
from bot.core.talk.commands import ROWS, read_commands
from bot.core.values.command import Verb
from bot.core.values.repository import Role
from bot.core.values.review import ReviewComment, ReviewCommentWithRole


def next_steps(decision: Decision) -> None:
    for found in decision.observed.reviews.comments:
        change = reviewed_change(decision.state, found.comment.pull)
        if change is not None and is_news(decision.state, found.comment):
            _read(decision, change, found)
    seen_to, known_to = decision.observed.reviews.seen_to, decision.state.reviews_seen_to
    if seen_to is not None and (known_to is None or seen_to > known_to):
        decision.emit(ReviewCommentsSeen(up_to=seen_to))


def _read(decision: Decision, change: ChangeFacts, found: ReviewCommentWithRole) -> None:
    comment = found.comment
    if not found.role.covers(ROWS[Verb.TELL].role or Role.WRITE):
        return
    refused = told_text.command_in_review() if read_commands(comment.body) else ""
    refused = refused or tell_from_review(decision, change, comment)
    decision.emit(
        ReviewCommentRead(
            change=change.id,
            comment=comment.id,
            author=comment.author,
            outcome="refused" if refused else "told",
        )
    )
    decision.intend(ReactToReview(comment=comment.id, content="confused" if refused else "rocket"))
    if refused:
        _say_once(decision, change, comment, "refused", refused)
    elif not hears(decision, change):
        said = told_text.review_heard_later(change)
        _say_once(decision, change, comment, f"later {change.attempt}", said)


def _say_once(
    decision: Decision, change: ChangeFacts, comment: ReviewComment, what: str, text: str
) -> None:
    """A review has many comments; one sentence about them is enough."""
    decision.comment_once(comment.pull, f"review {change.id} {what}", text)
