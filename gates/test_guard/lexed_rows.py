"""What an assertion under a table says in each of its rows, in JavaScript, Go and Rust.

`got != tt.want` is `got != 10` in the row whose `want` is 10, so that tests may become rows of one test.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gates.test_guard.found_test import Assertion
from gates.test_guard.lexed_statements import ends_statement
from gates.test_guard.tokens import Kind, Language, Token, Tokens, closing, parts, tokens_of

_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
# So many rows of a table, and so many assertions of a test in all.
_ROWS_MAX, _SAID_MAX = 200, 2000
_LIST_TOKENS_MAX = 40

_Cells = dict[str, frozenset[str]]


# The rows of a table: what each gives the words that lead to its cells.
_Table = list[_Cells]


def said_by_rows(
    said: Sequence[Assertion], first: Token, body: Tokens, file: Tokens, language: Language
) -> Iterator[Assertion]:
    """The assertions of a test once more, each with the values of a row in place of its names."""
    tables = list(_tables(first, body, file, language))
    if not tables:
        return
    given = dict(_given(body))
    left = _SAID_MAX
    for one in said:
        looked_at = tokens_of(one.text, language) or []
        texts = [token.text for token in looked_at]
        values = [given[text] for text in dict.fromkeys(texts) if text in given]
        for cells in (row for table in tables for row in table):
            atoms = _in_row(looked_at, cells)
            if left and atoms:
                left -= 1
                atoms |= {
                    atom for value in values for atom in (*_atoms(value), *_in_row(value, cells))
                }
                words = " ".join(sorted(atoms))
                yield replace(one, text=f"{one.text} of {words}", atoms=one.atoms | atoms)


def _in_row(tokens: Tokens, cells: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The values of those of a row's cells that are named here."""
    found: set[str] = set()
    for at, token in enumerate(tokens):
        if token.kind is Kind.WORD and not (at and tokens[at - 1].text == "."):
            after = [one.text for one in tokens[at + 1 : at + 3]]
            found |= cells.get(
                "".join((token.text, *after)) if after[:1] == ["."] else token.text, frozenset()
            )
    return frozenset(found)


def _tables(first: Token, body: Tokens, file: Tokens, language: Language) -> Iterator[_Table]:
    if language is Language.JAVASCRIPT and (each := _each(first, body, file)):
        yield each
    for at, token in enumerate(body):
        if token.text != "for":
            continue
        end = next(
            (p for p in range(at, min(at + 400, len(body))) if body[p].text in _BETWEEN), None
        )
        if end is None:
            continue
        names = [one for one in body[at + 1 : end] if one.text not in _FILLERS]
        fields, rows = _list(body, end + 1, file, language)
        yield [dict(_bound(names, fields, row, language)) for row in rows[:_ROWS_MAX]]


_BETWEEN = frozenset({"range", "of", "in"})
_FILLERS = frozenset({"const", "let", "&", ":=", "(", ",", "[", "]", "{", "}", ")", "mut"})


def _each(first: Token, body: Tokens, file: Tokens) -> _Table | None:
    """`test.each([[1, 5]])("…", (count, cost) => …)`."""
    at = bisect_left(file, first.start, key=lambda one: one.start)
    if [one.text for one in file[at + 1 : at + 4]] != [".", "each", "("]:
        return None
    arrow = next((p for p, one in enumerate(body[:80]) if one.text == "=>"), 0)
    names = [one for one in body[:arrow] if one.kind is Kind.WORD and one.text != "async"]
    fields, rows = _list(file, at + 4, file, Language.JAVASCRIPT)
    bound = (_bound(names, fields, row, Language.JAVASCRIPT) for row in rows[:_ROWS_MAX])
    return [dict(one) for one in bound]


_Row = tuple[Tokens, Tokens]


def _bound(
    names: Tokens, fields: list[str], row: _Row, language: Language
) -> Iterator[tuple[str, frozenset[str]]]:
    """What each name means in a row, and each of its fields."""
    key, value = row
    opened = next((at for at, one in enumerate(value) if one.text in _OPENS), None)
    cells = list(parts(value[opened + 1 : closing(value, opened)])) if opened is not None else []
    keyed = {part[0].text: part[2:] for part in cells if len(part) > 2 and part[1].text == ":"}
    if language is Language.GO:
        if len(names) != 2:
            return
        yield names[0].text, frozenset(_atoms(key))
        owner = names[1].text
        if opened is None:
            yield owner, frozenset(_atoms(value))
        for name, cell in keyed.items() if keyed else zip(fields, cells, strict=False):
            yield f"{owner}.{name}", frozenset(_atoms(cell))
    elif opened is None:
        yield from ((one.text, frozenset(_atoms(value))) for one in names[:1])
    elif keyed:
        yield from (
            (one.text, frozenset(_atoms(keyed[one.text]))) for one in names if one.text in keyed
        )
    else:
        for one, cell in zip(names, cells, strict=False):
            yield one.text, frozenset(_atoms(cell))


