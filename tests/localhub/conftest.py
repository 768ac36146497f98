"""Fixtures of localhub's stories."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.localhub.kit import Stage, stage


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Stage]:
    """A served hub with a private repository, a user and an installed App."""
    with stage(tmp_path) as one:
        yield one
