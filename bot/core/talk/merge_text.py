"""What people are told where GitHub merges a pull for Headgate: refusals, and what was not judged."""

import re

from bot.core.journal.hold import Recall
from bot.core.talk.text import code, inert, login
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.lifecycle import AfterRecall

_WORDS_SHOWN = 600
_QUEUE = "GitHub's merge queue prevents this. Remove its rule, or let the App bypass it"
# The first that matches counts. A classic protection is not visible to every App: of what it asks for, these
# words are the only sign.
_NEXT = (
    (
        r"approving review|code owner|changes.requested",
        "Ask for a review by a person whose review counts",
    ),
    (r"status check", "Make that check green on the pull request's head"),
    (
        r"are not allowed on this repository",
        "Allow the same merge method in the rule and in the repository's settings",
    ),
    (r"conversation|comments? must be resolved", "Resolve the conversations of the pull request"),
    (
        r"not mergeable|conflict",
        "Resolve the conflicts of the pull request, and mark it as ready for review",
    ),
)
_ELSE = "Correct what GitHub names"


def merge_refused(number: PullNumber, words: str) -> str:
    advice = _QUEUE if re.search("merge queue", words, re.IGNORECASE) else _next(words)
    said = inert(words, _WORDS_SHOWN).rstrip(".")
    return (
        f"GitHub does not merge #{number}: {said}. {advice}. Headgate tries again in a few minutes."
    )


def _next(words: str) -> str:
    """What to do next about a refusal in GitHub's words."""
    return next((said for asked, said in _NEXT if re.search(asked, words, re.IGNORECASE)), _ELSE)


def no_queue(number: PullNumber) -> str:
    return (
        f"Headgate cannot see #{number} in GitHub's merge queue, because its App lacks the "
        "permission `merge_queues: write`. An owner can grant it, or let the App bypass the "
        "rule. Headgate tries again in a few minutes."
    )


def not_queued(number: PullNumber, words: str) -> str:
    said = inert(words, _WORDS_SHOWN).rstrip(".")
    return (
        f"GitHub does not add #{number} to its merge queue: {said}. {_next(words)}. Headgate "
        "tries again in a few minutes."
    )


def taken_out(number: PullNumber, reason: str) -> str:
    """Why GitHub took a pull out of its queue; the work is not to blame."""
    why = f", with the reason {code(inert(reason, 60))}" if reason else ""
    return (
        f"GitHub removed #{number} from its merge queue{why}. This does not count against the "
        "work, because its candidate has passed. Headgate adds it again in a few minutes if "
        "its candidate still fits main."
    )


def recalled_reply(slug: str = "") -> str:
    """The reply to what stops a landing that waits in GitHub's queue."""
    what = code(slug) if slug else "It"
    return (
        f"{what} waits in GitHub's merge queue. Headgate removes it there, unless GitHub merges "
        "it before that."
    )


def was_recalled(number: PullNumber, recall: Recall) -> str:
    """What the pull is told; what stopped it, and what puts it there again."""
    match recall.then:
        case AfterRecall.HELD:
            why = f"{login(recall.by)} put it on hold. `/headgate release` adds it again."
        case AfterRecall.LEAVES if recall.by:
            why = f"{login(recall.by)} asked for that."
        case AfterRecall.LEAVES:
            why = recall.why
        case _:
            said = inert(recall.why, _WORDS_SHOWN)
            why = f"{said} It keeps its place. Headgate adds it again when the queue continues."
    return f"Headgate removed #{number} from GitHub's merge queue. {why}"


def behind_others(number: PullNumber, merged_as: Sha, base: Sha) -> str:
    """Others were merged in between, in GitHub's order."""
    return (
        f"GitHub's merge queue merged #{number} as {code(merged_as[:12])} behind other pull "
        f"requests. Its candidate was judged on {code(base[:12])}, so gates judge the new tree "
        "as a merge group or on main."
    )


def not_judged(number: PullNumber, merged_as: Sha, base: Sha) -> str:
    """Main had moved between the look and the merge."""
    return (
        f"GitHub merged #{number} as {code(merged_as[:12])}, but its candidate was judged on "
        f"{code(base[:12])}: main moved at that moment. No gate has judged the new tree, so the "
        "gates run on main now. If they are red, the queue freezes, but no change is blamed."
    )
