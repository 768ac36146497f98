"""Blobs in a folder: named by content, complete or absent, and nothing else."""

import functools
import hashlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bot.adapters.blobs.folder import FolderBlobs
from bot.core.values.ids import Digest
from tests.adapters_store.racing import race


def _files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file()]


def test_a_blob_is_read_by_its_digest(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    digest = blobs.put(b"bundle")
    assert digest == hashlib.sha256(b"bundle").hexdigest()
    assert FolderBlobs(tmp_path).get(digest) == b"bundle"
    assert blobs.get(Digest("0" * 64)) is None
    assert blobs.put(b"") == hashlib.sha256(b"").hexdigest()
    assert blobs.get(blobs.put(b"")) == b""


def test_storing_the_same_bytes_twice_keeps_one_file(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    digest = blobs.put(b"x")
    (file,) = _files(tmp_path)
    before = file.stat().st_mtime_ns
    assert blobs.put(b"x") == digest
    assert _files(tmp_path) == [file]
    assert file.stat().st_mtime_ns == before


def test_concurrent_writers_of_the_same_blob_leave_one_complete_file(tmp_path: Path) -> None:
    content = b"a large one" * 200_000
    digests = race([functools.partial(FolderBlobs(tmp_path).put, content) for _ in range(6)])
    assert len(set(digests)) == 1
    assert [f.read_bytes() for f in _files(tmp_path)] == [content]


def test_a_partial_file_left_by_a_crash_is_not_a_blob(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    digest = blobs.put(b"whole")
    (file,) = _files(tmp_path)
    (file.parent / "tmp1234").write_bytes(b"who")
    assert blobs.get(digest) == b"whole"
    assert blobs.get(Digest("tmp1234")) is None


@pytest.mark.parametrize(
    "name",
    ["", "..", "../secret", "/etc/passwd", "a" * 63, "A" * 64, "a" * 64 + "\n", "x\x00", "."],
)
def test_a_name_that_is_not_a_digest_finds_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("key")
    assert FolderBlobs(tmp_path / "blobs").get(Digest(name)) is None


@given(st.text(max_size=80))
def test_no_name_raises_or_leaves_the_folder(name: str) -> None:
    assert FolderBlobs(Path(__file__).parent).get(Digest(name)) is None
