"""The Actions service over HTTP, on a host without a hub."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.localhub_actions.kit import Box, box


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Box]:
    with box(tmp_path) as served:
        yield served
