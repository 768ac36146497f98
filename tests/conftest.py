"""Every test that talks to localhub holds it to GitHub's own description, without asking for it."""

from collections.abc import Iterator

import pytest

from bot.localhub.witness import look_away, look_on
from tests.testkit.onlooker import Onlooker


@pytest.fixture(scope="session")
def onlooker() -> Iterator[Onlooker]:
    """Looks on from the first test to the last."""
    onlooker = Onlooker()
    look_on(onlooker)
    yield onlooker
    look_away(onlooker)


@pytest.fixture(autouse=True)
def _as_github_describes_it(onlooker: Onlooker) -> Iterator[None]:
    yield
    findings = onlooker.findings()
    if findings:
        listed = "\n".join(f"  {finding}" for finding in findings)
        pytest.fail(f"GitHub does not describe it so:\n{listed}", pytrace=False)
