"""Texts from and for agents are read in linear time."""

import pytest

from action.agents.prompt import escaped
from action.agents.shell_line import wants_terminal
from action.harness.artefacts import ticked_of
from tests.testkit.linear import grows_with_the_text, repeated

# Who reads, what stands in front, and what is repeated.
READERS = {
    "an open frame": (escaped, "<", " "),
    "frames": (escaped, "", "</ "),
    "blank lines of a command": (wants_terminal, "", "\n"),
    "variables of a command": (wants_terminal, "", "a=1 \n"),
    "one long variable": (wants_terminal, "a=", "a=1"),
    "quotes of a command": (wants_terminal, '"', '\\"'),
    "open quotes of a command": (wants_terminal, "", "'\"\\"),
    "a box of blanks": (ticked_of, "- [ ] a", "\t"),
    "boxes": (ticked_of, "", "- [ ] \n"),
}


@pytest.mark.parametrize("name", READERS)
def test_untrusted_text_is_read_in_linear_time(name: str) -> None:
    work, head, piece = READERS[name]
    small, large = (repeated(head, piece, size) + "\0" for size in (8_000, 64_000))
    assert grows_with_the_text(work, small, large)
