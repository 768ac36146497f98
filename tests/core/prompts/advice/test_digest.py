"""What a model is asked about requirements, and that observations need words of the text."""

import json

import pytest

from bot.core.prompts.digest_prompt import (
    DigestPromptInput,
    Observation,
    ObservationKind,
    SpecSource,
    groups_of,
    prompt_id,
    source_of,
    weighed,
)
from bot.core.spec.read import read_spec
from bot.core.values.ids import Sha
from bot.core.values.spec_model import Spec
from tests.testkit.specs import requirement, spec

PATH = "specs/shop.md"
TEXT = spec(
    requirement("TILL", says="The till SHALL print a receipt\nfor a sale. <!-- ask Bea -->"),
    requirement("DOOR", says="The door SHALL stay shut while the till is open."),
)


def source(text: str = TEXT) -> SpecSource:
    files = {PATH: text.encode()}
    return source_of(read_spec(PATH, files), files)


def question(read: SpecSource, *areas: str) -> DigestPromptInput:
    texts = tuple(r.text_hash for r in read.spec.requirements if r.domain in areas)
    return DigestPromptInput(reader="pull:1", path=PATH, commit=Sha("0" * 40), texts=texts)


def answer(area: str, quote: str, kind: str = "ambiguity", against: str = "") -> str:
    one = {
        "requirement": f"specs.shop#REQ-{area}-01",
        "quote": quote,
        "kind": kind,
        "question": "Which?",
        "against": against and f"specs.shop#REQ-{against}-01",
    }
    return json.dumps({"observations": [one]})


def kept(text: str, *areas: str) -> list[Observation]:
    read = source()
    found = weighed(question(read, *(areas or ("TILL", "DOOR"))), text, read)
    observations = [one for seen in found.noticed.values() for one in seen]
    assert len(observations) + found.dropped == 1
    return observations


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("SHALL print a receipt", 6),
        ("print a receipt for a sale.", 6),
        ("for a sale.", 7),
        ("Make the till work", 5),
        ("**THEN** it works", 11),
    ],
)
def test_a_quotation_is_found_at_the_line_where_it_begins(words: str, line: int) -> None:
    (one,) = kept(answer("TILL", words))
    till = source().spec.requirements[0]
    assert till.line_start + one.offset == line


@pytest.mark.parametrize(
    "words",
    [
        "SHALL print two receipts",
        "shall print a receipt",
        "SHALL stay shut while",
        "ask Bea about it",
        "ask Bea -->",
        "a sale",
        "",
        "   ",
    ],
)
def test_a_quotation_that_is_not_in_the_requirement_is_dropped(
    words: str,
) -> None:
    assert kept(answer("TILL", words)) == []


def test_advice_about_other_requirements_is_dropped() -> None:
    assert kept(answer("DOOR", "SHALL stay shut"), "TILL") == []
    assert kept(answer("CASH", "SHALL stay shut")) == []


def test_a_contradiction_names_another_requirement_of_the_spec() -> None:
    shut = "while the till is open"
    till = source().spec.requirements[0].text_hash
    assert [o.against for o in kept(answer("DOOR", shut, "contradiction", "TILL"))] == [till]
    assert kept(answer("DOOR", shut, "contradiction", "DOOR")) == []
    assert kept(answer("DOOR", shut, "contradiction", "CASH")) == []
    assert kept(answer("DOOR", shut, "contradiction")) == []
    assert [o.against for o in kept(answer("DOOR", shut, "ambiguity", "TILL"))] == [""]


def test_every_text_that_was_read_has_an_entry() -> None:
    read = source()
    found = weighed(question(read, "TILL", "DOOR"), '{"observations": []}', read)
    assert list(found.noticed.values()) == [(), ()]


def test_a_reader_is_a_pull_or_a_spec_run() -> None:
    about = question(source(), "TILL")
    assert about.pull == 1
    assert about.model_copy(update={"reader": "specs.pull@12345678"}).pull is None


def test_kinds_are_a_closed_list() -> None:
    assert set(ObservationKind) == {"ambiguity", "contradiction", "missing_case", "undefined_term"}


def test_the_same_texts_share_one_prompt() -> None:
    texts = tuple(r.text_hash for r in source().spec.requirements)
    assert prompt_id(PATH, texts) == prompt_id(PATH, texts)
    assert prompt_id(PATH, texts) != prompt_id(PATH, texts[:1])
    assert prompt_id(PATH, texts) != prompt_id("specs/other.md", texts)


def _many(count: int, words: int = 8) -> Spec:
    says = "The till SHALL work. " + "word " * words
    text = spec(*(requirement(f"A{at}", says=says) for at in range(count)))
    return source(text).spec


@pytest.mark.parametrize(
    ("count", "words", "sizes"),
    [(0, 8, []), (24, 8, [24]), (25, 8, [24, 1]), (3, 3_000, [1, 1, 1]), (1, 9_000, [1])],
)
def test_a_prompt_holds_a_limited_number_of_requirements(
    count: int, words: int, sizes: list[int]
) -> None:
    requirements = _many(count, words).requirements if count else ()
    groups = groups_of(requirements)
    assert [len(g) for g in groups] == sizes
    assert tuple(r for g in groups for r in g) == requirements
