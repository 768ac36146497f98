"""What people are told where GitHub merges a pull for Headgate: refusals, and what was not judged."""

import re

from bot.core.journal.hold import Recall
from bot.core.talk.text import code, inert, login
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.lifecycle import AfterRecall

_WORDS_SHOWN = 600
_QUEUE = "A merge queue of GitHub's is in the way: take its rule out, or let the App bypass it"
# The first that matches counts. A classic protection is not visible to every App: of what it asks for, these
# words are the only sign.
_NEXT = (
    (r"approving review|code owner|changes.requested", "Somebody who may has to review it"),
    (r"status check", "That check must be green on the pull's head"),
    (
        r"are not allowed on this repository",
        "Allow one method of merging in both the rule and the repository's settings",
    ),
    (r"conversation|comments? must be resolved", "Resolve the conversations of the pull"),
    (r"not mergeable|conflict", "The pull must be without conflicts and out of draft"),
)
_ELSE = "See what GitHub names"


def merge_refused(number: PullNumber, words: str) -> str:
    advice = _QUEUE if re.search("merge queue", words, re.IGNORECASE) else _next(words)
    said = inert(words, _WORDS_SHOWN).rstrip(".")
    return (
        f"GitHub does not merge #{number}: {said}. {advice}; Headgate tries again in a few minutes."
    )


def _next(words: str) -> str:
    """What to do next about a refusal in GitHub's words."""
    return next((said for asked, said in _NEXT if re.search(asked, words, re.IGNORECASE)), _ELSE)


def no_queue(number: PullNumber) -> str:
    return (
        f"Headgate does not see #{number} in GitHub's merge queue: its App needs the permission `merge_queues: "
        "write` there. An owner grants it, or lets the App bypass the rule; Headgate tries again in a few minutes."
    )


def not_queued(number: PullNumber, words: str) -> str:
    said = inert(words, _WORDS_SHOWN).rstrip(".")
    return (
        f"GitHub does not take #{number} into its merge queue: {said}. {_next(words)}; Headgate tries again in a "
        "few minutes."
    )


def taken_out(number: PullNumber, reason: str) -> str:
    """Why GitHub took a pull out of its queue; the work is not to blame."""
    why = f", with the reason {code(inert(reason, 60))}" if reason else ""
    return (
        f"GitHub took #{number} out of its merge queue{why}. That convicts nobody: its candidate was judged, and "
        "is put there again in a few minutes, if it is still what main needs."
    )


def recalled_reply(slug: str = "") -> str:
    """The reply to what stops a landing that waits in GitHub's queue."""
    what = code(slug) if slug else "It"
    return (
        f"{what} waits in GitHub's merge queue, and is taken out of it, unless GitHub has merged it by then: "
        "then it has landed."
    )


def was_recalled(number: PullNumber, recall: Recall) -> str:
    """What the pull is told; what stopped it, and what puts it there again."""
    match recall.then:
        case AfterRecall.HELD:
            why = f"{login(recall.by)} holds it; `/headgate release` puts it there again."
        case AfterRecall.LEAVES if recall.by:
            why = f"{login(recall.by)} asked for that."
        case AfterRecall.LEAVES:
            why = recall.why
        case _:
            said = inert(recall.why, _WORDS_SHOWN)
            why = f"{said} It keeps its place, and is put there again when the queue goes on."
    return f"Headgate took #{number} out of GitHub's merge queue. {why}"


def behind_others(number: PullNumber, merged_as: Sha, base: Sha) -> str:
    """Others were merged in between, in GitHub's order."""
    return (
        f"GitHub's merge queue merged #{number} as {code(merged_as[:12])}, behind others, and not on "
        f"{code(base[:12])}, for which its candidate was judged. That tree is judged as a merge group or on main."
    )


def not_judged(number: PullNumber, merged_as: Sha, base: Sha) -> str:
    """Main had moved between the look and the merge."""
    return (
        f"GitHub merged #{number} as {code(merged_as[:12])}, but not on {code(base[:12])}, for which its candidate "
        "was judged: somebody moved main in that moment. Nobody has judged this tree, so its gates run on "
        "main now. Red, they freeze the queue; they blame nobody's work."
    )
