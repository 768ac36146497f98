"""Text that a template brought and nobody has replaced.

Only the phrases that templates are published with count: square brackets alone are often the
product's own (a button, a file name pattern, a mark such as `[DEPRECATED]`).
"""

import re

_PHRASES = re.compile(
    r"\[(?:(?:specific|e\.g\.|data requirement|key interaction|capability\b,?|behavior\b,)[^\]\n]{0,200}|"
    r"(?:brief|describe|explain|insert|your)(?: [^\]\n]{1,40}){1,20}|measurable[^\]\n]{0,200}|"
    r"initial state|expected outcome|boundary condition|error scenario|user type|feature name)\](?!\()",
    re.IGNORECASE,
)
_TITLE = re.compile(r"^#\s.*\[(?:FEATURE NAME|FEATURE|PROJECT NAME|###-feature-name)\]")


def template_at(text: str) -> int | None:
    """Where template text begins, None if there is none. Code is left out by the caller."""
    if "[" not in text:
        return None
    found = _PHRASES.search(text) or _TITLE.search(text)
    return found.start() if found else None


def is_template(text: str) -> bool:
    return template_at(text) is not None
