"""A file, folder, address or port that is wrong is named in a sentence, and the command fails."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.entry.browser_kit import free_port, headgate as started
from tests.entry.setup_kit import town
from tests.test_command_line import headgate


def _told(done_code: int, said: str) -> str:
    assert done_code != 0
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("target", ["a-file", "a-file/below"])
def test_a_backup_needs_a_folder(target: str, tmp_path: Path) -> None:
    headgate("restored", cwd=tmp_path)
    (tmp_path / "a-file").write_text("")
    done = headgate("backup", target, cwd=tmp_path)
    assert _told(done.returncode, done.stderr).startswith(f"{target} ")


def test_a_backup_of_an_empty_journal_says_so(tmp_path: Path) -> None:
    headgate("restored", cwd=tmp_path)
    done = headgate("backup", "copy", cwd=tmp_path)
    assert done.returncode == 0
    assert "The journal has no repository yet" in done.stderr


@pytest.mark.parametrize(
    ("seed", "says"),
    [
        (None, "seed.yml: No such file"),
        ("a: [", "seed.yml:1: "),
        ("7", "seed.yml: the file: "),
        ("users: [ada]\npeople: [eve]", "seed.yml: people: "),
        ("users: [ada]\nrepositories: [{name: ada/shop, directory: gone}]", "no folder"),
        ("users: [ada]\nrepositories: [{name: eve/shop}]", "eve is not among the `users`"),
        ("users: [ada]\nrepositories: [{name: ada/a, collaborators: {eve: read}}]", "eve is not"),
    ],
)
def test_an_invalid_seed_is_reported(seed: str | None, says: str, tmp_path: Path) -> None:
    if seed is not None:
        (tmp_path / "seed.yml").write_text(seed)
    done = headgate("localhub", "--seed", "seed.yml", cwd=tmp_path)
    assert says in _told(done.returncode, done.stderr)
    assert len(done.stderr.splitlines()) == 1


def test_the_runner_doctor_continues_after_an_invalid_server_address(tmp_path: Path) -> None:
    done = headgate("runner", "doctor", "--server", "nonsense", "--json", cwd=tmp_path)
    found = {f["name"]: f for f in json.loads(done.stdout)["findings"]}
    assert found["egress"]["health"] == "missing"
    assert "nonsense" in _told(done.returncode, found["egress"]["says"])


MISTAKES = "version: 1\ncolour: red\nbudget: 1\ngates: {unit: {}}\nsizes: []\n"


@pytest.mark.parametrize("command", [("models", "explain"), ("gates", "explain", "fix")])
def test_all_mistakes_in_a_policy_are_reported(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "mine.yml").write_text(MISTAKES)
    done = headgate(*command, "--policy", "mine.yml", cwd=tmp_path)
    lines = _told(done.returncode, done.stderr).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["mine.yml:2", "mine.yml:3", "mine.yml:5"]


@pytest.mark.parametrize("command", [("models", "explain"), ("gates", "explain", "fix")])
@pytest.mark.parametrize("policy", ["gone.yml", "."])
def test_a_missing_policy_file_is_reported(
    command: tuple[str, ...], policy: str, tmp_path: Path
) -> None:
    done = headgate(*command, "--policy", policy, cwd=tmp_path)
    assert policy in _told(done.returncode, done.stderr)
    assert headgate(*command, cwd=tmp_path).returncode != 2


def test_many_mistakes_of_a_policy_are_counted(tmp_path: Path) -> None:
    (tmp_path / "mine.yml").write_text("".join(f"no{n}: 1\n" for n in range(14)))
    done = headgate("models", "explain", "--policy", "mine.yml", cwd=tmp_path)
    assert len(done.stderr.splitlines()) == 11
    assert done.stderr.endswith("… and 4 more.\n")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HEADGATE_PUBLIC_URL", "headgate.example.com"),
        ("HEADGATE_GITHUB_API_URL", "ftp://github.example.com"),
        ("HEADGATE_GATEWAY_URL", "https://"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_an_invalid_address_or_log_level_is_reported_with_its_setting(
    name: str, value: str, tmp_path: Path
) -> None:
    done = headgate("doctor", cwd=tmp_path, **{name: value})
    assert _told(done.returncode, done.stderr).splitlines()[1].startswith(f"  {name}: ")


def test_a_level_may_be_in_capitals(tmp_path: Path) -> None:
    assert "Settings" not in headgate("doctor", cwd=tmp_path, LOG_LEVEL="DEBUG").stderr


def test_the_doctor_names_misspelt_settings_in_any_place(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("HEADGATE_PUBLIC_ULR=https://headgate.example.com\n")
    done = headgate("doctor", "--json", cwd=tmp_path, HEADGATE_WORKRS="3", HEADGATE_DOMAIN="a.b")
    (found,) = [f for f in json.loads(done.stdout)["findings"] if f["name"] == "settings"]
    assert found["health"] == "absent"
    assert found["how"] == "did you mean HEADGATE_WORKERS, HEADGATE_PUBLIC_URL?"


def test_the_doctor_misses_a_settings_file_that_was_named(tmp_path: Path) -> None:
    done = headgate("doctor", "--json", cwd=tmp_path, HEADGATE_SETTINGS=str(tmp_path / "gone.env"))
    (found,) = [f for f in json.loads(done.stdout)["findings"] if f["name"] == "settings"]
    assert (found["health"], "gone.env" in found["says"]) == ("absent", True)


@pytest.fixture
def taken() -> Iterator[str]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield str(other.getsockname()[1])


@pytest.mark.parametrize("command", ["serve", "setup"])
def test_a_command_reports_a_port_in_use_with_its_setting(
    command: str, taken: str, tmp_path: Path
) -> None:
    # The code of a set-up that was broken off.
    (tmp_path / "var").mkdir(mode=0o700)
    (tmp_path / "var" / "setup-code").write_text("stale")
    done = headgate(command, cwd=tmp_path, HEADGATE_PORT=taken)
    assert "set HEADGATE_PORT to a free port" in _told(done.returncode, done.stderr)
    assert "code=" not in done.stderr


def test_setup_beside_a_server_without_an_app_shows_the_servers_link(
    tmp_path: Path,
) -> None:
    port = free_port()
    with town(tmp_path) as place, started(place, "up", HEADGATE_PORT=port) as output:
        link = output(r"http://\S+/setup\?code=\S+")
        with started(place, "setup", HEADGATE_PORT=port) as said:
            assert said(r"http://\S+/setup\?code=\S+") == link
        # What other programs say of themselves is not what people read first.
        assert "overcommit" not in output(r"(?s)\A.*headgate is up")
        assert (place.folder / "var" / "valkey.log").exists()
