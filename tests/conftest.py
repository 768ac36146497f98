"""Every test that talks to localhub holds it to GitHub's own description, without asking for it."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from bot.localhub.traffic import subscribe, unsubscribe
from tests.testkit.onlooker import Onlooker

# The same examples every time: a hunt for others is a command of its own, not an accident in CI.
settings.register_profile("steady", derandomize=True)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def onlooker() -> Iterator[Onlooker]:
    """Looks on from the first test to the last."""
    onlooker = Onlooker()
    subscribe(onlooker)
    yield onlooker
    unsubscribe(onlooker)


@pytest.fixture(autouse=True)
def _as_github_describes_it(onlooker: Onlooker) -> Iterator[None]:
    yield
    findings = onlooker.findings()
    if findings:
        listed = "\n".join(f"  {finding}" for finding in findings)
        pytest.fail(f"GitHub does not describe it so:\n{listed}", pytrace=False)
