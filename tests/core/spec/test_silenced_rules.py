"""A finding that an author silences stays silent on its line, and nowhere else."""

import pytest

from bot.core.spec.read import read_document
from bot.core.talk.spec_rules import explained, rule_names

OPEN = "- **FR-001**: The till MUST close at TBD."
QUIET = "<!-- headgate: ignore marker -->"


def told(*lines: str) -> list[tuple[str, int]]:
    text = "# Till\n\n## Requirements\n\n" + "\n".join(lines) + "\n"
    found = read_document("specs/till.md", text.encode()).findings
    return [(f.code, f.line) for f in found if f.code == "marker"]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ((OPEN,), [("marker", 5)]),
        ((f"{OPEN} {QUIET}",), []),
        ((QUIET, OPEN), []),
        ((f"{OPEN} <!-- headgate: ignore vague, marker -->",), []),
        ((f"{OPEN} <!-- headgate: ignore vague -->",), [("marker", 5)]),
        ((f"{OPEN} `{QUIET}`",), [("marker", 5)]),
        ((f"{OPEN} {QUIET}", OPEN.replace("1", "2")), [("marker", 6)]),
        ((QUIET, OPEN, OPEN.replace("1", "2")), [("marker", 7)]),
    ],
)
def test_a_comment_silences_its_line(lines: tuple[str, ...], left: list[tuple[str, int]]) -> None:
    assert told(*lines) == left


def test_findings_about_the_whole_file_cannot_be_silenced() -> None:
    text = b"# Till\n\n<!-- headgate: ignore unclosed_fence -->\n```\n### Requirement: A\n"
    assert "unclosed_fence" in {f.code for f in read_document("specs/till.md", text).findings}


@pytest.mark.parametrize("rule", rule_names())
def test_each_rule_explains_itself_and_how_to_silence_it(rule: str) -> None:
    assert f"<!-- headgate: ignore {rule} -->" in (explained(rule) or "")


def test_an_unknown_rule_is_not_explained() -> None:
    assert explained("no such rule") is None
