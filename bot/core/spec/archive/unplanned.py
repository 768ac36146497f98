"""What OpenSpec's archive takes for a requirement and the plan does not see.

Two readers know OpenSpec's files: the archive's follows the letters, the planner's follows what people
meant. A requirement that only the first one found would be archived and never built.
"""

from collections.abc import Iterable

from bot.core.spec.archive.delta_text import SpecBlock, read_delta, read_main
from bot.core.spec.drafts import Draft, normal
from bot.core.spec.reading import Source
from bot.core.values.spec_model import Finding, Severity, SpecFormat


def unplanned(
    source: Source, spec_format: SpecFormat, drafts: Iterable[Draft]
) -> tuple[Finding, ...]:
    """A finding for each requirement that only the letters make one."""
    planned = {(draft.line_start, normal(draft.title)) for draft in drafts}
    found = {block.line: block for block in _by_the_letters(source, spec_format)}
    return tuple(
        Finding(
            code="archived_unplanned",
            severity=Severity.WARN,
            line=line,
            quote=block.name[:200],
            question=(
                f"OpenSpec's archive takes '{block.name[:120]}' for a requirement, and the plan does not "
                "see it here. Is it one, or should the line go?"
            ),
            path=source.path,
        )
        for line, block in sorted(found.items())
        if (line, normal(block.name)) not in planned
    )


def _by_the_letters(source: Source, spec_format: SpecFormat) -> tuple[SpecBlock, ...]:
    text = "\n".join(source.lines)
    if spec_format is SpecFormat.OPENSPEC:
        return tuple(read_main(text).blocks)
    if spec_format is SpecFormat.OPENSPEC_DELTA:
        delta = read_delta(source.path, "", text)
        return (*delta.added, *delta.modified, *delta.removed)
    return ()
