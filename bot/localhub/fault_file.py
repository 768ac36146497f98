"""A file of faults: a YAML or JSON list. Errors name the line and the nearest known word.

A fault that could never match is refused when the file is read.
"""

import difflib
from collections.abc import Callable, Collection
from pathlib import Path

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from bot.localhub.faults import (
    FIELDS,
    REQUEST_ONLY,
    WEBHOOK,
    WEBHOOK_ONLY,
    Fault,
    FaultKind,
    FaultPlan,
)
from bot.localhub.webhooks import EVENT_PERMISSIONS

METHODS = ("*", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", WEBHOOK)
# Events that every App gets without subscribing.
EVENTS = (*EVENT_PERMISSIONS, "installation", "installation_repositories", "ping")


# Makes an error of a key and what is wrong with it.
_Refusing = Callable[[str, str], "FaultFileError"]


class FaultFileError(ValueError):
    """An invalid file of faults; the text says where and why."""


def plant_file(plan: FaultPlan, path: Path) -> None:
    """Put every fault of a file in force. Raises `FaultFileError`, and then none is."""
    for fault in read_faults(path.read_text(encoding="utf-8"), path.name):
        plan.add(fault)


def read_faults(text: str, name: str) -> tuple[Fault, ...]:
    """The faults of a text; `name` is the file's name in errors. Raises `FaultFileError`."""
    try:
        loaded: object = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise FaultFileError(f"{name}, line {line}: {error.problem or 'not YAML'}.") from error
    except YAMLError as error:
        raise FaultFileError(f"{name}: {error}") from error
    if not isinstance(loaded, CommentedSeq):
        raise FaultFileError(f"{name}, line 1: a list of faults is required, `- kind: drop`.")
    return tuple(_fault(loaded, position, name) for position in range(len(loaded)))


def _fault(loaded: CommentedSeq, position: int, name: str) -> Fault:
    entry = loaded[position]
    line = loaded.lc.item(position)[0] + 1
    if not isinstance(entry, CommentedMap):
        raise FaultFileError(f"{name}, line {line}: a fault must be a mapping, `kind: drop`.")

    def refusal(key: str, sentence: str) -> FaultFileError:
        where = entry.lc.key(key)[0] + 1 if key in entry else line
        return FaultFileError(f"{name}, line {where}: {sentence}")

    kinds = [kind.value for kind in FaultKind]
    if entry.get("kind") not in kinds:
        word = f"`{entry['kind']}` is not a kind" if "kind" in entry else "`kind` is missing"
        raise refusal("kind", f"{word}; {_nearest(str(entry.get('kind')), kinds)}")
    kind = FaultKind(entry["kind"])
    for key in entry:
        _check_key(str(key), kind, refusal)
    settings = {str(key): value for key, value in entry.items()}
    if kind in WEBHOOK_ONLY:
        settings.setdefault("method", WEBHOOK)
    try:
        fault = Fault.model_validate(settings)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        raise refusal(key, f"`{key}`: {first['msg']}.") from error
    _check_place(fault, refusal)
    return fault


def _check_key(key: str, kind: FaultKind, refusal: _Refusing) -> None:
    known = ("kind", *FIELDS[kind])
    if key in Fault.model_fields and key not in known:
        meant = ", ".join(FIELDS[kind])
        raise refusal(key, f"`{key}` does not apply to `{kind}`; settings that do: {meant}.")
    if key not in known:
        raise refusal(key, f"`{key}` is not a setting of a fault; {_nearest(key, known)}")


def _check_place(fault: Fault, refusal: _Refusing) -> None:
    if fault.method not in METHODS:
        sentence = f"`{fault.method}` is not a method; {_nearest(fault.method, METHODS)}"
        raise refusal("method", sentence)
    if fault.kind in WEBHOOK_ONLY and fault.method != WEBHOOK:
        raise refusal("method", f"`{fault.kind}` applies to webhooks: `method: {WEBHOOK}`.")
    if fault.kind in REQUEST_ONLY and fault.method == WEBHOOK:
        raise refusal("method", f"`{fault.kind}` applies to requests, not webhooks.")
    event = fault.path_glob.partition(".")[0]
    if fault.method == WEBHOOK and not set(event) & set("*?[") and event not in EVENTS:
        raise refusal("path_glob", f"`{event}` is not an event; {_nearest(event, EVENTS)}")
    if fault.method != WEBHOOK and fault.path_glob[:1] not in ("/", "*"):
        raise refusal("path_glob", f"`{fault.path_glob}` matches no path: they begin with `/`.")


def _nearest(word: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known)}."
