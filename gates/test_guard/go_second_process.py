"""The part of a test program in Go that runs as another process, which a test starts from its own binary.

It asks for a variable of its own (`GO_WANT_HELPER_PROCESS` in Go's os/exec), and no test runs there.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from gates.test_guard.tokens import Tokens, closing

# What the process that runs the tests has in its environment: it would take itself for a helper.
_OF_THE_RUN = re.compile(
    r"CI|HOME|PATH|USER|LOGNAME|SHELL|SHLVL|PWD|OLDPWD|TMPDIR|TERM|TZ|LANG|HOSTNAME|GO(?!_)\w*"
    r"|(?:HEADGATE|GITHUB|RUNNER|LC|CGO|XDG|NPM|PYTHON)?_\w*"
)
_FOR_HELPERS = re.compile(
    r"(?:^|_)(?:HELPER|CHILD|SUB_?PROC\w*|CRASH\w*|FORK\w*|REEXEC|WANT|BE|RUN_?AS)(?:_|$)"
)
_ASKED = re.compile(
    r"(?:if(?: \w+ :=)? os \. Getenv \( (\S+) \)(?: ; \w+)? (==|!=) (\S+)"
    r"|if _ , \w+ := os \. LookupEnv \( (\S+) \) ; \w+"
    r"|switch os \. Getenv \( (\S+) \)) \{"
)
_EMPTY = frozenset({'""', "``"})
_HEAD_TOKENS_MAX = 20


def without_helpers(body: Tokens, file: Tokens) -> Tokens:
    """A function's body as it is for the process that runs the tests."""
    left_out = {place for span in _of_helpers(body, file) for place in span}
    return [token for at, token in enumerate(body) if at not in left_out]


def _of_helpers(body: Tokens, file: Tokens) -> Iterator[range]:
    for at, token in enumerate(body):
        if token.text not in {"if", "switch"}:
            continue
        head = " ".join(one.text for one in body[at : at + _HEAD_TOKENS_MAX])
        asked = _ASKED.match(head)
        if asked is None or not _is_of_a_helper(asked[1] or asked[4] or asked[5], file):
            continue
        brace = at + asked[0].count(" ")
        end = closing(body, brace)
        if asked[5]:
            yield from _cases_of_helpers(body, brace, end)
        elif asked[4] or (asked[2] == "!=") == (asked[3] in _EMPTY):
            yield range(at, end + 1)
        elif body[end - 1].text == ")" and "Exit" in {one.text for one in body[brace:end]}:
            # The tests run in the block, which ends the process; what follows is the helper's.
            yield range(at, brace + 1)
            yield range(end, len(body))


def _cases_of_helpers(body: Tokens, brace: int, end: int) -> Iterator[range]:
    starts = [brace + 1]
    depth = 0
    for at in range(brace + 1, end):
        depth += (body[at].text in {"{", "("}) - (body[at].text in {"}", ")"})
        if depth == 0 and body[at].text in {"case", "default"}:
            starts.append(at)
    for start, following in pairwise([*starts, end]):
        said = [one.text for one in body[start : start + 3]]
        if (
            said[:1] == ["case"]
            and said[2:] == [":"]
            and said[1][0] in '"`'
            and said[1] not in _EMPTY
        ):
            yield range(start, following)


def _is_of_a_helper(name: str, file: Tokens) -> bool:
    """Whether a variable is there for helpers: by its name, or because the file gives it to what it starts."""
    texts = [one.text for one in file]
    three = list(zip(texts, texts[1:], texts[2:], strict=False))
    value = name
    if name.isidentifier():
        # `const helper = "SHOP_HELPER"`, given as `helper + "=1"`.
        value = next((c for a, b, c in three if a == name and b in {"=", ":="}), "")
    plain = value.strip('"`')
    # The process that runs the tests could give it to itself.
    gives_itself = any(
        one[:2] in {("os", "."), ("syscall", ".")}
        and one[2] == "Setenv"
        and texts[at + 4] in {name, value}
        for at, one in enumerate(three[:-2])
    )
    is_given = any(a == name and b == "+" for a, b, _ in three) or any(
        text.startswith((f'"{plain}=', f"`{plain}=")) for text in texts
    )
    is_for_helpers = is_given or _FOR_HELPERS.search(plain) is not None
    return (
        plain.isidentifier()
        and is_for_helpers
        and not (gives_itself or _OF_THE_RUN.fullmatch(plain))
    )
