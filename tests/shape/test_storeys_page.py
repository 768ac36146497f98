"""The picture of the storeys is what the imports are."""

import grimp

from tests.shape.storeys_page import drawn, imports_between, storeys_page

UNITS = ["a", "b", "c"]


def graph(*imports: tuple[str, str]) -> grimp.ImportGraph:
    """A graph with these imports."""
    made = grimp.ImportGraph()
    for importer, imported in imports:
        made.add_import(importer=importer, imported=imported)
    return made


def test_modules_that_import_each_other_inside_a_unit_give_no_arrow() -> None:
    found = imports_between(UNITS, graph(("a.x", "a.y"), ("a.x", "b.x"), ("a.y", "b.y")))

    assert found == {("a", "b")}


def test_an_arrow_that_follows_from_others_is_not_drawn() -> None:
    assert drawn({("a", "b"), ("b", "c"), ("a", "c")}) == [("a", "b"), ("b", "c")]
    assert drawn({("a", "c"), ("b", "c")}) == [("a", "c"), ("b", "c")]


def test_the_picture_shows_the_layers_in_order() -> None:
    page = storeys_page()

    assert "    decide --> talk\n    journal --> prompts\n" in page
    assert "values -->" not in page
