"""The messages of the built-in agent, kept below the model's context window.

Above half of the window old tool results are cleared, all at once, because each clearing makes the
server's cache of what follows worthless. Above 70 % the model writes down where it stands, and a
new conversation begins with that. What a model has seen is never lost: files and git tell it again.
"""

from collections.abc import Iterator
from typing import cast

from anthropic.types import (
    CacheControlEphemeralParam,
    ContentBlock,
    ContentBlockParam,
    Message,
    MessageParam,
    TextBlock,
    TextBlockParam,
    ThinkingBlock,
    ToolResultBlockParam,
)

# The smallest window of the models that agents are ordered with; a model with less says so itself.
WINDOW_TOKENS = 200_000
CLEAR_ABOVE = 0.5
COMPACT_ABOVE = 0.7
# The newest results are what the model works with; a short one is not worth clearing.
RESULTS_KEPT = 8
CLEARED_CHARACTERS_MIN = 400
# A clearing that frees less than this is not worth the cache that it costs.
_FREED_SHARE_MIN = 0.1
_CHARACTERS_PER_TOKEN = 4
_CLEARED = "[cleared to make room: {count:,} characters. Ask again if you need them.]"
_CACHED = CacheControlEphemeralParam(type="ephemeral")

WRITE_DOWN = (
    "This conversation is nearly as long as it may be. It ends here, and another one goes on in the "
    "same work tree with nothing but the task and what you write now. Call no tool. Write down: what "
    "is done, what is left, which commands build and test this project, which files matter and why, "
    "what you decided, and what you tried that did not work."
)
_WRITTEN = "\n\n# Where you stand\n\nYou wrote this down when your last conversation was full:\n\n"
_NOT_WRITTEN = (
    "\n\n# Where you stand\n\nYou have worked on this already, and your last conversation was full. "
    "Your work is in the tree: `git status` and `git diff` show it."
)


class Conversation:
    def __init__(self, task: str) -> None:
        self._task = task
        self.messages: list[MessageParam] = [{"role": "user", "content": task}]
        self._tokens = 0

    def add_answer(self, answer: Message) -> None:
        """Keep what the model said, and how full the window is with it."""
        used = answer.usage
        read = (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
        self._tokens = (used.input_tokens or 0) + read + (used.output_tokens or 0)
        # As plain values: a block of the client's takes many times its text.
        kept = [block for block in answer.content if _is_taken_back(block)]
        content = [cast("ContentBlockParam", _plain(block)) for block in kept]
        if content:
            self.messages.append({"role": "assistant", "content": content})

    def add_results(self, results: list[ToolResultBlockParam], notice: str) -> None:
        """Answer the model's calls; the newest results and the ones before carry a cache mark."""
        results[-1]["cache_control"] = _CACHED
        for block in list(self._results())[:-1]:
            block.pop("cache_control", None)
        said = [TextBlockParam(type="text", text=notice)] if notice else []
        self.messages.append({"role": "user", "content": [*results, *said]})

    def say(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def make_room(self) -> bool:
        """Clear old results if the window is half full; says whether it is too full even so."""
        if self._tokens > CLEAR_ABOVE * WINDOW_TOKENS:
            freed = sum(len(str(block.get("content", ""))) for block in self._clearable())
            if freed > _FREED_SHARE_MIN * WINDOW_TOKENS * _CHARACTERS_PER_TOKEN:
                self.clear_results()
                self._tokens -= freed // _CHARACTERS_PER_TOKEN
        return self._tokens > COMPACT_ABOVE * WINDOW_TOKENS

    def clear_results(self) -> None:
        for block in list(self._clearable()):
            count = len(str(block.get("content", "")))
            block["content"] = _CLEARED.format(count=count)

    def begin_anew(self, written_down: str | None) -> None:
        """Go on with the task and what the model wrote down, if it did."""
        where = _WRITTEN + written_down if written_down else _NOT_WRITTEN
        self.messages = [{"role": "user", "content": self._task + where}]
        self._tokens = 0

    def _results(self) -> Iterator[ToolResultBlockParam]:
        for message in self.messages:
            if not isinstance(message["content"], str):
                for block in message["content"]:
                    if isinstance(block, dict) and block["type"] == "tool_result":
                        yield block

    def _clearable(self) -> Iterator[ToolResultBlockParam]:
        results = list(self._results())
        for block in results[: max(0, len(results) - RESULTS_KEPT)]:
            if len(str(block.get("content", ""))) > CLEARED_CHARACTERS_MIN:
                yield block


def _is_taken_back(block: ContentBlock) -> bool:
    """The API answers with empty texts and with thoughts that were cut off, and refuses both
    (github.com/anthropics/anthropic-sdk-python#461).
    """
    match block:
        case TextBlock():
            return bool(block.text.strip())
        case ThinkingBlock():
            return bool(block.signature)
        case _:
            return True


def _plain(block: ContentBlock) -> dict[str, object]:
    """What the client itself would send of a block that it is given."""
    left_out = getattr(block, "__api_exclude__", None)
    return block.model_dump(mode="json", exclude_unset=True, by_alias=True, exclude=left_out)
