"""Files of Rust, which hold tests beside what they test: what of them is the product's, and what is not."""

import re
from collections.abc import Mapping, Sequence

from action.harness.edits import Edits
from action.harness.git import OrderGit
from action.order import GateOrder
from gates.test_guard.languages import read_tests
from gates.test_guard.rust_inline import has_bare_tests, lines_of_tests, with_tests_of

_NAMED = re.compile(r"(?:^|/)(?:tests?|[^/]*_tests?)\.rs$")


def is_rust_of_tests(path: str) -> bool:
    return bool(_NAMED.search(path))


def with_inline_tests(git: OrderGit, order: GateOrder, edits: Edits, only: str = "") -> Edits:
    """Main's files with the tests that the candidate has in them; `only`: in this file alone."""
    paths = [path for path in edits.written if _is_of_product(path) and only in ("", path)]
    there = git.regular_files(order.candidate_sha, paths) if paths else ()
    written = {
        path: _put(git.text_of(f"{order.candidate_sha}:{path}"), edits.written[path])
        for path in there
    }
    return Edits({**edits.written, **written}, edits.removed)


def mains_inline_tests(git: OrderGit, order: GateOrder, paths: Sequence[str]) -> dict[str, bytes]:
    """The candidate's files with the tests that main has in them."""
    paths = [path for path in paths if _is_of_product(path)]
    there = git.regular_files(order.diff_base_sha, paths) if paths else ()
    both = git.regular_files(order.candidate_sha, there) if there else ()
    return {
        path: _put(
            git.text_of(f"{order.diff_base_sha}:{path}"),
            git.bytes_of(f"{order.candidate_sha}:{path}"),
        )
        for path in both
    }


def _is_of_product(path: str) -> bool:
    return path.endswith(".rs") and not is_rust_of_tests(path)


def _put(other: str, content: bytes) -> bytes:
    source = content.decode("utf-8", "surrogateescape")
    return with_tests_of(other, source).encode("utf-8", "surrogateescape")


def lines_of_product(
    git: OrderGit, order: GateOrder, added: Mapping[str, Sequence[int]]
) -> frozenset[tuple[str, int]]:
    found: set[tuple[str, int]] = set()
    for path, numbers in added.items():
        text = git.text_of(f"{order.candidate_sha}:{path}")
        if not has_bare_tests(text) and not _is_declared_for_tests(git, order, path):
            theirs = lines_of_tests(text)
            found |= {(path, number) for number in numbers if number not in theirs}
    return frozenset(found)


def _is_declared_for_tests(git: OrderGit, order: GateOrder, path: str) -> bool:
    """Whether the file above says that it is compiled for tests alone: `#[cfg(test)] mod helpers;`."""
    folder, _, name = path.rpartition("/")
    inside = f"{folder}/" if folder else ""
    above = [f"{inside}{one}.rs" for one in ("lib", "main", "mod")]
    above += [f"{folder}.rs"] if folder else []
    sha = order.candidate_sha
    return any(
        name.removesuffix(".rs") in read_tests(one, git.bytes_of(f"{sha}:{one}")).declared
        for one in git.regular_files(sha, above)
    )
