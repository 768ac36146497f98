r"""White space, lines and letters as in ECMAScript, in which OpenSpec's reader is written.

Python's `\s` and `strip` include other characters (the separators 0x1c to 0x1f, but no byte order
mark), its `.` matches U+2028, and it folds letters that are not ASCII. Each difference would move
the end of a name or a section, so the archive uses these functions and never Python's own.
"""

import re

# ECMA-262, "WhiteSpace" and "LineTerminator": what `\s` matches and `trim` removes.
BLANKS = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_BLANK_CLASS = f"[{BLANKS}]"
_ANY_CLASS = "[^\n\r\u2028\u2029]"


def ecma(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    r"""Compile a pattern whose `\s` and unescaped `.` mean what they mean in ECMAScript.

    The pattern has neither of them in a character class, and matches one line at a time.
    """
    translated = pattern.replace(r"\s", _BLANK_CLASS)
    translated = re.sub(r"(?<!\\)\.(?=[+*])", lambda _: _ANY_CLASS, translated)
    return re.compile(translated, flags | re.ASCII)


def trimmed(text: str) -> str:
    return text.strip(BLANKS)


def right_trimmed(text: str) -> str:
    return text.rstrip(BLANKS)
