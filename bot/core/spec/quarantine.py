"""`.headgate/quarantine.yml` on main: tests that may be flaky, each with the last day of that.

```yaml
tests.test_till.test_sum: 2026-12-31
```
"""

from datetime import date

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError

from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.spec.yaml_bounds import YAML_FAULTS, loaded_yaml
from bot.core.values.spec_model import Finding, Severity

QUARANTINE_PATH = ".headgate/quarantine.yml"
_TESTS_MAX = 1_000


def with_quarantine(policy: Policy | PolicyRefusal, text: str | None) -> Policy | PolicyRefusal:
    """The policy with what this file says; a file that cannot be read refuses both."""
    if isinstance(policy, PolicyRefusal) or text is None or not text.strip():
        return policy
    try:
        tree = loaded_yaml(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return _refusal(line, error.problem or "not YAML", "Is this line valid YAML?")
    except YAML_FAULTS as error:
        return _refusal(1, str(error)[:200], "Is this file valid YAML?")
    if not isinstance(tree, CommentedMap) or len(tree) > _TESTS_MAX:
        return _refusal(
            1, text.strip()[:60], f"The file maps at most {_TESTS_MAX:,} tests to days."
        )
    for test, until in tree.items():
        if not isinstance(test, str) or type(until) is not date:
            place = tree.lc.data.get(test, (0,)) if tree.lc.data else (0,)
            return _refusal(
                place[0] + 1, str(test)[:80], "Until which day, as in 2026-12-31, may it be flaky?"
            )
    return policy.replace(quarantine=dict(tree))


def _refusal(line: int, quote: str, question: str) -> PolicyRefusal:
    finding = Finding(
        code="policy_quarantine",
        severity=Severity.BLOCK,
        line=line,
        quote=quote,
        question=question,
        path=QUARANTINE_PATH,
    )
    return PolicyRefusal(findings=(finding,))
