"""What a stated dependency names, and when it names nothing."""

import pytest

from bot.core.plan.stated_dependencies import explicit_needs
from bot.core.values.spec_model import Operation, Requirement, Spec
from tests.core.plan.kit import KEY, PATH, document, requirement, spec

NUMBERED = [requirement(f"FR-{n:03}", "cart", title=f"Step {n}") for n in range(1, 6)]


def _named(target: str, *others: Requirement) -> str:
    """The names of what the last requirement, of another domain, waits for."""
    user = requirement("U", "desk", after=[target])
    return " ".join(n.on.rpartition("#")[2] for n in explicit_needs(spec(*others, user)))


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("FR-002", "FR-002"),
        ("fr-002", "FR-002"),
        ("`FR-002`.", "FR-002"),
        ("shop#FR-002", "FR-002"),
        ("Requirement FR-002", "FR-002"),
        ("Step 2", "FR-002"),
        ("### Requirement: Step 2", "FR-002"),
        ("  step   2 ", "FR-002"),
        ("FR-002 through FR-004", "FR-002 FR-003 FR-004"),
        ("FR-002..FR-003", "FR-002 FR-003"),
        ("FR-002–003", "FR-002 FR-003"),
        ("FR-004 to FR-999999999", "FR-004 FR-005"),
        ("FR-001, FR-003 and FR-005", "FR-001 FR-003 FR-005"),
        ("FR-001, FR-004-FR-005", "FR-001 FR-004 FR-005"),
        ("FR-099", ""),
        ("FR-001 and the weather", ""),
        ("FR-004 through XX-005", ""),
        ("the existing validation", ""),
        ("", ""),
        ("**", ""),
        ("U", ""),
        ("1" * 5000, ""),
    ],
)
def test_a_target_names_ids_ranges_lists_and_exact_titles(target: str, named: str) -> None:
    assert _named(target, *NUMBERED) == named


def test_dotted_numbers_have_ranges_too() -> None:
    dotted = [requirement(f"1.{n}") for n in range(1, 7)]
    assert _named("1.2-1.4", *dotted) == "1.2 1.3 1.4"


def test_the_exact_name_of_another_domain_names_all_of_it() -> None:
    assert _named("cart", *NUMBERED[:2]) == "FR-001 FR-002"
    assert _named("desk", requirement("A", "desk")) == ""


def test_a_renamed_requirement_is_known_by_both_names() -> None:
    renamed = requirement(
        "A", "cart", title="Pay", operation=Operation.RENAMED, renamed_from="Purchase"
    )
    assert _named("Pay", renamed) == _named("purchase", renamed) == "A"


def test_a_title_of_two_requirements_refers_to_neither() -> None:
    twins = [requirement(n, "cart", title="Pay") for n in "AB"]
    assert _named("Pay", *twins) == ""


def test_an_id_refers_to_its_nearest_definition() -> None:
    """FR-001 starts again in every file."""

    def one(spec_key: str, source: str, *after: str) -> Requirement:
        plain = requirement(source, spec_key, after=after)
        return plain.model_copy(update={"id": f"{spec_key}#{source}"})

    documents = (
        document([one("a", "FR-001"), one("a", "FR-002", "FR-001")], path="a.md"),
        document([one("b", "FR-001"), one("b", "FR-002", "FR-001..FR-002")], path="b.md"),
        document([one("c", "FR-009", "FR-001", "FR-001-FR-002")], path="c.md"),
    )
    needs = explicit_needs(Spec(path=PATH, key=KEY, documents=documents))
    assert [(n.user, n.on) for n in needs] == [
        ("a#FR-002", "a#FR-001"),
        ("b#FR-002", "b#FR-001"),
    ]
