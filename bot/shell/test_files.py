"""Reads which requirements the tests of a commit mention; each file is read once per content."""

from time import process_time

from bot.core.spec.triage.mentions import Mention, TestSnapshot, is_test_file, mentions_in
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent

# The paths stand on one command line of git, so a large repository is read in parts.
_PATHS_AT_ONCE = 500
# Of the processor: people's commands wait for it. A megabyte of tests takes one and a half.
_LOOK_SECONDS = 3.0
# Some 100 kB a repository with many tests; what is dropped is read again from the mirror.
_REPOSITORIES_KEPT = 200


class TestFiles:
    __test__ = False

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._read: Recent[RepositoryId, dict[tuple[str, Sha], tuple[Mention, ...]]] = Recent(
            _REPOSITORIES_KEPT
        )
        self._snapshots: Recent[RepositoryId, TestSnapshot] = Recent(_REPOSITORIES_KEPT)

    def at(self, facts: RepositoryFacts, commit: Sha) -> TestSnapshot | None:
        """None where there is too much for one look: a hint is left, and the next look goes on."""
        known = self._snapshots.get(facts.id)
        if known is not None and known.commit == commit:
            return known
        blobs = self._ports.git.blobs(facts, commit, ("",))
        tests = {(path, blob) for path, blob in blobs.items() if is_test_file(path)}
        # Until all is read nothing is dropped: two commits may be asked about in turns.
        read = dict(self._read.get(facts.id) or {})
        unread = sorted(path for path, blob in tests if (path, blob) not in read)
        until = process_time() + _LOOK_SECONDS
        for at in range(0, len(unread), _PATHS_AT_ONCE):
            part = tuple(unread[at : at + _PATHS_AT_ONCE])
            for path, raw in self._ports.git.files(facts, commit, part).items():
                read[path, blobs[path]] = mentions_in(path, raw)
                if process_time() > until:
                    break
            if process_time() > until:
                break
        if any(key not in read for key in tests):
            self._read.put(facts.id, read)
            self._ports.journal.put_hints(facts.id, (Hint(kind=HintKind.AGAIN),))
            return None
        self._read.put(facts.id, {key: read[key] for key in tests})
        mentions = tuple(m for key in sorted(tests) for m in read[key])
        return self._snapshots.put(facts.id, TestSnapshot(commit=commit, mentions=mentions))
