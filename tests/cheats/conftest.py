"""The stage, once for all of a session."""

from collections.abc import Iterator

import pytest

from tests.cheats.stage import Stage, stage


@pytest.fixture(scope="session")
def the_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("stage")) as prepared:
        yield prepared
