"""What `headgate doctor` says of GitHub's rules and of our workflows, for each repository that the App is
installed in."""

from bot.adapters.github.forge import GitHubForge
from bot.core.spec.policy import Policy, no_policy, read_policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.refusing_rules import Topic, Weight, findings
from bot.core.state.webhook import Installation
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.rules_text import in_words
from bot.core.talk.workflow_file import not_run, workflow_files
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable, UserError

# A doctor is waited for; the tracking issues and check runs say the same of all.
_REPOSITORIES_MAX = 20
# A missing runner stops nothing where runners are an organisation's, and everything where they are not.
_NOTES = {Topic.NO_RUNNER, Topic.MERGED, Topic.RESOLUTION}
_FILES = frozenset(workflow_files(None))


def told_of_rules(
    forge: GitHubForge, installations: tuple[Installation, ...]
) -> tuple[bool, list[str]]:
    """Whether a rule surely refuses landings somewhere, or no order can start, and a sentence for each that may."""
    refuses = False
    told: list[str] = []
    for one in installations[:_REPOSITORIES_MAX]:
        try:
            said, of_one = _told_of(forge, one)
        except (UserError, Retryable) as failure:
            said, of_one = [failure.sentence[:200]], False
        refuses = refuses or of_one
        told += [f"{one.full_name}: {sentence}" for sentence in said]
    return refuses, told


def _told_of(forge: GitHubForge, one: Installation) -> tuple[list[str], bool]:
    """Of the default branch and of each that has a queue, too, by the policy that is there; what is true of all
    of them is said once.
    """
    facts = forge.repository(one.installation, one.repository)
    if facts is None:
        return [], False
    policy = _policy_of(forge, facts)
    said: list[str] = []
    refuses = False
    for branch in dict.fromkeys((facts.default_branch, *policy.file.branches)):
        there = facts.replace(default_branch=branch)
        if branch != facts.default_branch:
            policy = _policy_of(forge, there)
        rules = forge.rules(there)
        found = findings(there, rules, policy, RUNNER_LABEL)
        heavy = [f for f in found if f.weight is not Weight.NOTE or f.topic in _NOTES]
        refuses = refuses or any(finding.weight is Weight.REFUSES for finding in heavy)
        said += in_words(branch, rules.codeowners, heavy)
    states = forge.workflow_states(facts).items()
    off = [not_run(path, state) for path, state in states if path in _FILES and state != "active"]
    said += off
    return list(dict.fromkeys(said)), refuses or bool(off)


def _policy_of(forge: GitHubForge, facts: RepositoryFacts) -> Policy:
    """A policy that cannot be read is told elsewhere."""
    read = read_policy(forge.text(facts, POLICY_PATH))
    return read if isinstance(read, Policy) else no_policy()
