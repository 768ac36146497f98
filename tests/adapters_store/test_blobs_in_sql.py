"""Blobs in a database: every machine finds them, complete or not at all."""

import functools
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from bot.adapters.blobs.folder import FolderBlobs
from bot.adapters.store.blobs import PART_BYTES, SqlBlobs
from bot.adapters.store.tables import blob_parts
from bot.core.values.ids import Digest
from bot.entry.settings import Settings
from bot.entry.wiring import make_ports, prepare_store
from tests.adapters_store.racing import race

pytestmark = pytest.mark.usefixtures("closing")


def _rows(engine: sa.Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(blob_parts)).scalar_one()


def test_a_blob_is_readable_from_another_machine(
    engines: Callable[[], sa.Engine], tmp_path: Path
) -> None:
    here = SqlBlobs(engines(), FolderBlobs(tmp_path / "here"))
    there = SqlBlobs(engines(), FolderBlobs(tmp_path / "there"))
    for content in (b"", b"bundle", b"x" * PART_BYTES, b"y" * (2 * PART_BYTES + 1)):
        digest = here.put(content)
        assert digest == hashlib.sha256(content).hexdigest()
        assert there.get(digest) == content
        assert there.put(content) == digest


def test_concurrent_writers_of_the_same_blob_store_it_once(
    engines: Callable[[], sa.Engine], tmp_path: Path
) -> None:
    content = b"a large one" * 200_000
    folder = FolderBlobs(tmp_path)
    digests = race([functools.partial(SqlBlobs(engines(), folder).put, content) for _ in range(4)])
    assert len(set(digests)) == 1
    assert SqlBlobs(engines(), folder).get(digests[0]) == content
    assert _rows(engines()) == len(content) // PART_BYTES + 1


def test_a_broken_upload_is_not_stored(engine: sa.Engine, tmp_path: Path) -> None:
    def breaks_off() -> Iterator[bytes]:
        yield b"half"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        SqlBlobs(engine, FolderBlobs(tmp_path)).receive(breaks_off())
    assert _rows(engine) == 0


@pytest.mark.parametrize("name", ["", "../secret", "a" * 64, "x\x00"])
def test_a_name_that_is_not_a_digest_finds_no_blob(
    engine: sa.Engine, tmp_path: Path, name: str
) -> None:
    assert SqlBlobs(engine, FolderBlobs(tmp_path)).get(Digest(name)) is None


def test_servers_with_one_database_share_no_folder(url: str, tmp_path: Path) -> None:
    machines = []
    for name in ("web", "worker"):
        settings = Settings(var=tmp_path / name, database_url=url, private_key=SecretStr("key"))
        prepare_store(settings)
        machines.append(make_ports(settings, name))
    web, worker = machines
    assert worker.blobs.get(web.blobs.put(b"an agent's work")) == b"an agent's work"


def test_blobs_stored_earlier_in_the_folder_are_found(url: str, tmp_path: Path) -> None:
    settings = Settings(var=tmp_path, database_url=url, private_key=SecretStr("key"))
    prepare_store(settings)
    digest = FolderBlobs(tmp_path / "blobs").put(b"an agent's work")
    assert make_ports(settings, "worker").blobs.get(digest) == b"an agent's work"
