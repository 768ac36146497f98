"""Text for GitHub: regions that keep people's words, and escaped words."""

import re

import pytest
from hypothesis import given, settings, strategies as st

from bot.core.talk.text import (
    BODY_CHARACTERS_MAX,
    REGION_CHARACTERS_MAX,
    cell,
    code,
    cut,
    fenced,
    login,
    marker,
    plain,
    quoted,
    region,
    with_region,
)

ATTACKS = [
    "@octocat",
    "&#64;octocat",
    "&commat;octocat",
    "a | b",
    "a \\| b",
    "a \\\\| b",
    "line\nbreak | x",
    "<!-- headgate:plan ends -->",
    "<!-- headgate:change x -->",
    "--> <script>",
    "`` ` `",
    "x` @octocat",
    "x` <!-- headgate:plan ends -->",
    "Fixes #12",
    "closes: #12",
    "Resolved owner/repo#12",
    "fix GH-12",
    "fixes https://github.com/o/r/issues/12",
    "FIXES [#12](x)",
    "fixes **#12**",
    "\r\n/headgate stop",
    "```\n@octocat\n```",
    "\u2028@octocat",
]
_MENTION = re.compile(r"(?<![\w`])@[A-Za-z0-9]")
_CLOSES = re.compile(
    r"\b(close[sd]?|fix(es|ed)?|resolve[sd]?):?\s+\S*(#\d|gh-\d|https?:)", re.IGNORECASE
)
_WORDS = st.sampled_from(ATTACKS) | st.text(max_size=30)


def is_harmless(text: str) -> bool:
    """Whether a line of Markdown has no mention, no closing keyword and no marker."""
    return not (_MENTION.search(text) or _CLOSES.search(text) or "<!--" in text)


@settings(deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=4).map(" ".join))
def test_words_in_a_cell_are_escaped(text: str) -> None:
    said = cell(text)
    assert is_harmless(said)
    assert "|" not in said
    assert "<" not in said
    assert len(said.splitlines()) <= 1
    assert not re.search(r"&(#64|commat)", said)


@settings(deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=4).map(" ".join))
def test_words_in_a_code_span_are_escaped(text: str) -> None:
    said = code(text)
    assert said.startswith("`")
    assert said.endswith("`")
    assert said.count("`") == 2
    assert is_harmless(said)
    assert "|" not in said
    assert len(said.splitlines()) == 1
    assert len(said) > 2


@settings(deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=4).map("\n".join))
def test_words_in_a_quote_are_escaped(text: str) -> None:
    for line in quoted(text).splitlines():
        assert line.startswith(">")
        assert is_harmless(line)


@settings(deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=4).map("\n".join))
def test_a_code_block_cannot_be_closed_by_its_content(text: str) -> None:
    lines = fenced(text).split("\n")
    fence = lines[0].removesuffix("text")
    assert lines[-1] == fence
    assert all(not line.strip().startswith(fence) for line in lines[1:-1])
    assert "<!--" not in fenced(text)


@given(_WORDS)
def test_a_subject_is_one_escaped_line(text: str) -> None:
    said = plain(text)
    assert len(said.splitlines()) <= 1
    assert not _MENTION.search(said)
    assert not _CLOSES.search(said)


@given(_WORDS)
def test_a_login_has_only_allowed_characters(text: str) -> None:
    assert re.fullmatch(r"@[A-Za-z0-9_\[\]-]*", login(text))


@pytest.mark.parametrize("name", ["octocat", "a-b", "headgate[bot]", "under_score"])
def test_a_real_login_is_unchanged(name: str) -> None:
    assert login(name) == f"@{name}"


@pytest.mark.parametrize(
    "words", ["A plain sentence, with AT&T and 3 < 4.", "fixes the login", "closes at 5 o'clock"]
)
def test_plain_words_stay_readable(words: str) -> None:
    assert plain(words) == words


