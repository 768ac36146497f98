"""Whose approval a pull lacks, by CODEOWNERS."""

import pytest
from hypothesis import given, settings, strategies as st

from bot.core.spec.code_owners import owners_lacking
from tests.testkit.examples import examples

FILE = b"""
# everybody's
*            @hubot
/docs/       @mona @acme/writers  # theirs
/docs/free.md
*.sql        @acme/data
Legal.txt    law@example.com
!/docs/x.md  @lisa
"""


@pytest.mark.parametrize(
    ("paths", "by", "lacking"),
    [
        (["a.py"], [], (("@hubot",),)),
        (["a.py", "b.py"], ["HuBot"], ()),
        (["docs/a.md"], ["hubot"], (("@mona", "@acme/writers"),)),
        (["docs/a.md", "a.py"], ["mona"], (("@hubot",),)),
        (["docs/free.md"], [], ()),
        (["docs/x.md"], ["mona"], ()),
        (["make.sql"], ["hubot", "data"], (("@acme/data",),)),
        (["Legal.txt"], ["hubot"], (("law@example.com",),)),
        ([], [], ()),
    ],
)
def test_one_owner_must_approve_each_path(
    paths: list[str], by: list[str], lacking: tuple[tuple[str, ...], ...]
) -> None:
    assert owners_lacking(FILE, paths, by) == lacking


@pytest.mark.parametrize(
    ("text", "path", "lacking"),
    [
        ("* @a\n/docs/* @b", "docs/x.md", (("@b",),)),
        ("* @a\n/docs/* @b", "docs/deep/x.md", (("@a",),)),
        ("* @a\n/* @b", "deep/x.md", (("@a",),)),
        ("* @a\n/docs/**/* @b", "docs/deep/x.md", (("@b",),)),
        ("* @a\n/my\\ file.txt @b", "my file.txt", (("@b",),)),
        ("* @a\n/my\\ file.txt @b", "file.txt", (("@a",),)),
        ("\ufeff* @a", "x.md", (("@a",),)),
    ],
)
def test_code_owner_file_patterns_match_as_on_github(
    text: str, path: str, lacking: tuple[tuple[str, ...], ...]
) -> None:
    assert owners_lacking(text.encode(), [path], []) == lacking


@pytest.mark.parametrize("broken", ["docs\\", "\\", "a/\\"])
def test_a_line_without_a_valid_pattern_is_ignored(broken: str) -> None:
    text = f"* @a\n{broken}\n".encode()
    assert owners_lacking(text, ["docs/x.md"], []) == (("@a",),)


@given(st.text(max_size=40), st.text("ab/ .", max_size=12))
@settings(max_examples=examples(200), deadline=None)
def test_any_code_owners_text_is_parsed(text: str, path: str) -> None:
    owners_lacking(text.encode("utf-8", "replace"), [path], [])


def test_a_code_owners_file_that_is_too_large_is_ignored() -> None:
    assert owners_lacking(b"* @hubot\n" + b"#" * 3_000_000, ["a.py"], []) == ()


def test_unknown_paths_need_every_owner() -> None:
    assert owners_lacking(b"/docs/ @mona\n/desk @hubot\n", None, ["hubot"]) == (("@mona",),)


def test_too_many_paths_and_lines_need_every_owner() -> None:
    text = b"/docs/ @mona\n" + b"/never @hubot\n" * 2_000
    paths = [f"docs/{number}" for number in range(600)]
    assert owners_lacking(text, paths[:1], ()) == (("@mona",),)
    assert set(owners_lacking(text, paths, ())) == {("@mona",), ("@hubot",)}
