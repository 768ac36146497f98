"""One small repository for each story."""

from pathlib import Path

import pytest

from tests.gates.checkouts import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "checkout")
