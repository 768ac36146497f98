"""Which texts raise a question, which block, and which raise no finding."""

import pytest

from bot.core.spec.read import read_document, read_spec
from bot.core.spec.triage.triage import Strictness, ranked, stops
from bot.core.values.spec_model import Severity, SpecDocument

PATH = "openspec/specs/a/spec.md"
SCENARIO = "\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n"


def read(statement: str, scenario: str = SCENARIO) -> SpecDocument:
    text = f"## Purpose\nx\n\n## Requirements\n\n### Requirement: A\n{statement}\n{scenario}"
    return read_document(PATH, text.encode())


def found(document: SpecDocument) -> set[tuple[str, str]]:
    return {(f.code, f.severity.value) for f in document.findings}


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("It SHALL work. TBD", ("marker", "block")),
        ("It SHALL work. TODO: more", ("marker", "block")),
        ("It SHALL do [NEEDS CLARIFICATION: what?]", ("marker", "block")),
        ("系统必须支持，细节待定。", ("marker", "block")),
        ("System MUST [specific capability]", ("template", "block")),
        ("It SHALL be fast.", ("vague", "warn")),
        ("It SHALL show an appropriate list.", ("vague", "warn")),
        ("It SHALL end gracefully.", ("vague", "warn")),
        ("Le système DOIT répondre rapidement à la demande des gens.", ("vague", "warn")),
        ("El sistema DEBE ser rápido para los usuarios que lo usan.", ("vague", "warn")),
        ("系统必须快速响应用户的所有请求。", ("vague", "warn")),
        ("It SHALL work. [ASSUMPTION: one server]", ("assumption", "info")),
        ("", ("empty_body", "ask")),
    ],
)
def test_each_signal_in_a_text_gives_its_finding(statement: str, finding: tuple[str, str]) -> None:
    assert finding in found(read(statement))


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("It SHALL show a `fast` badge.", "vague"),
        ('It SHALL show "quick practice".', "vague"),
        ("It SHALL offer a Clear button.", "vague"),
        ("It SHALL be fast: 200 ms for a page.", "vague"),
        ("It SHALL show an appropriate error message.", "vague"),
        ("It SHALL end gracefully with a message for each file.", "vague"),
        ("It SHALL end gracefully (state is kept).", "vague"),
        ("O sistema DEVE guardar uma forma adequada à leitura futura dos dados.", "vague"),
        ("系统必须使用闭包表快速查询所有用户的评论。", "vague"),
        ("It SHALL print `TODO: implement`.", "marker"),
        ("Guarda TODO lo que el usuario escribe para que no se pierda.", "marker"),
        ("The todo app SHALL list all of the entries.", "marker"),
        ("See [title](a.md); it SHALL link.", "template"),
    ],
)
def test_ordinary_words_raise_no_finding(statement: str, code: str) -> None:
    assert code not in {c for c, _ in found(read(statement))}


def test_missing_criteria_are_asked_once_if_no_requirement_has_any() -> None:
    text = "## Requirements\n" + "".join(f"- **REQ-A-{n}**: It MUST do {n}.\n" for n in range(1, 6))
    document = read_document("a.md", text.encode())
    assert [f.code for f in document.findings].count("no_scenario") == 1


def test_a_when_without_a_then_is_a_question() -> None:
    document = read("It SHALL.", "\n#### Scenario: S\n- **WHEN** a\n")
    assert ("no_then", "ask") in found(document)


def test_an_undefined_id_is_asked_about() -> None:
    document = read_document(
        "a.md",
        b"## Requirements\n- REQ-A-1: as REQ-A-7 says\n- REQ-A-2: as REQ-A-1\n- REQ-A-3: c\n",
    )
    (finding,) = [f for f in document.findings if f.code == "dangling_ref"]
    assert (finding.line, "REQ-A-7" in finding.question) == (2, True)


def test_ids_of_another_document_raise_no_question() -> None:
    text = b"## Requirements\n- REQ-A-1: closes F-7\n- REQ-A-2: b\n- REQ-A-3: c\n- F-5: It MUST.\n"
    assert "dangling_ref" not in {f.code for f in read_document("a.md", text).findings}


def test_a_requirement_may_say_of_something_else_that_it_is_out_of_scope() -> None:
    text = b"## Requirements\n- REQ-A-1: It MUST pay; tips are out of scope.\n- REQ-A-2: b\n"
    assert "out_of_scope_conflict" not in {f.code for f in read_document("a.md", text).findings}


def test_other_numbers_for_one_thing_contradict() -> None:
    document = read_document(
        "a.md",
        b"## Requirements\n- REQ-A-1: The session timeout is 30 min.\n- REQ-A-2: The session timeout is 15 min.\n"
        b"- REQ-A-3: The cache timeout is 1 min.\n- REQ-A-4: The cache timeout is 60 s.\n",
    )
    (finding,) = [f for f in document.findings if f.code == "contradiction"]
    assert finding.line == 3


def test_must_and_must_not_contradict() -> None:
    document = read_document(
        "a.md",
        b"## Requirements\n- REQ-A-1: The shop MUST show the price of every product.\n"
        b"- REQ-A-2: The shop MUST NOT show the price of every product.\n",
    )
    assert "contradiction" in {f.code for f in document.findings}


def test_a_requirement_stated_as_out_of_scope_is_asked_about() -> None:
    document = read_document(
        "a.md", b"## Requirements\n- REQ-A-1: pay\n\n## Scope\n\nREQ-A-1 is out of scope for now.\n"
    )
    assert ("out_of_scope_conflict", "ask") in found(document)


def test_strict_policy_stops_at_questions_and_lenient_only_at_blocks() -> None:
    path = "specs/a.md"
    text = b"## Requirements\n- REQ-A-1: It MUST be fast. TBD\n- REQ-A-2: as REQ-A-7 says\n- REQ-A-3: It MUST.\n"
    spec = read_spec(path, {path: text})
    assert {f.code for f in stops(spec, Strictness.LENIENT)} == {"marker"}
    assert {f.code for f in stops(spec, Strictness.STRICT)} == {"marker", "dangling_ref"}
    assert ranked(spec)[0].severity is Severity.BLOCK
