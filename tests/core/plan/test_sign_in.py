"""Accounts come before sign-in, and sign-in before requirements about signed-in people."""

import pytest

from bot.core.spec.read import read_spec
from tests.core.plan.test_authored import cut, waits


def waiting(*titles: str) -> set[tuple[str, str]]:
    told = "\n".join(
        f"### Requirement {n}: {title}\n\n#### Acceptance Criteria\n\n"
        + "".join(f"{c}. WHEN {n} is asked THEN the gate SHALL do {c}\n" for c in range(1, 7))
        for n, title in enumerate(titles, 1)
    )
    path = ".kiro/specs/gate/requirements.md"
    of = read_spec(path, {path: f"# Requirements\n\n{told}".encode()})
    assert len(cut(of)) == len(titles)
    return {(user, on) for user, on, _ in waits(of)}


REST = ("Numbers of tickets", "Colours of tickets", "Prices of tickets")


@pytest.mark.parametrize(
    "title",
    [
        "Sign out",
        "Logout",
        "Token refresh",
        "Session management",
        "Protected routes",
        "Route guards",
        "Authentication middleware",
        "User profile",
        "Change password",
        "Déconnexion",
        "Cierre de sesión",
        "会话管理",
        "ログアウト",
    ],
)
def test_pages_of_the_signed_in_user_wait_for_sign_in(title: str) -> None:
    found = waiting("Numbers of tickets", "User login", title, "Colours of tickets")
    assert (title, "User login") in found
    assert ("Colours of tickets", "User login") not in found


def test_a_wish_of_a_signed_in_user_waits_for_sign_in() -> None:
    # So many ways in are what the page is about, and not what all else stands behind.
    ways = ("User login", "Login by mail", "Login by telephone", "Login by card")
    wish = "As a signed-in guest, I want to see my seats"
    found = waiting(*REST, *ways, wish, "Sizes of tickets")
    assert [on for user, on in found if user.endswith("eats")] == ["User login"]


def test_signing_in_waits_for_accounts() -> None:
    titles = ("Numbers of tickets", "Account registration", "Colours of tickets", "User login")
    assert ("User login", "Account registration") in waiting(*titles)


def test_a_new_password_waits_for_accounts_and_for_no_sign_in() -> None:
    titles = (
        "Numbers of tickets",
        "Account registration",
        "Colours of tickets",
        "User login",
        "Password reset",
    )
    found = waiting(*titles)
    assert ("Password reset", "Account registration") in found
    assert ("Password reset", "User login") not in found


def test_a_login_that_also_makes_tokens_is_the_sign_in() -> None:
    titles = ("Numbers of tickets", "Login and token generation", "Token refresh", *REST[1:])
    assert ("Token refresh", "Login and token generation") in waiting(*titles)


def test_a_page_after_the_login_is_not_the_sign_in() -> None:
    titles = ("Numbers of tickets", "Session after login", "Sign in", "Sign out", *REST[1:])
    found = waiting(*titles)
    assert ("Sign out", "Sign in") in found
    assert ("Sign out", "Session after login") not in found


def test_requirements_before_the_sign_in_do_not_wait_for_it() -> None:
    assert (
        waiting("Token refresh", "Numbers of tickets", "User login", "Colours of tickets") == set()
    )


def test_infrastructure_does_not_wait_for_an_earlier_sign_in() -> None:
    titles = ("User login", "System infrastructure and deployment", "Tickets", "Colours", "Prices")
    found = waiting(*titles)
    assert ("Tickets", "User login") in found
    assert ("System infrastructure and deployment", "User login") not in found
