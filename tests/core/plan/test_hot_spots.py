"""Resources that several changes touch, by spelling and by the naming change."""

import pytest

from bot.core.plan.hot_spots import HotSpot, ResourceKind, Sharing, hot_spots, kind_of
from bot.core.values.spec_model import Requirement
from tests.core.plan.kit import change, requirement, spec


@pytest.mark.parametrize(
    ("resource", "kind"),
    [
        ("package-lock.json", ResourceKind.SHARED_FILE),
        ("web/uv.lock", ResourceKind.SHARED_FILE),
        ("src/app/router.ts", ResourceKind.SHARED_FILE),
        ("config.yaml", ResourceKind.SHARED_FILE),
        ("db/migrations/0001_init.sql", ResourceKind.SHARED_FILE),
        ("locales/de.json", ResourceKind.SHARED_FILE),
        ("src/app/cart.py", ResourceKind.FILE),
        ("README.md", ResourceKind.DOCUMENT),
        ("../other/cart.py", ResourceKind.DOCUMENT),
        ("docs/requirements.md", ResourceKind.DOCUMENT),
        ("requirements-dev.txt", ResourceKind.SHARED_FILE),
        ("POST /orders/{id}", ResourceKind.ROUTE),
        ("/orders", ResourceKind.ROUTE),
        ("LedgerEntry", ResourceKind.NAME),
        ("user_id", ResourceKind.NAME),
        ("Ledger", ResourceKind.NAME),
        ("cart.total", ResourceKind.NAME),
        ("run()", ResourceKind.NAME),
        ("true", ResourceKind.WORD),
        ("GET", ResourceKind.WORD),
        ("404", ResourceKind.WORD),
        ("two words", ResourceKind.WORD),
    ],
)
def test_the_kind_of_a_resource_is_read_from_its_spelling(
    resource: str, kind: ResourceKind
) -> None:
    assert kind_of(resource) is kind


def _spots(*requirements: Requirement) -> tuple[HotSpot, ...]:
    """The hot spots where every requirement is a change of its own name, in lower case."""
    changes = [change(str(r.source_id).lower(), [str(r.source_id)]) for r in requirements]
    found = hot_spots(changes, spec(*requirements))
    assert hot_spots(changes[::-1], spec(*requirements)) == found
    return found


def test_a_file_of_two_changes_is_a_hint_and_of_three_domains_has_an_owner() -> None:
    two = [requirement(n, n, resources=["cart.py"]) for n in "AB"]
    assert _spots(*two) == (
        HotSpot(
            resource="cart.py",
            kind=ResourceKind.FILE,
            sharing=Sharing.ONE_AFTER_ANOTHER,
            changes=("a", "b"),
            evidence=("specs/shop.md:1 'cart.py'", "specs/shop.md:11 'cart.py'"),
        ),
    )
    three = [*two, requirement("C", "C", title="The file cart.py", resources=["cart.py"])]
    assert [s.sharing for s in _spots(*three)] == [Sharing.OWNED]


def test_migrations_conflict_by_folder() -> None:
    (spot,) = _spots(
        requirement("A", resources=["db/migrations/0001_a.sql"]),
        requirement("B", resources=["db/migrations/0002_b.sql"]),
    )
    assert (spot.resource, spot.sharing) == ("db/migrations/", Sharing.OWNED)


@pytest.mark.parametrize(
    "definition",
    [
        {"title": "The Ledger"},
        {"statement": "The shop MUST provide the `Ledger`."},
        {"statement": "The shop SHALL expose a public Ledger to all."},
    ],
)
def test_the_definer_of_a_resource_owns_it(definition: dict[str, str]) -> None:
    named = [requirement(n, n, resources=["Ledger"]) for n in "AC"]
    definer = requirement("B", "B", resources=["Ledger"]).model_copy(update=definition)
    (spot,) = _spots(named[0], definer, named[1])
    assert spot.changes == ("b", "a", "c")


def test_a_resource_without_a_definition_has_no_owner() -> None:
    assert _spots(*(requirement(n, n, resources=["Ledger"]) for n in "ABC")) == ()


@pytest.mark.parametrize("word", ["status", "name", "true", "record"])
def test_an_everyday_word_that_is_set_or_stored_has_no_owner(word: str) -> None:
    statement = f"The system MUST store `{word}` and show it."
    said = [requirement(n, n, statement=statement, resources=[word]) for n in "ABC"]
    assert _spots(*said) == ()


def test_everyday_words_are_resources_only_if_defined() -> None:
    plain = [requirement(n, n, resources=["ledger"]) for n in "ABC"]
    assert _spots(*plain) == ()
    defined = requirement("D", "D", title="The ledger", resources=["ledger"])
    assert [s.changes[0] for s in _spots(*plain, defined)] == ["d"]


def test_a_word_defined_by_many_or_used_by_most_has_no_owner() -> None:
    many = [
        requirement(n, n, statement=f"The shop MUST define a Cart of {n}.", resources=["Cart"])
        for n in "ABCD"
    ]
    assert _spots(*many) == ()
    most = [requirement(f"R{n}", f"d{n}", resources=["Cart"] * (n < 5)) for n in range(10)]
    assert _spots(*most) == ()
    some = [requirement(f"R{n}", f"d{n}", resources=["Cart"] * (n < 3)) for n in range(9)]
    some.append(requirement("R9", "d9", title="Cart", resources=["Cart"]))
    assert [spot.changes[0] for spot in _spots(*some)] == ["r9"]


def test_a_document_that_many_cite_makes_no_dependency() -> None:
    assert _spots(*(requirement(n, n, resources=["docs/vision.md"]) for n in "ABC")) == ()


def test_a_resource_of_one_change_is_not_a_hot_spot() -> None:
    members = [requirement(n, n, resources=["package.json"]) for n in "ABC"]
    assert hot_spots([change("one", "ABC")], spec(*members)) == ()
