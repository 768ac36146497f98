"""What `headgate doctor` says of GitHub's rules, for each repository that the App is installed in."""

from bot.adapters.github.forge import GitHubForge
from bot.core.spec.policy import no_policy
from bot.core.state.refusing_rules import Weight, findings
from bot.core.state.webhook import Installation
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.rules_text import in_words
from bot.ports import Retryable, UserError

# A doctor is waited for; the tracking issues and check runs say the same of all.
_REPOSITORIES_MAX = 20


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
        except (UserError, Retryable) as failure:
            told.append(f"{one.full_name}: {failure.sentence[:200]}")
            continue
        # Without the policy: which required checks are awaited is known to the server alone.
        found = findings(facts, rules, no_policy(), RUNNER_LABEL)
        heavy = [finding for finding in found if finding.weight is not Weight.NOTE]
        refuses = refuses or any(finding.weight is Weight.REFUSES for finding in heavy)
        said = in_words(rules.branch, rules.codeowners, heavy)
        told += [f"{one.full_name}: {sentence}" for sentence in said]
    return refuses, told
