"""Looks at the lists of what people do by hand, for what they have ticked."""

from bot.core.state.observed import Looks
from bot.core.talk.manual_text import ticked_in
from bot.core.values.ids import IssueNumber
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports


def ticked_steps(
    ports: Ports, facts: RepositoryFacts, looks: Looks
) -> dict[IssueNumber, tuple[str, ...]]:
    issues = {number: ports.forge.issue(facts, number) for number in looks.steps}
    return {number: ticked_in(issue.body) for number, issue in issues.items() if issue is not None}