def _list(
    tokens: Tokens, at: int, file: Tokens, language: Language
) -> tuple[list[str], list[_Row]]:
    """The fields and rows of a list that stands at a place, or of one by the name that stands there."""
    while at < len(tokens) and tokens[at].text in {"&", "vec", "!"}:
        at += 1
    if at + 1 < len(tokens) and tokens[at].kind is Kind.WORD and tokens[at + 1].text in {"{", ")"}:
        name = tokens[at].text
        places = [p for p, one in enumerate(tokens[:-2]) if _is_given(tokens, p, name)]
        if not places and tokens is not file:
            return _list_by_name(file, name, language)
        return _literal(tokens, places[0], file, language) if len(places) == 1 else ([], [])
    return _literal(tokens, at, file, language)


def _list_by_name(file: Tokens, name: str, language: Language) -> tuple[list[str], list[_Row]]:
    places = [p for p, one in enumerate(file[:-2]) if _is_given(file, p, name)]
    return _literal(file, places[0], file, language) if len(places) == 1 else ([], [])


def _is_given(tokens: Tokens, at: int, name: str) -> bool:
    return tokens[at - 1].text in {"=", ":="} and at > 1 and tokens[at - 2].text == name


def _literal(
    tokens: Tokens, at: int, file: Tokens, language: Language
) -> tuple[list[str], list[_Row]]:
    head = [one.text for one in tokens[at : at + _LIST_TOKENS_MAX]]
    fields: list[str] = []
    if language is Language.GO:
        if (head[:2] != ["[", "]"] and head[:1] != ["map"]) or "{" not in head:
            return [], []
        brace = at + head.index("{")
        if tokens[brace - 1].text == "struct":
            fields = _fields(tokens[brace + 1 : closing(tokens, brace)])
            brace = closing(tokens, brace) + 1
        else:
            fields = _fields_of(tokens[brace - 1].text, file)
        at = brace
    if at >= len(tokens) or tokens[at].text not in {"[", "{"}:
        return [], []
    if (
        language is not Language.GO
        and tokens[closing(tokens, at) + 1 : closing(tokens, at) + 2]
        and (tokens[closing(tokens, at) + 1].text == ".")
    ):
        return [], []
    return fields, [_row(part) for part in parts(tokens[at + 1 : closing(tokens, at)])]


def _row(part: Tokens) -> _Row:
    """A row of a map has a key."""
    is_keyed = len(part) > 2 and part[1].text == ":"
    return (part[:1], part[2:]) if is_keyed else ((), part)


def _fields_of(name: str, file: Tokens) -> list[str]:
    for at, token in enumerate(file[:-3]):
        if token.text == "type" and [one.text for one in file[at + 1 : at + 4]] == [
            name,
            "struct",
            "{",
        ]:
            return _fields(file[at + 4 : closing(file, at + 3)])
    return []


def _fields(inside: Tokens) -> list[str]:
    """`count, want int` in one line."""
    found: list[str] = []
    is_name, line = True, 0
    depth = 0
    for at, token in enumerate(inside):
        before = inside[at - 1] if at else None
        if depth == 0 and (token.line != line or (before is not None and before.text == ";")):
            is_name, line = True, token.line
        depth += (token.text in _OPENS) - (token.text in _CLOSES)
        if is_name and token.kind is Kind.WORD:
            found.append(token.text)
            is_name = at + 1 < len(inside) and inside[at + 1].text == ","
    return found


def _given(body: Tokens) -> Iterator[tuple[str, Tokens]]:
    """What names are given in a body: `got, err := Price(tt.count)`."""
    for at, token in enumerate(body):
        if token.text in {":=", "="}:
            value = body[at + 1 : ends_statement(body, at + 1)]
            is_computed_here = not {"range", "func", "function", "=>"} & {one.text for one in value}
            place = at - 1
            while is_computed_here and place >= 0 and body[place].kind is Kind.WORD:
                yield body[place].text, value
                place -= 2 if place and body[place - 1].text == "," else place + 1


def _atoms(tokens: Tokens) -> Iterator[str]:
    return (one.text.strip("\"'`") for one in tokens if one.kind is not Kind.SIGN)
