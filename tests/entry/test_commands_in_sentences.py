"""Commands that stand inside the documents' sentences: the program, the options and the targets are there."""

import re
import shlex

import pytest
from typer.main import get_command

from bot.core.values.command import Verb
from bot.entry.cli import app
from tests.entry.documented import PAGES, ROOT

_FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_PLACEHOLDER = re.compile(r"<[^>]*>")
_SPAN = re.compile(r"`([^`]+)`")
_TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
# Not ours: a line of an example's policy.
_OF_A_TEAM = {"build"}


def spans(page: str) -> list[str]:
    """The pieces of code in a page's sentences, each on one line."""
    text = _FENCED.sub("", (ROOT / page).read_text())
    return [" ".join(span.split()) for span in _SPAN.findall(text)]


def trouble(span: str) -> str:
    """What is wrong with a command as it stands there; empty where it may be typed, or is none."""
    said = span.removeprefix(".venv/bin/")
    if said.startswith("make "):
        target = said.split()[1]
        return "" if target in {*_TARGETS, *_OF_A_TEAM} else f"no target {target}"
    if said.startswith("/headgate "):
        verb = said.split()[1].rstrip("…")
        return "" if not verb.isalpha() or verb in set(Verb) else f"no command {verb}"
    if not said.startswith("headgate "):
        return ""
    return _typed(get_command(app), shlex.split(_PLACEHOLDER.sub("X", said))[1:])


def _typed(command: object, words: list[str]) -> str:
    """By the parameters that the command line has; typer's own parser is private."""
    while words and words[0][0] != "-" and (below := getattr(command, "commands", {})):
        if words[0] not in below:
            return f"no command {words[0]}"
        command, words = below[words[0]], words[1:]
    known = getattr(command, "params", ())
    flags = {n: getattr(one, "is_flag", False) for one in known for n in _names(one)}
    flags["--help"] = True
    room = sum(one.nargs for one in known if one.param_type_name == "argument")
    waiting = iter(words)
    for word in waiting:
        name = word.partition("=")[0]
        if not word.startswith("-"):
            room -= 1
        elif name not in flags:
            return f"no option {name}"
        elif "=" not in word and not flags[name]:
            # In a sentence the option may stand without its value.
            next(waiting, None)
    is_open = any(one.nargs < 0 for one in known)
    return "" if room >= 0 or is_open else "too many words"


def _names(parameter: object) -> list[str]:
    return [*getattr(parameter, "opts", ()), *getattr(parameter, "secondary_opts", ())]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_in_a_sentence_can_be_typed(page: str) -> None:
    wrong = {span: why for span in spans(page) if (why := trouble(span))}
    assert wrong == {}


@pytest.mark.parametrize(
    "span",
    ["make tea", "headgate fly", "headgate doctor --loud", "headgate queue now", "/headgate fly"],
)
def test_a_missing_command_in_a_sentence_is_reported(span: str) -> None:
    assert trouble(span)


def test_commands_are_found_in_sentences() -> None:
    found = [s for page in PAGES for s in spans(page) if s.startswith("headgate ")]
    assert len(set(found)) > 25
