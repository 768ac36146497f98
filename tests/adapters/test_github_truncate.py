"""Truncated texts are still valid Markdown."""

from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from bot.adapters.github.truncate import cut_bytes, cut_markdown, cut_markdown_bytes, cut_plain

MARKDOWN = st.lists(
    st.sampled_from(
        [
            *("```py\n", "```\n", "~~~~\n", "x" * 90 + "\n", "<details>\n", "</details>\n"),
            *("- a\n", "👩\u200d👩\u200d👧", "e\u0301", "\n", "<!-- m -->\n"),
        ]
    ),
    max_size=60,
).map("".join)


@given(MARKDOWN, st.integers(300, 2_000))
def test_a_cut_text_fits_and_closes_its_fences_and_details(text: str, limit: int) -> None:
    cut = cut_markdown(text, limit)
    assert len(cut) <= limit
    if len(text) <= limit:
        assert cut == text
        return
    tokens = MarkdownIt().parse(cut)
    if cut.endswith("accepts no more text)*"):
        assert tokens[-1].type == "paragraph_close", "the notice stands outside of any fence"


@given(MARKDOWN, st.integers(300, 2_000))
def test_a_text_that_is_cut_by_bytes_fits(text: str, limit: int) -> None:
    cut = cut_markdown_bytes(text, limit)
    assert len(cut.encode()) <= limit
    assert len(text.encode()) > limit or cut == text


def test_a_cut_multibyte_text_fills_the_limit_and_keeps_its_marker() -> None:
    cut = cut_markdown_bytes("é" * 2_000 + "\n<!-- ключ -->", 2_000)
    assert 1_500 < len(cut.encode()) <= 2_000
    assert cut.endswith("<!-- ключ -->")


def test_a_marker_of_many_bytes_stays_and_fits() -> None:
    marker = f"<!-- {'ключ' * 60} -->"
    cut = cut_markdown_bytes(f"{'x' * 3_000}\n{marker}", 2_000)
    assert 1_800 < len(cut.encode()) <= 2_000
    assert cut.endswith(marker)


def test_a_marker_on_the_last_line_stays() -> None:
    text = "a\n" * 500 + "<!-- headgate:change cart -->\n"
    cut = cut_markdown(text, 500)
    assert cut.endswith(
        "(cut here, because GitHub accepts no more text)*\n<!-- headgate:change cart -->"
    )
    assert len(cut) <= 500


def test_a_cut_falls_at_the_end_of_a_line_and_closes_details() -> None:
    text = "<details>\n\n```\n" + "a line\n" * 100
    cut = cut_markdown(text, 500)
    assert "a line\n```\n\n</details>\n\n*(cut here" in cut


def test_a_cut_does_not_separate_combining_marks() -> None:
    assert cut_plain("ae\u0301" * 5, 3) == "a…"
    assert cut_plain("ab👩\u200d👧cd", 4) == "ab…"
    assert cut_plain("short", 5) == "short"
    assert cut_bytes("ü" * 10, 10) == "üüü…"
    assert cut_bytes("ü", 2) == "ü"


@given(st.text(max_size=200), st.integers(10, 100))
def test_cut_plain_text_fits(text: str, limit: int) -> None:
    assert len(cut_plain(text, limit)) <= limit
    assert len(cut_bytes(text, limit).encode()) <= limit
