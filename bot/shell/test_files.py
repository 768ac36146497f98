"""Reads which requirements the tests of a commit mention; each file is read once per content."""

from bot.core.spec.triage.mentions import Mention, TestSnapshot, is_test_file, mentions_in
from bot.core.values.ids import RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent

# The paths stand on one command line of git, so a large repository is read in parts.
_PATHS_AT_ONCE = 500
# Some 100 kB a repository with many tests; what is dropped is read again from the mirror.
_REPOSITORIES_KEPT = 200


class TestFiles:
    """The cache of one process."""

    __test__ = False

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._read: Recent[RepositoryId, dict[tuple[str, Sha], tuple[Mention, ...]]] = Recent(
            _REPOSITORIES_KEPT
        )
        self._snapshots: Recent[RepositoryId, TestSnapshot] = Recent(_REPOSITORIES_KEPT)

    def at(self, facts: RepositoryFacts, commit: Sha) -> TestSnapshot:
        known = self._snapshots.get(facts.id)
        if known is not None and known.commit == commit:
            return known
        blobs = self._ports.git.blobs(facts, commit, ("",))
        tests = {(path, blob) for path, blob in blobs.items() if is_test_file(path)}
        read = {k: m for k, m in (self._read.get(facts.id) or {}).items() if k in tests}
        unread = sorted(path for path, blob in tests if (path, blob) not in read)
        for at in range(0, len(unread), _PATHS_AT_ONCE):
            part = tuple(unread[at : at + _PATHS_AT_ONCE])
            for path, raw in self._ports.git.files(facts, commit, part).items():
                read[path, blobs[path]] = mentions_in(path, raw)
        self._read.put(facts.id, read)
        mentions = tuple(m for key in sorted(read) for m in read[key])
        return self._snapshots.put(facts.id, TestSnapshot(commit=commit, mentions=mentions))
