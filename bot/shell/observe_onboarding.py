"""Looks at the first pull of a repository, and at which files it lacks."""

from bot.core.journal.state import RepositoryState
from bot.core.state.onboarding import onboarding_pull
from bot.core.values.first_pull import OnboardingSnapshot
from bot.core.values.ids import Sha
from bot.core.values.repository import PullState, RepositoryFacts
from bot.shell.process_ports import Ports


def onboarding_snapshot(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, main: Sha | None
) -> OnboardingSnapshot | None:
    number = onboarding_pull(state)
    pull = ports.forge.pull(facts, number) if number is not None else None
    if number is None or pull is None:
        return None
    is_open = pull.state is PullState.OPEN
    commit = pull.head_sha if is_open else main
    if commit is None:
        return None
    if is_open and not ports.git.has(facts, commit):
        ports.git.fetch_pull(facts, number)
    there = ports.git.blobs(facts, commit, tuple(ports.workflow_files))
    missing = {path: text for path, text in ports.workflow_files.items() if path not in there}
    return OnboardingSnapshot(pull=number, state=pull.state, head=pull.head_sha, missing=missing)
