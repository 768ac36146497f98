"""The scripted model as a process of its own."""

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from anthropic import Anthropic

from bot.localhub.model_server.__main__ import main

STARTED_WITHIN_SECONDS = 30


def wait_for_port(port: int) -> None:
    """Return once something listens."""
    deadline = time.monotonic() + STARTED_WITHIN_SECONDS
    pause = threading.Event()
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        pause.wait(0.05)
    raise AssertionError(f"nothing listens on {port}")


@pytest.mark.slow
def test_a_script_file_is_served(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("version: 1\nscenes: [{name: a, turns: [{text: Hello}]}]\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "bot.localhub.model_server"]
    server = subprocess.Popen([*command, "--script", str(script), "--port", str(port)])
    try:
        wait_for_port(port)
        with Anthropic(api_key="any", base_url=f"http://127.0.0.1:{port}") as client:
            answer = client.messages.create(
                model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}]
            )
        assert answer.content[0].type == "text"
        assert answer.content[0].text == "Hello"
    finally:
        server.terminate()
        server.wait()


def test_an_invalid_script_is_reported_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "wrong.yaml"
    script.write_text("version: 1\nscenes:\n  - name: a\n")
    assert main(["--script", str(script), "--port", "1"]) == 2
    assert "wrong.yaml:3: " in capsys.readouterr().err
    assert main(["--script", str(tmp_path / "none.yaml"), "--port", "1"]) == 2
    assert "none.yaml" in capsys.readouterr().err
