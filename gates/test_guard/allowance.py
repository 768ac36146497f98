"""Which tests may go: those of requirements that the change's delta removes or modifies."""

import re
from collections.abc import Iterable

# A short word is a word of its own, and no id.
_SLUG_LENGTH_MIN = 4


def names_requirement(said: str, names: Iterable[str]) -> bool:
    """Whether a test's words (name, comments, strings) name a requirement by one of its names."""
    slugged = f"_{slug(said)}_"
    for name in names:
        if not name:
            continue
        if re.search(rf"(?<![\w#-]){re.escape(name)}(?![\w-])", said):
            return True
        short = slug(name)
        is_telling = len(short) >= _SLUG_LENGTH_MIN and any(c.isdigit() for c in short)
        if is_telling and f"_{short}_" in slugged:
            return True
    return False


def slug(text: str) -> str:
    """As in a test's name: small letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
