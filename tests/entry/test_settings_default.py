"""The default folder for Headgate's data."""

from pathlib import Path

import pytest

from bot.entry.settings import Settings


def test_the_default_folder_is_the_users_state_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("HEADGATE_VAR", raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().var == tmp_path / ".local" / "state" / "headgate"
    monkeypatch.setenv("XDG_STATE_HOME", "/var/state")
    assert Settings().var == Path("/var/state/headgate")
