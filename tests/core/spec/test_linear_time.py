"""Parsing, checking, registering and planning a text takes linear time."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.core.plan.deterministic import plan
from bot.core.plan.readiness import plan_findings
from bot.core.spec.archive.claims import claimed_twice, claims
from bot.core.spec.archive.delta import Checks, fold
from bot.core.spec.archive.stale import base_hashes
from bot.core.spec.identity.register import Register, load, registered
from bot.core.spec.line_owners import first_owners
from bot.core.spec.policy import read_policy
from bot.core.spec.read import read_spec
from bot.core.spec.triage.mentions import mentions_in
from bot.core.spec.triage.triage import ranked
from bot.core.talk.commands import parse_commands, read_answers
from bot.core.talk.text import cell, code, cut, fenced, inert, plain, quoted, with_region
from bot.core.values.ids import PullNumber
from bot.core.values.quoting import quote
from bot.shell.deadline import within
from tests.bench.spec import FORMS, text_of
from tests.core.spec.test_any_text import PATHS, PIECES
from tests.testkit.examples import examples
from tests.testkit.linear import grows_with_the_text, repeated

_TIMES, _SMALL = 8, 2_000

HEADS = ("", "# Spec\n\n", "## Requirements\n\n- **FR-001**: ", "Feature: f\n  Scenario: s\n")
# `{n}` is the number of the piece, `{m}` the one before it.
NASTY = (
    "It shall be. ", "It shall be.\n", "\n", "depends on It shall be. ", "after FR-{m}, FR-{n} ",
    "FR-1 to FR-500 depend on FR-1 to FR-500. ", "### FR-{n}: x\nIt SHALL x after FR-1 to FR-500.\n",
    "### Requirement: Keep the record of {n}\nIt SHALL x after Keep the record of {m}.\n",
    "### Requirement: It shall be\nIt shall be.\n", "FR-{n} x{n} must not y{n} z{n} w{n}.\n",
    "  Rule: r{n}\n  Scenario: s\n   Given x\n", "  Rule: r\n  Scenario: s\n\n\n\n\n\n\n\n\n",
    "  Background:\n" + "    Given a\n" * 20, "- a\n  - b\n", "`a.py` must be. ", "→ FR-{n} → FR-{m} ",
    "It must wait {n} ms. ", "### REQ-A-{n}: x\nMUST `Foo.bar{n}` `Foo.bar{m}`\n", "Requirement {n}, ",
    "- [ ] T{n} FR-001 do\n", "<!-- ### Requirement: x --> ", "| FR-{n} | must | x |\n", "@FR-{n}\n",
    "<table><tr><td>{n}</td>\n", "<table><tr><td>a</td></tr></table>\n", "**A. x.** y\n\n**B. x.** y\n\n",
    "## Features\n### 1.{n} x\n#### y\n- a\n#### z{n}\n- b\n", "## F\n### 1.1 x\n#### y\nb\n#### z\nb\n",
    "## x{n}\nIt must x.\n\nIt may y.\n\n",
    "## Features\n- a\n### x{n}\n**Fields:**\n\n- a\n", "# Features\n- a\n## b\n- c\n",
)  # fmt: skip


def _read_and_plan(path: str, text: str) -> None:
    spec = read_spec(path, {path: text.encode("utf-8", "surrogatepass")})
    ranked(spec)
    known = registered(Register(), spec, "c1")
    plan_findings(path, known.spec, plan(known.spec))


def _is_linear(work: Callable[[str], object], head: str, piece: str) -> bool:
    return grows_with_the_text(
        work, repeated(head, piece, _SMALL), repeated(head, piece, _TIMES * _SMALL)
    )


@pytest.mark.parametrize("piece", NASTY)
@pytest.mark.parametrize("path", ["specs/x.md", "a.feature"])
def test_a_nasty_text_is_read_and_planned_in_linear_time(path: str, piece: str) -> None:
    head = "Feature: f\n" if path.endswith(".feature") else "# Spec\n\n"
    assert _is_linear(lambda text: _read_and_plan(path, text), head, piece)


@pytest.mark.parametrize("form", FORMS)
def test_a_plain_spec_of_every_format_is_read_and_planned_in_linear_time(form: str) -> None:
    def work(text: str) -> None:
        _read_and_plan(FORMS[form][0], text)

    small, large = (text_of(form, kilobytes).decode() for kilobytes in (2, 16))
    assert grows_with_the_text(work, small, large)


@given(
    st.sampled_from((*PATHS, "specs/x.md", "docs/prd.md", "docs/protocol.md")),
    st.sampled_from(HEADS),
    st.lists(st.sampled_from((*PIECES, *NASTY)), min_size=1, max_size=3),
)
@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_read_and_planned_in_linear_time(
    path: str, head: str, pieces: list[str]
) -> None:
    assert _is_linear(lambda text: _read_and_plan(path, text), head, "".join(pieces))


def test_an_edit_of_everything_is_matched_in_linear_time() -> None:
    def edit(text: str) -> None:
        path = "specs/x.md"
        old = read_spec(path, {path: text.encode()})
        new = read_spec(path, {path: text.replace("keep", "hold").encode()})
        registered(registered(Register(), old, "c1").register, new, "c2")

    piece = "### REQ-A-{n}: keep {n}\nIt MUST keep the record of guest {n}, kept for {n} days.\n"
    # Up to a ceiling each is compared with each.
    small, large = (repeated("# Spec\n\n", piece, size) for size in (40_000, 320_000))
    assert grows_with_the_text(edit, small, large)


MAIN = "# Till\n\n## Purpose\nTo keep the records of all guests.\n\n## Requirements\n"
BLOCK = "### Requirement: {verb} {n}\nThe till SHALL keep {n}.\n#### Scenario: s\n- **WHEN** a\n- **THEN** b\n"
# The head of a delta, and the operation that is repeated.
OPERATIONS = {
    "added": ("## ADDED Requirements\n", BLOCK.replace("{verb}", "Hold")),
    "added in other letters": ("## ADDED Requirements\n", BLOCK.replace("{verb}", "KEEP ")),
    "modified": ("## MODIFIED Requirements\n", BLOCK.replace("{verb}", "Keep")),
    "modified, and not there": ("## MODIFIED Requirements\n", BLOCK.replace("{verb}", "Kept")),
    "removed, and not there": ("## REMOVED Requirements\n", "### Requirement: Kept {n}\n"),
    "renamed": (
        "## RENAMED Requirements\n",
        "- FROM: `### Requirement: Keep {n}`\n- TO: `### Requirement: Hold {n}`\n",
    ),
    "renamed, and not there": (
        "## RENAMED Requirements\n",
        "- FROM: `### Requirement: Kept {n}`\n- TO: `### Requirement: Hold {n}`\n",
    ),
    "a name of blanks": ("## REMOVED Requirements\n- ### Requirement: a", "  "),
    "a name of hashes": ("## ADDED Requirements\n### Requirement: a", " #"),
    "a name of blanks and line separators": ("## RENAMED Requirements\n- FROM: ### Requirement: a", " \u2028"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_delta_is_folded_in_linear_time(name: str) -> None:
    def folding(text: str) -> None:
        block = BLOCK.replace("{verb}", "Keep")
        main = {"openspec/specs/till/spec.md": repeated(MAIN, block, len(text))}
        delta = {"specs/till/spec.md": text}
        base_hashes(main, delta)
        fold(main, delta, "change", checks=Checks.NONE)
        fold(main, delta, "change")

    head, piece = OPERATIONS[name]
    small, large = (repeated(head, piece, size) + "x" for size in (24_000, 192_000))
    assert grows_with_the_text(folding, small, large)


def test_claims_of_many_pulls_are_compared_in_linear_time() -> None:
    def claim(text: str) -> None:
        path = "openspec/changes/a/specs/till/spec.md"
        own = read_spec("openspec/changes/a", {path: text.encode()})
        made = claims(None, own)
        claimed_twice(own, made, {PullNumber(n): made for n in range(1, 4)})

    head, piece = OPERATIONS["added"]
    small, large = (repeated(head, piece, size) for size in (12_000, 96_000))
    assert grows_with_the_text(claim, small, large)


HELPERS: dict[str, Callable[[str], object]] = {
    "commands": parse_commands,
    "an answer": lambda text: parse_commands(f"/headgate answer 1\n{text}"),
    "answers": lambda text: read_answers(text, frozenset(range(1, 9))),
    "quoted": quoted,
    "plain": plain,
    "cell": lambda text: cell(text, len(text)),
    "inert": lambda text: inert(text, len(text)),
    "code": lambda text: code(text, len(text)),
    "fenced": fenced,
    "cut": lambda text: cut(text, len(text) // 2),
    "quoted for a model": lambda text: quote(f"<{text}", "here"),
    "region": lambda text: with_region(f"<!-- headgate:x begins -->{text}", "x", "y"),
    "names in tests": lambda text: [
        mentions_in(path, text.encode()) for path in ("tests/test_a.py", "a.test.ts", "a.feature")
    ],
}


@pytest.mark.parametrize("name", HELPERS)
def test_readers_of_comments_and_tests_take_linear_time(name: str) -> None:
    pieces = (
        "[", "![a](", "*a _b", "`a` ", "\\`", "\n", "/headgate help\n", "1: a ", "> ", "/* ", '"', "it  ",
        " ", "def test_{n}(): assert x # c\n", "&#47;", "fixes #1 ", "<!-- headgate:x begins -->", "@a ",
    )  # fmt: skip
    for piece in pieces:
        assert _is_linear(HELPERS[name], "", piece), piece


def test_a_range_with_too_many_dependencies_is_reported() -> None:
    defined = "".join(f"- **FR-{n}**: It MUST keep record {n}.\n" for n in range(1, 301))
    text = (
        f"# Spec\n\n## Requirements\n\n{defined}\n"
        + "FR-1 to FR-300 depend on FR-1 to FR-300.\n" * 200
    )
    path = "specs/001-a/spec.md"
    spec = within(5.0, lambda: read_spec(path, {path: text.encode()}))
    assert "too_many_references" in {f.code for f in spec.findings}
    assert sum(len(r.references) for r in spec.requirements) <= 20_000


def test_an_id_of_many_parts_is_not_divided_in_every_way() -> None:
    text = f"### FR-1: x\nIt MUST x.\n\nFR-1 A{'-1' * 50}! after FR-1\n"
    within(2.0, lambda: read_spec("specs/x.md", {"specs/x.md": text.encode()}))


def test_the_first_of_overlapping_ranges_owns_a_line() -> None:
    assert first_owners([(2, 3), (1, 4), (4, 4), (6, 5)]) == {2: 0, 3: 0, 1: 1, 4: 1}


# One or two of these, again and again.
BITS = (
    *"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\u2028\xa0\u200b\u202e\0aA1\xe9",
    *("a ", "A\n", "- ", "> ", "1. ", "```\n", "| a ", "[a](", "<!--", "&#", "**a", "- [ ] ", "a: ", "? ", "{a: "),
    *("&a [", "*a,", "<<: *a\n", "|\n a\n", "#### ", "### Requirement: a  ", "- FROM: ` ", "must ", "Given a\n"),
    *("Examples:\n|a|\n", "/headgate ", "1: a\n", "fixes #", "[skip ci]", "skip_specs :", "https://", "REQ-A-{n} "),
)  # fmt: skip


def _fold(text: str) -> None:
    main = {"openspec/specs/till/spec.md": f"{MAIN}{text}"}
    sections = "".join(f"## {kind} Requirements\n{text}\n" for kind in ("RENAMED", "ADDED"))
    fold(main, {"specs/till/spec.md": sections, ".openspec.yaml": text}, "change")


READERS: dict[str, Callable[[str], object]] = {
    **HELPERS,
    "a spec": lambda text: _read_and_plan("specs/x.md", f"# Spec\n\n- **FR-001**: It MUST {text}"),
    "a feature": lambda text: _read_and_plan("a.feature", f"Feature: f\n Scenario: s\n  Given {text}"),
    "front matter": lambda text: _read_and_plan("specs/x.md", f"---\n{text}"),
    "a delta": _fold,
    "a policy": read_policy,
    "a register": load,
}  # fmt: skip


@given(st.sampled_from(sorted(READERS)), st.lists(st.sampled_from(BITS), min_size=1, max_size=2))
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_repeated_pieces_are_read_in_linear_time(name: str, bits: list[str]) -> None:
    assert _is_linear(READERS[name], "", "".join(bits))
