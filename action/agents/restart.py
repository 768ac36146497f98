"""Whether a program that is started again within its order goes on in its conversation, or begins anew.

The rules are a table, the first that fits decides, and each start says which one. The tree is the same in
either case, and so is the task.
"""

from dataclasses import dataclass

from action.agents.budget import LastAnswer

# As for the built-in agent, which sums a longer conversation up and begins a new one.
WINDOW_TOKENS = 200_000
CONTEXT_TOKENS_MAX = int(0.7 * WINDOW_TOKENS)
# No provider keeps what it has read for longer ("Prompt caching", `ttl`): all of it would be paid for again.
AGE_SECONDS_MAX = 3_600.0


@dataclass(frozen=True)
class Restart:
    """`goes_on`: in the same conversation; `why` is a sentence."""

    goes_on: bool
    why: str


def restart(session: str, last: LastAnswer | None) -> Restart:
    """How the next start begins, by the conversation's name and what the model answered last."""
    if not session:
        return Restart(False, "A new conversation: the program named no conversation to continue.")
    if last is not None and last.tokens > CONTEXT_TOKENS_MAX:
        return Restart(
            False,
            f"A new conversation: the last one had {last.tokens:,} tokens, and the limit is "
            f"{CONTEXT_TOKENS_MAX:,}.",
        )
    if last is not None and last.age_seconds > AGE_SECONDS_MAX:
        minutes, most = int(last.age_seconds // 60), int(AGE_SECONDS_MAX // 60)
        return Restart(
            False,
            f"A new conversation: the last answer is {minutes} minutes old, and the limit is "
            f"{most}.",
        )
    return Restart(True, "The same conversation continues.")


NOT_RESUMED = Restart(False, "A new conversation: the program could not continue the last one.")
