"""Which files hold tests, and who reads them: the test adapters of profiles."""

import hashlib
from dataclasses import dataclass

from gates.profiles.built_in import BUILT_IN
from gates.profiles.profile import TestAdapter
from gates.test_guard.found_test import TestFile

# A test file of more than this is generated data.
TEST_FILE_BYTES_MAX = 1024 * 1024


@dataclass(frozen=True)
class Readers:
    """The first adapter that knows a path as one of tests reads it."""

    adapters: tuple[TestAdapter, ...]

    def is_test_path(self, path: str) -> bool:
        """Whether a runner looks for tests there; for Rust every source file may hold some."""
        return any(adapter.is_test_path(path) for adapter in self.adapters)

    def read(self, path: str, raw: bytes) -> TestFile:
        """The tests of a file; one that is no test file has none. Headgate's own never raise."""
        adapter = next((one for one in self.adapters if one.is_test_path(path)), None)
        if adapter is None:
            return TestFile(path)
        if len(raw) > TEST_FILE_BYTES_MAX:
            return _unread(path, raw)
        source = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        found = adapter.read(path, source)
        return found if found.is_readable else _unread(path, raw)


def _unread(path: str, raw: bytes) -> TestFile:
    """Of what nobody can read it is still known whether it is the same."""
    return TestFile(path, is_readable=False, around=hashlib.sha256(raw).hexdigest())


OWN_READERS = Readers(tuple(p.tests for p in BUILT_IN if p.tests is not None))

is_test_path = OWN_READERS.is_test_path
read_tests = OWN_READERS.read
