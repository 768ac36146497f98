"""What people are told where GitHub merges a pull for Headgate: refusals, and what was not judged."""

import re

from bot.core.talk.text import code, inert
from bot.core.values.ids import PullNumber, Sha

_WORDS_SHOWN = 600
# The first that matches counts.
_NEXT = (
    (
        r"merge queue",
        "A merge queue of GitHub's is in the way: take its rule out, or let the App bypass it",
    ),
    (r"approving review|code owner|changes.requested", "Somebody who may has to review it"),
    (r"status check", "That check must be green on the pull's head"),
    (
        r"are not allowed on this repository",
        "Allow one method of merging in both the rule and the repository's settings",
    ),
    (r"conversation", "Resolve the conversations of the pull"),
    (r"not mergeable|conflict", "The pull must be without conflicts and out of draft"),
)
_ELSE = "See what GitHub names"


def merge_refused(number: PullNumber, words: str) -> str:
    """GitHub's own words, and what to do next."""
    mend = next((said for asked, said in _NEXT if re.search(asked, words, re.IGNORECASE)), _ELSE)
    said = inert(words, _WORDS_SHOWN).rstrip(".")
    return (
        f"GitHub does not merge #{number}: {said}. {mend}; Headgate tries again in a few minutes."
    )


def not_judged(number: PullNumber, merged_as: Sha, base: Sha) -> str:
    """Main had moved between the look and the merge."""
    return (
        f"GitHub merged #{number} as {code(merged_as[:12])}, but not on {code(base[:12])}, for which its candidate "
        "was judged: somebody moved main in that moment. Nobody has judged this tree, so its gates run on "
        "main now. Red, they freeze the queue; they blame nobody's work."
    )
