"""What `headgate doctor` says of GitHub's rules, for each repository that the App is installed in."""

from bot.adapters.github.forge import GitHubForge
from bot.core.spec.policy import Policy, no_policy, read_policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.refusing_rules import Topic, Weight, findings
from bot.core.state.webhook import Installation
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.rules_text import in_words
from bot.ports import Retryable, UserError

# A doctor is waited for; the tracking issues and check runs say the same of all.
_REPOSITORIES_MAX = 20
# It stops nothing where runners are an organisation's, and everything where they are not.
_NOTES = {Topic.NO_RUNNER}


def told_of_rules(
    forge: GitHubForge, installations: tuple[Installation, ...]
) -> tuple[bool, list[str]]:
    """Whether a rule surely refuses landings somewhere, and a sentence for each that may."""
    refuses = False
    told: list[str] = []
    for one in installations[:_REPOSITORIES_MAX]:
        try:
            facts = forge.repository(one.installation, one.repository)
            if facts is None:
                continue
            rules = forge.rules(facts)
            read = read_policy(forge.text(facts, POLICY_PATH))
        except (UserError, Retryable) as failure:
            told.append(f"{one.full_name}: {failure.sentence[:200]}")
            continue
        # A policy that cannot be read is told elsewhere.
        policy = read if isinstance(read, Policy) else no_policy()
        of_others = [forge.rules(facts.replace(default_branch=b)) for b in policy.file.branches]
        for of_branch in (rules, *of_others):
            found = findings(facts, of_branch, policy, RUNNER_LABEL)
            heavy = [f for f in found if f.weight is not Weight.NOTE or f.topic in _NOTES]
            refuses = refuses or any(finding.weight is Weight.REFUSES for finding in heavy)
            said = in_words(of_branch.branch, of_branch.codeowners, heavy)
            told += [f"{one.full_name}: {sentence}" for sentence in said]
    return refuses, told
