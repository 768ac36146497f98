"""Git on an untrusted checkout, without its configuration.

Commands run in a throwaway repository of our own that borrows the checkout's objects: its
configuration, hooks, replace refs, filters and index have no effect. The checkout's own git folder
is asked only where HEAD points and where the objects are.
"""

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# A listing of 500,000 files is about 60 MB. More than that is refused, not read.
OUTPUT_BYTES_MAX = 128 * 1024 * 1024
GIT_TIMEOUT_SECONDS = 600.0


class CheckoutError(Exception):
    """The checkout cannot be judged; `sentence` says why, for a person."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True)
class Plumbing:
    """Git in a repository of our own (`git_dir`) over the objects of a checkout."""

    git_dir: Path
    objects: Path
    head_sha: str

    def ask_objects(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run git where it sees no files, so that no `.gitattributes` changes what it says."""
        return _run_git(self._environment(), self.git_dir, arguments, stdin)

    def _environment(self) -> dict[str, str]:
        return scrubbed_environment() | {
            "GIT_DIR": str(self.git_dir),
            "GIT_OBJECT_DIRECTORY": str(self.objects),
        }


def scrubbed_environment() -> dict[str, str]:
    """Git's environment: where programs are, and no configuration."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "",
    }


@contextmanager
def open_plumbing(checkout: Path) -> Iterator[Plumbing]:
    """Make the throwaway repository for a checkout, and remove it at the end."""
    place = checkout.resolve()
    own_git = place / ".git"
    if not own_git.exists():
        raise CheckoutError(f"{place} is not the top folder of a git checkout.")
    said = _ask_checkout(own_git, "rev-parse", "HEAD^{commit}", "--git-path", "objects")
    head_sha, _, path = said.partition("\n")
    objects = place / path
    folder = Path(tempfile.mkdtemp(prefix="headgate-git-"))
    try:
        _make_repository(folder / "git", "sha256" if len(head_sha) == 64 else "sha1")
        yield Plumbing(folder / "git", objects, head_sha)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_repository(git_dir: Path, object_format: str) -> None:
    """What `git init --bare` makes (gitrepository-layout), without a process."""
    for part in ("objects", "refs"):
        (git_dir / part).mkdir(parents=True)
    (git_dir / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    # Version 1 of the format is the one with extensions.
    config = (
        "[core]\n\trepositoryFormatVersion = 1\n\tfileMode = true\n\tbare = true\n"
        f"[extensions]\n\tobjectFormat = {object_format}\n"
    )
    (git_dir / "config").write_text(config, encoding="ascii")


# Above every `.gitattributes` of a tree (gitattributes(5)): files are the bytes of their blobs.
_NO_CONVERSION = "* -text -eol -ident -filter -working-tree-encoding\n"


def ignore_attributes(git_dir: Path) -> None:
    """From now on a repository of ours checks files out, and compares them, byte for byte."""
    place = git_dir / "info" / "attributes"
    place.parent.mkdir(exist_ok=True)
    place.write_text(_NO_CONVERSION, encoding="ascii")


def _ask_checkout(own_git: Path, *arguments: str) -> str:
    environment = scrubbed_environment() | {"GIT_DIR": str(own_git)}
    try:
        said = _run_git(environment, own_git.parent, arguments, b"")
    except CheckoutError as refusal:
        raise CheckoutError(f"{own_git.parent} has no commit checked out.") from refusal
    return os.fsdecode(said).strip()


def _run_git(
    environment: dict[str, str], folder: Path, arguments: tuple[str, ...], stdin: bytes
) -> bytes:
    command = [
        "git",
        *("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false"),
        *("-c", "protocol.allow=never", "-c", "gc.auto=0"),
        *arguments,
    ]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(stdin)
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except OSError as error:
            raise CheckoutError(f"git could not be started: {error.strerror}.") from error
        said = _read_capped(process)
        if process.returncode != 0 or len(said) > OUTPUT_BYTES_MAX:
            complaints.seek(0)
            reason = complaints.read(2_000).decode("utf-8", "replace").strip()
            if len(said) > OUTPUT_BYTES_MAX:
                reason = f"its output was longer than {OUTPUT_BYTES_MAX:,} bytes"
            raise CheckoutError(f"git {arguments[0]} could not answer: {reason or 'no reason'}.")
        return said


def _read_capped(process: subprocess.Popen[bytes]) -> bytes:
    alarm = threading.Timer(GIT_TIMEOUT_SECONDS, process.kill)
    alarm.start()
    try:
        with process:
            assert process.stdout is not None  # noqa: S101 (opened as a pipe above)
            said = process.stdout.read(OUTPUT_BYTES_MAX + 1)
            if len(said) > OUTPUT_BYTES_MAX:
                process.kill()
    finally:
        alarm.cancel()
    return said
