"""The house of the stories, fresh for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.testkit.house import House, house


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    """A repository with a policy and one gate, Headgate installed, nothing pushed yet."""
    with house(tmp_path) as story:
        yield story
