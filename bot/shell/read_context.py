"""Reads the paths, files and specs at a commit that are near the requirements of a prompt."""

from collections.abc import Sequence

from bot.core.prompts.repository_context import (
    FILE_BYTES_MAX,
    RepositoryContext,
    SpecBeside,
    near_files,
    near_specs,
    symbols_of,
)
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Requirement
from bot.shell.process_ports import Ports
from bot.shell.spec_texts import SpecTexts

# A prompt shows a few dozen paths; more than this many are not looked at.
_PATHS_MAX = 20_000


def repository_context(
    ports: Ports, facts: RepositoryFacts, at: tuple[Sha, str], asked: Sequence[Requirement]
) -> RepositoryContext:
    """The context of requirements `asked`; `at` is the spec's commit and path.

    It depends on the arguments alone, so that a prompt is the same each time. Raises `Unread`.
    """
    commit, own = at
    paths = tuple(sorted(ports.git.blobs(facts, commit, ("",))))[:_PATHS_MAX]
    files, specs = near_files(paths, asked), near_specs(paths, own, asked)
    wanted = (*(path for path in files if path.endswith(".py")), *specs)
    raw = ports.git.files(facts, commit, wanted) if wanted else {}
    read = {path: content for path, content in raw.items() if len(content) <= FILE_BYTES_MAX}
    beside = tuple(path for path in specs if path in read)
    return RepositoryContext(
        paths=paths,
        symbols={
            path: symbols_of(path, read[path].decode("utf-8", "replace"))
            for path in files
            if path in read
        },
        specs=tuple(
            SpecBeside(path=path, titles=tuple(r.title for r in spec.requirements))
            for path, spec in zip(beside, SpecTexts(ports).at(facts, commit, beside), strict=True)
        ),
    )
