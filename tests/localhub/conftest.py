"""Fixtures of localhub's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.localhub.kit import Box, served_box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A served hub with a private repository, a user and an installed App."""
    with served_box(tmp_path) as one:
        yield one
