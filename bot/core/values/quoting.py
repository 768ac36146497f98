"""Other people's words on their way to a model: as data, with where they come from.

A text is put between two lines that only we can write, without its hidden characters and comments.
Nothing in a text can end its own quotation, and no tool, schema or role is ever made from it.
"""

import re

from gates.unseen import without_unseen_characters

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# Our own frame, in every spelling that a model might take for it.
_FRAME = re.compile(r"<\s*+(/?)\s*+quoted", re.IGNORECASE)


def visible(text: str) -> str:
    """The text without comments and without characters that a person cannot see."""
    shown = _COMMENT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return without_unseen_characters(shown).strip("\n")


def quote(text: str, source: str) -> str:
    """The text as data from `source`; two quotations of one text are equal."""
    frame = _FRAME.sub(r"‹\1quoted", visible(text))
    where = re.sub(r'[<>"\n]', "", visible(source))
    return f'<quoted from="{where}">\n{frame}\n</quoted>'
