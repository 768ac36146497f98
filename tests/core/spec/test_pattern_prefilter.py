"""A pattern with roots finds what the pattern alone finds."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from bot.core.spec import references
from bot.core.spec.triage import open_text, signals, words
from bot.core.spec.triage.prefiltered import PrefilteredPattern, folded


def _all() -> Iterator[tuple[str, PrefilteredPattern]]:
    for module in (words, references, signals, open_text):
        for name, value in vars(module).items():
            found = value.items() if isinstance(value, dict) else [("", value)]
            for key, one in found:
                if isinstance(one, PrefilteredPattern) and one.pattern.pattern:
                    yield f"{module.__name__.rpartition('.')[2]}.{name}{key}", one


SOUGHT = dict(_all())


def test_every_table_of_words_is_tried() -> None:
    assert {"words._FORBIDS", "references._TRIGGER", "open_text._WORD", "signals._VAGUEen"} <= set(
        SOUGHT
    )


@pytest.mark.parametrize("name", SOUGHT)
@given(data=st.data(), before=st.sampled_from(["", "x ", "İıſK ", "( "]))
@settings(max_examples=60, deadline=None)
def test_the_prefilter_loses_no_match(name: str, data: st.DataObject, before: str) -> None:
    sought = SOUGHT[name]
    text = before + data.draw(st.from_regex(sought.pattern)) + " x"
    alone = sought.pattern.search(text)
    found = sought.search(text)
    assert (found and found.span()) == (alone and alone.span())
    assert [m.span() for m in sought.finditer(text)] == [
        m.span() for m in sought.pattern.finditer(text)
    ]


@pytest.mark.parametrize(
    "text", ["out of scope", "fora do escopo", "hors périmètre", "не вне рамок"]
)
def test_a_word_for_out_of_scope_is_found_in_each_language(text: str) -> None:
    assert SOUGHT["words.OUT_OF_SCOPE_WORDS"].search(f"x {text} x") is not None


@pytest.mark.parametrize("text", ["Within", "WITHIN", "wİthin", "wıthIn", "withın"])
def test_letters_that_patterns_take_for_one_another_are_one_root(text: str) -> None:
    pattern = re.compile("within", re.IGNORECASE)
    assert bool(PrefilteredPattern(pattern, "within").search(text)) == bool(pattern.search(text))
    assert folded(text) == "within"
