"""A shed of its own for each test, and a way to talk to it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tidepool.cli import main

Tidepool = Callable[..., str]


@pytest.fixture
def tidepool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tidepool:
    """`tidepool("add", "k-01", "Red kayak")` gives what was printed; a refusal fails the test."""

    def run(*arguments: str, refused: bool = False) -> str:
        code = main(["--shed", str(tmp_path / "shed.json"), *arguments])
        printed = capsys.readouterr()
        assert code == (2 if refused else 0), printed.err
        return printed.err if refused else printed.out

    return run
