"""The gate `secrets`: no change brings in a key that a provider issued.

The rules are those of `gates.secret_rules`; what is found is told by its kind and line, never by its text.
A secret that a changed or deleted file held on base is not the change's. A person may mark a line of a
made-up one with `pragma: allowlist secret`; in a change's work that mark counts for nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gates.builtin import BuiltinSubject, Judgement, annotations
from gates.contents import FILES
from gates.result import Ending
from gates.wording import counted, cut_end, shown_path

# As detect-secrets has it: what tools for secrets know already.
ALLOWED = "pragma: allowlist secret"
_IN_THIS_LINE = "This line contains a secret. It must not reach main."
_NAMED = 5
_OF_A_KEY = 200


@dataclass(frozen=True)
class _Found:
    path: str
    line: int
    kind: str
    is_allowed: bool


def check_secrets(subject: BuiltinSubject) -> Judgement:
    paths = sorted(file.path for file in subject.diff.files if file.after in FILES)
    read = subject.after(paths)
    found = list(_found(subject, {path: read[path] for path in paths if path in read}))
    counts = [one for one in found if not (one.is_allowed and subject.settings.is_of_person)]
    unread = [path for path in paths if path not in read]
    told = _told("too large to be searched", [shown_path(path) for path in unread])
    if subject.settings.is_of_person:
        told += _told(f"marked `{ALLOWED}`", [_place(one) for one in found if one.is_allowed])
    if not counts:
        return Judgement(Ending.PASSED, f"No secret in {counted(len(read), 'changed file')}.{told}")
    listed = _listed([f"{_place(one)} {one.kind}" for one in counts])
    return Judgement(
        Ending.FAILED,
        f"{counted(len(counts), 'secret')} in the added lines: {listed}. Anybody who saw this "
        "commit has the secret. Revoke it at its provider, and remove it from the "
        f"commits.{told}",
        annotations((one.path, one.line, one.kind, _IN_THIS_LINE) for one in counts),
    )


def _found(subject: BuiltinSubject, contents: dict[str, bytes]) -> Iterator[_Found]:
    # Imported here: a judge without this gate starts without the rules.
    from gates.secret_rules import readable, secrets_in

    # What a deleted file held may stand at its new place.
    deleted = [file.path for file in subject.diff.files if file.after is None]
    for path, content in contents.items():
        text = readable(content)
        kinds = {one.value: one.kind for one in secrets_in(text)}
        if not kinds:
            continue
        earlier = "\n".join(readable(raw) for raw in subject.before([path, *deleted]).values())
        seen: set[tuple[int, str]] = set()
        for value, kind in kinds.items():
            for at in re.finditer(re.escape(value), text):
                # All private keys begin alike.
                end = at.end() + (_OF_A_KEY if "PRIVATE KEY" in value else 0)
                line = text.count("\n", 0, at.start()) + 1
                if text[at.start() : end] in earlier or (line, kind) in seen:
                    continue
                seen.add((line, kind))
                whole = text[text.rfind("\n", 0, at.start()) + 1 :].partition("\n")[0]
                yield _Found(path, line, kind, ALLOWED in whole)


def _place(one: _Found) -> str:
    return f"{shown_path(one.path)}:{one.line}"


def _listed(places: list[str]) -> str:
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return cut_end(", ".join(places[:_NAMED]), 600) + more


def _told(what: str, places: list[str]) -> str:
    return f" {len(places)} {what}: {_listed(places)}." if places else ""
