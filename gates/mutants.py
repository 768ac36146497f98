"""Small faults for one line of Python: whether a test notices one says that it asks about that line.

Lines are changed as text, because the judge does not parse what is judged; a fault that is no Python
any more fails by no assertion, and shows nothing.
"""

import re

MUTANTS_OF_A_LINE = 3

_RETURN = re.compile(r"^(\s*return) .*\S")
_CHANGES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r" == "), " != "),
    (re.compile(r" != "), " == "),
    (re.compile(r" <= "), " > "),
    (re.compile(r" >= "), " < "),
    (re.compile(r" < "), " >= "),
    (re.compile(r" > "), " <= "),
    (re.compile(r" and "), " or "),
    (re.compile(r" or "), " and "),
    (re.compile(r"\bnot "), ""),
    (re.compile(r" (not )?in "), " is "),
    (re.compile(r"\bTrue\b"), "False"),
    (re.compile(r"\bFalse\b"), "True"),
    (re.compile(r" [*+] "), " - "),
    (re.compile(r" - "), " + "),
    (re.compile(r" //? "), " * "),
    (re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])"), "987654321"),
    (re.compile(r"(?<!\w)(f?)(['\"])[^'\"\\{}]+\2"), r"\2headgate\2"),
)


def mutants(line: str) -> tuple[str, ...]:
    """The line with one fault each; nothing for what is no statement."""
    if not line.strip() or line.lstrip().startswith(
        ("#", "@", "import ", "from ", "def ", "class ")
    ):
        return ()
    found = dict.fromkeys(
        changed
        for pattern, instead in _CHANGES
        if (changed := pattern.sub(instead, line, count=1)) != line
    )
    returned = _RETURN.sub(r"\1 None", line)
    if returned != line:
        found[returned] = None
    return tuple(found)[:MUTANTS_OF_A_LINE]
