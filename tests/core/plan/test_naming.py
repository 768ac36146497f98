"""Slugs that a branch can bear and titles that people can read."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.naming import SLUG, SLUG_MAX, slugify
from tests.core.plan.kit import requirement, spec


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Pay by card", "pay-by-card"),
        ("User's `login` (v2)", "users-login-v2"),
        ("Größe ändern", "grosse-andern"),
        ("Złoto i łódź", "zloto-i-lodz"),
        ("feature.lock", "feature-lock"),
        ("../../etc", "etc"),
        ("用户登录", ""),
        ("word " * 20, "word-word-word-word-word-word-word-word-word"),
        ("x" * 100, "x" * SLUG_MAX),
        ("", ""),
    ],
)
def test_a_slug_is_ascii_words(text: str, slug: str) -> None:
    assert slugify(text) == slug


def _slugs(*titles: str, domain: str = "cart") -> list[str]:
    requirements = [requirement(f"Ü{n}", domain, title=t) for n, t in enumerate(titles)]
    return [c.slug for c in plan(spec(*requirements)).changes]


def test_a_whole_domain_bears_its_name_and_a_piece_says_more() -> None:
    assert _slugs("Pay", "Return") == ["cart"]
    titles = [f"Step {letter}" for letter in "abcdefgh"]
    assert _slugs(*titles) == ["cart-step-a", "cart-step-e"]
    assert _slugs(*titles, domain="") == ["step-a", "step-e"]


def test_slugs_are_unique() -> None:
    requirements = [requirement(n, f"domain {n}", title="Pay") for n in "ABC"]
    slugs = [c.slug for c in plan(spec(*requirements)).changes]
    assert slugs == ["domain-a-pay", "domain-b-pay", "domain-c-pay"]
    same = [requirement(n, domain, title="Pay") for n, domain in [("A", "x y"), ("B", "x-y")]]
    assert [c.slug for c in plan(spec(*same)).changes] == ["x-y-pay", "x-y-pay-2"]


def test_letters_without_ascii_fall_back_on_the_id_then_on_a_hash() -> None:
    by_id = requirement("FR-7", title="用户必须能够在 24 小时内登录 API")
    by_hash = by_id.model_copy(update={"source_id": None, "id": "登录#登录"})
    assert [c.slug for c in plan(spec(by_id)).changes] == ["fr-7"]
    (change,) = plan(spec(by_hash)).changes
    assert SLUG.fullmatch(change.slug)
    assert change.slug.startswith("part-")


def test_a_domain_without_ascii_is_called_by_its_first_requirement() -> None:
    requirements = [requirement(f"FR-{n}", "会话", title="登录") for n in (1, 2)]
    assert [c.slug for c in plan(spec(*requirements)).changes] == ["fr-1"]
    users = [requirement(f"U{n}", f"user {n}", after=["FR-1", "FR-2"]) for n in (1, 2)]
    (contract, *_) = plan(spec(*requirements, *users)).changes
    assert contract.slug == "fr-1-contract"


def test_a_sentence_for_a_title_gives_way_to_the_id() -> None:
    sentence = "The system MUST allow every user to sign in with a password and a code"
    one = requirement("FR-001", "login", title=sentence)
    assert [c.slug for c in plan(spec(one)).changes] == ["login-fr-001"]
    nameless = one.model_copy(update={"source_id": None})
    (change,) = plan(spec(nameless)).changes
    assert change.slug == "login-the-system-must-allow-every-user-to-sign"


def test_titles_name_the_domain_and_what_comes_first() -> None:
    requirements = [requirement(n, "user-auth", title=f"Do {n}") for n in "ABC"]
    (change,) = plan(spec(*requirements)).changes
    assert change.title == "User auth: Do A, Do B and 1 more"
    (whole,) = plan(spec(requirement("A"), requirement("B"))).changes
    assert whole.title == "Title of A, Title of B"


def test_long_titles_are_cut_so_that_each_name_shows() -> None:
    (one,) = plan(spec(requirement("A", title="very " * 50))).changes
    assert (len(one.title), one.title[-1]) == (120, "…")
    (two,) = plan(spec(*(requirement(n, title=f"{n} " + "very " * 50) for n in "AB"))).changes
    assert (
        two.title
        == "A very very very very very very very ve…, B very very very very very very very ve…"
    )
