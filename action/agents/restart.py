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
        return Restart(False, "A new conversation: the program names none to go on with.")
    if last is not None and last.tokens > CONTEXT_TOKENS_MAX:
        return Restart(
            False,
            f"A new conversation: the last had {last.tokens:,} tokens, and goes on up to "
            f"{CONTEXT_TOKENS_MAX:,}.",
        )
    if last is not None and last.age_seconds > AGE_SECONDS_MAX:
        minutes, most = int(last.age_seconds // 60), int(AGE_SECONDS_MAX // 60)
        return Restart(
            False,
            f"A new conversation: the last was answered {minutes} minutes ago, and goes on up to {most}.",
        )
    return Restart(True, "The same conversation goes on.")


NOT_RESUMED = Restart(False, "A new conversation: the program could not go on with the last one.")
