"""Small faults for one line of code: whether a test notices one says that it asks about that line.

Lines are changed as text, because the judge does not parse what is judged; a fault that is no code
any more fails by no assertion, and shows nothing.
"""

import re
from collections.abc import Sequence

MUTANTS_OF_A_LINE = 3

_Change = tuple[re.Pattern[str], str]


def _changes(*pairs: tuple[str, str]) -> tuple[_Change, ...]:
    return tuple((re.compile(pattern), instead) for pattern, instead in pairs)


_COMPARED = _changes(
    (r" === ", " !== "),
    (r" !== ", " === "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" <= ", " > "),
    (r" >= ", " < "),
    (r" < ", " >= "),
    (r" > ", " <= "),
)
_COUNTED = _changes(
    (r" [*+] ", " - "),
    (r" - ", " + "),
    (r" //? ", " * "),
    (r"(?<![\w.\"'`])\d+(?![\w.\"'`])", "987654321"),
)
_PYTHON = (
    *_COMPARED,
    *_changes(
        (r" and ", " or "),
        (r" or ", " and "),
        (r"\bnot ", ""),
        (r" (not )?in ", " is "),
        (r"\bTrue\b", "False"),
        (r"\bFalse\b", "True"),
    ),
    *_COUNTED,
    *_changes(
        (r"(?<!\w)(f?)(['\"])[^'\"\\{}]+\2", r"\2headgate\2"),
        (r"^(\s*return) .*\S", r"\1 None"),
    ),
)
_BRACED = _changes(
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"!(?=[\w(])", ""),
)
_QUOTED = _changes((r"(?<!\w)(['\"`])[^'\"`\\{}]+\1", r"\1headgate\1"))
_JAVASCRIPT = (
    *_COMPARED,
    *_BRACED,
    *_COUNTED,
    *_QUOTED,
    # Not the first line of a longer expression.
    *_changes((r"^(\s*return) .*[^\s;{(\[,&|?:+]\s*+(;?)\s*$", r"\1 undefined\2")),
)
# What Go returns has a type.
_GO = (*_COMPARED, *_BRACED, *_COUNTED, *_QUOTED)
# Not a macro's; a number that the smallest types hold, too.
_RUST = (
    *_COMPARED,
    *_changes((r" && ", " || "), (r" \|\| ", " && ")),
    *_changes((r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"(?<!\w)!(?=[\w(])", "")),
    *_changes((r" [*+] ", " - "), (r" - ", " + "), (r" / ", " * ")),
    *_changes((r"(?<![\w.\"'])\d+(?![\w.\"'])", "97"), (r'(?<!\w)"[^"\\{}]+"', '"headgate"')),
)
_NO_STATEMENTS = {
    ".py": ("#", "@", "import ", "from ", "def ", "class "),
    ".go": ("//", "/*", "import ", "package ", "func ", "type "),
    ".rs": ("//", "/*", "#", "use ", "mod ", "pub use ", "pub mod "),
}
_NO_STATEMENT_OF_OTHERS = ("//", "/*", "*", "@", "import ", "function ", "class ")


def mutants(line: str, path: str) -> tuple[str, ...]:
    """The line of a file with one fault each; nothing for what is no statement."""
    suffix = f".{path.rpartition('.')[2]}"
    heads = _NO_STATEMENTS.get(suffix, _NO_STATEMENT_OF_OTHERS)
    if not line.strip() or line.lstrip().startswith(heads):
        return ()
    found = dict.fromkeys(
        changed
        for pattern, instead in _of(suffix)
        if (changed := pattern.sub(instead, line, count=1)) != line
    )
    return tuple(found)[:MUTANTS_OF_A_LINE]


def _of(suffix: str) -> Sequence[_Change]:
    return {".py": _PYTHON, ".go": _GO, ".rs": _RUST}.get(suffix, _JAVASCRIPT)
