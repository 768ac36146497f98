"""The specs that prompts to a model are about, to check what it replied."""

import contextlib
from collections.abc import Mapping

from bot.core.prompts.digest_prompt import DigestPromptInput, SpecSource, source_of
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from bot.shell.process_ports import Ports
from bot.shell.spec_texts import SpecTexts, Unread


def sources(
    ports: Ports,
    specs: SpecTexts,
    facts: RepositoryFacts,
    asked: Mapping[str, DigestPromptInput],
) -> dict[str, SpecSource | None]:
    """By the id of the prompt; without those that are read by another worker now."""
    found: dict[str, SpecSource | None] = {}
    for id_, about in asked.items():
        with contextlib.suppress(Unread):
            found[id_] = source_at(ports, specs, facts, about)
    return found


def source_at(
    ports: Ports, specs: SpecTexts, facts: RepositoryFacts, about: DigestPromptInput
) -> SpecSource | None:
    """The spec that a prompt is about, as it was when it was sent; None where the commit is nowhere any more.

    A pull's head is fetched again where the mirror is another one by now. Raises `Unread`.
    """
    git = ports.git
    try:
        if about.pull is not None and not git.has(facts, about.commit):
            git.fetch_pull(facts, about.pull)
        files = git.files(facts, about.commit, (about.path,))
        (spec,) = specs.at(facts, about.commit, (about.path,))
    except UserError:
        return None
    return source_of(spec, files)
