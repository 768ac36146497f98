"""Which scene matches a conversation, and which of its turns is next.

The first scene that matches is played; if none does, the error names for every scene the first
condition that failed.
"""

import json
import re
from dataclasses import dataclass

from bot.localhub.model_server.conversation import Answer, Conversation, RequestError
from bot.localhub.model_server.script import (
    Capture,
    Pattern,
    Scene,
    Script,
    StopReason,
    Turn,
    filled,
    filled_json,
)
from bot.localhub.model_server.tool_names import as_tool_call

# The machine-readable first line of an order's prompt; an agent may put its own text before it.
_ORDER_LINE = re.compile(
    r"^Headgate order (?P<order_id>\S+) change (?P<change>\S+) attempt (?P<attempt>\d+)",
    re.MULTILINE,
)

# An error names at most this many scenes and counts the rest.
_SCENES_NAMED_MAX = 20


@dataclass(frozen=True)
class Mismatch:
    scene: str
    reason: str


def next_answer(script: Script, conversation: Conversation) -> Answer:
    """The next turn of the first scene that matches. Raises RequestError with the reasons."""
    mismatches: list[Mismatch] = []
    for scene in script.scenes:
        cast = _captures(scene, conversation)
        if isinstance(cast, Mismatch):
            mismatches.append(cast)
            continue
        texts = {name: filled(text, cast) for name, text in script.texts.items()}
        return _answer(scene, conversation, {**texts, **cast})
    raise RequestError(_no_scene(mismatches))


def _captures(scene: Scene, conversation: Conversation) -> dict[str, str] | Mismatch:
    order = _ORDER_LINE.search(conversation.task)
    values = {"order_id": "", "change": "", "attempt": "1", **(order.groupdict() if order else {})}
    reason = _mismatch_reason(scene, conversation, int(values["attempt"]))
    if reason is not None:
        return Mismatch(scene.name, reason)
    for name, capture in scene.captures.items():
        found = _captured(capture, conversation.task)
        if found is None:
            return Mismatch(scene.name, f"the capture {name!r} finds nothing in the task")
        values[name] = found
    return values


def _mismatch_reason(scene: Scene, conversation: Conversation, attempt: int) -> str | None:
    match = scene.match
    if match.attempt is not None and attempt != match.attempt:
        return f"it is for attempt {match.attempt}, and this is attempt {attempt}"
    if match.attempt_at_least is not None and attempt < match.attempt_at_least:
        return f"it is for attempt {match.attempt_at_least} or later, and this is {attempt}"
    model: tuple[Pattern, ...] = () if match.model is None else (match.model,)
    places = (
        ("the task", match.task, conversation.task),
        ("the latest message", match.latest, conversation.latest),
        ("the system prompt", match.system, conversation.system),
        ("the model's name", model, conversation.model),
    )
    for place, patterns, text in places:
        for pattern in patterns:
            if not re.search(pattern, text, re.MULTILINE):
                return f"{pattern!r} is not in {place}"
    return None


def _captured(capture: Capture, task: str) -> str | None:
    for pattern in capture.patterns:
        found = re.search(pattern, task, re.MULTILINE)
        if found:
            return found[1] if found.re.groups and found[1] is not None else found[0]
    return capture.otherwise


def _answer(scene: Scene, conversation: Conversation, values: dict[str, str]) -> Answer:
    number = conversation.answers
    if number >= len(scene.turns):
        raise RequestError(
            f"The scene {scene.name!r} has {len(scene.turns)} turns, and the conversation already "
            f"holds {number} answers. Add a turn, or end the conversation where the script ends."
        )
    turn = scene.turns[number]
    calls = tuple(as_tool_call(call, conversation.tools, values) for call in turn.calls)
    names = [call.name for call in calls]
    if conversation.forced_tool is not None and conversation.forced_tool not in names:
        raise RequestError(
            f"The request forces the tool {conversation.forced_tool!r}, and turn {number + 1} of "
            f"the scene {scene.name!r} calls {', '.join(names) or 'nothing'}."
        )
    if conversation.must_call and not names:
        raise RequestError(
            f"The request demands a tool call, and turn {number + 1} of the scene "
            f"{scene.name!r} makes none."
        )
    return Answer(
        scene=scene.name,
        turn=number,
        text=_words(turn, values),
        calls=calls,
        stop_reason=turn.stop_reason or (StopReason.TOOL_USE if calls else StopReason.END_TURN),
        after_seconds=turn.after_seconds,
        fault=turn.fault,
    )


def _words(turn: Turn, values: dict[str, str]) -> str:
    if turn.as_json is not None:
        return json.dumps(filled_json(turn.as_json, values), ensure_ascii=False)
    return filled(turn.text or "", values)


def _no_scene(mismatches: list[Mismatch]) -> str:
    named = [f"{m.scene}: {m.reason}" for m in mismatches[:_SCENES_NAMED_MAX]]
    rest = len(mismatches) - len(named)
    tail = f"; and {rest} more" if rest else ""
    return f"No scene of the script matches this conversation. {'; '.join(named)}{tail}."