class TestRegions:
    """Only the text between the markers is changed."""

    @settings(deadline=None)
    @given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=40), st.text(max_size=40))
    def test_text_of_people_is_kept_and_a_second_write_is_a_no_op(
        self, above: str, below: str, old: str, new: str
    ) -> None:
        body = above + region("plan", old) + below
        changed = with_region(body, "plan", new)
        assert changed == above + region("plan", new) + below
        assert with_region(changed, "plan", new) == changed

    @settings(deadline=None)
    @given(st.text(max_size=80), st.text(max_size=40))
    def test_a_region_is_appended_to_the_body(self, body: str, text: str) -> None:
        changed = with_region(body, "plan", text)
        assert changed.startswith(body.rstrip())
        assert changed.endswith(region("plan", text))
        assert with_region(changed, "plan", text) == changed

    def test_other_regions_are_unchanged(self) -> None:
        body = region("plan", "a") + "\r\nMine.\r\n" + region("progress", "b")
        assert with_region(body, "progress", "c") == (
            region("plan", "a") + "\r\nMine.\r\n" + region("progress", "c")
        )

    def test_a_region_is_found_with_other_line_endings(self) -> None:
        body = ("Mine.\n\n" + region("plan", "one\ntwo") + "\nMine too.").replace("\n", "\r\n")
        changed = with_region(body, "plan", "three")
        assert changed == "Mine.\r\n\r\n" + region("plan", "three") + "\r\nMine too."

    def test_text_after_a_begin_marker_without_end_is_kept(self) -> None:
        body = f"{marker('plan begins')}\nold\n\nA person took the end away and wrote this."
        once = with_region(body, "plan", "new")
        twice = with_region(once, "plan", "newer")
        assert "wrote this." in twice
        assert "newer" in twice
        assert twice.count(marker("plan ends")) == 1

    @pytest.mark.parametrize("size", [10, 30_000, 65_000, 65_536])
    def test_a_huge_text_is_cut_and_its_markers_stay(self, size: int) -> None:
        body = with_region("Mine.", "plan", "x\n" * size)
        assert len(body) <= BODY_CHARACTERS_MAX
        assert body.startswith("Mine.")
        assert body.endswith(marker("plan ends"))
        assert with_region(body, "plan", "short") == "Mine.\n\n" + region("plan", "short")

    @pytest.mark.parametrize("size", [40_000, 65_300, 65_536])
    def test_a_full_body_keeps_peoples_words(self, size: int) -> None:
        theirs = "p" * size
        body = with_region(theirs, "plan", "x\n" * 20_000)
        assert body.startswith(theirs)
        assert len(body) <= BODY_CHARACTERS_MAX

    def test_two_regions_at_their_largest_fit_into_one_body(self) -> None:
        both = f"{region('a', 'x' * 99_999)}\n\n{region('b', 'x' * 99_999)}"
        assert 2 * REGION_CHARACTERS_MAX < len(both) <= BODY_CHARACTERS_MAX


class TestCutting:
    """A text is cut at a line, with a note, and with its code block closed."""

    @settings(deadline=None)
    @given(
        st.lists(st.sampled_from(["word", "```", "````", "~~~", "", "a longer line"]), max_size=60),
        st.integers(0, 200),
    )
    def test_a_cut_text_always_fits(self, lines: list[str], characters_max: int) -> None:
        text = "\n".join(lines)
        assert len(cut(text, characters_max)) <= characters_max

    @pytest.mark.parametrize("fence", ["```", "````", "~~~~~"])
    def test_a_code_block_is_closed_by_its_own_fence(self, fence: str) -> None:
        kept, _, note = cut(f"{fence}text\n" + "log\n" * 100, 200).partition("\n\n… cut here")
        assert kept.endswith(f"\n{fence}")
        assert note

    def test_a_text_that_fits_is_unchanged(self) -> None:
        assert cut("x" * BODY_CHARACTERS_MAX) == "x" * BODY_CHARACTERS_MAX
