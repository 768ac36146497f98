"""Single objects of a mirror are read from their files as git reads them, or left to git."""

import zlib
from pathlib import Path

import pytest

from bot.adapters.git.loose_objects import loose_named, loose_object
from tests.adapters.packs import object_id
from tests.adapters.workshop import Workshop, git


def kept(mirror: Path, kind: str, content: bytes, said: int | None = None) -> str:
    """An object's file, whose head may say another size."""
    sha = object_id(kind, content)
    place = mirror / "objects" / sha[:2] / sha[2:]
    place.parent.mkdir(parents=True)
    size = len(content) if said is None else said
    place.write_bytes(zlib.compress(b"%b %d\0" % (kind.encode(), size) + content))
    return sha


def test_names_resolve_as_in_git(tmp_path: Path) -> None:
    shop = Workshop.opened(tmp_path / "remote")
    head = shop.commit("Work", {"src/cart.py": "x = 1\n"})
    folder = shop.tree / ".git"
    for name in (head, f"{head}:", f"{head}:src", f"{head}:src/cart.py", f"{head}^{{tree}}"):
        sha = git(shop.tree, "rev-parse", name)
        found = loose_named(folder, name if "^" not in name else sha)
        assert found is not None, name
        assert object_id(*found) == sha
    assert loose_named(folder, f"{head}:src/none.py") is None
    assert loose_named(folder, f"{head}:src/cart.py/none") is None


@pytest.mark.parametrize("cut", [0, 1, 20, -1])
def test_a_truncated_object_is_left_to_git(tmp_path: Path, cut: int) -> None:
    sha = kept(tmp_path, "blob", b"some words of a file")
    place = tmp_path / "objects" / sha[:2] / sha[2:]
    place.write_bytes(place.read_bytes()[:cut])
    assert loose_object(tmp_path, sha) is None


def test_an_object_that_is_not_compressed_is_left_to_git(tmp_path: Path) -> None:
    sha = kept(tmp_path, "blob", b"some words of a file")
    (tmp_path / "objects" / sha[:2] / sha[2:]).write_bytes(b"spoiled")
    assert loose_object(tmp_path, sha) is None


def test_an_object_with_a_wrong_size_is_left_to_git(tmp_path: Path) -> None:
    assert loose_object(tmp_path, kept(tmp_path, "blob", b"words", said=6)) is None


@pytest.mark.attack(
    "A file of a hundred megabytes that compresses to little, for the memory of the server",
    held="`bot.adapters.git.loose_objects.loose_object`: what is large is left to git's own process",
)
def test_a_large_object_is_left_to_git(tmp_path: Path) -> None:
    assert loose_object(tmp_path, kept(tmp_path, "blob", b"x" * 1_000_000)) is not None
    assert loose_object(tmp_path, kept(tmp_path, "blob", b"y" * 2_000_000)) is None
