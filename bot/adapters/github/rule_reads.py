"""Reads the rules that GitHub has for the default branch; what it does not show us is named.

A few conditional requests: the rules, those of branches of ours, each ruleset once (it says whether our App may bypass it), the
branch, the installation. The rest needs a permission that Headgate does not ask for: where an owner
has granted it, it is read, too.
"""

from collections.abc import Mapping
from urllib.parse import quote

from bot.adapters.github.api import Json
from bot.adapters.github.app_tokens import NotInstalled, Purpose, missing_permissions
from bot.adapters.github.classify import Refused
from bot.adapters.github.conversation import Conversation
from bot.adapters.github.rule_shapes import (
    ActionsPermissionsAnswer,
    BranchAnswer,
    ProtectionAnswer,
    RuleAnswer,
    RulesetAnswer,
    RunnersPage,
)
from bot.adapters.github.shapes import InstallationAnswer, read
from bot.core.values.repository import RepositoryFacts
from bot.core.values.rules import (
    CLASSIC_PROTECTION,
    LEAVE_OUR_BRANCHES_ALONE,
    ONLY_OUR_BRANCHES,
    OUR_BRANCHES,
    ActionsPolicy,
    BranchRule,
    RepositoryRules,
)

# Forbidden, or not for us to know of.
_HIDDEN = (403, 404, 410)
# Private repositories of the free plan have no rules: "Upgrade to GitHub Pro or make this repository public to
# enable this feature." (ossf/allstar #37, github/branch-deploy #345).
_NEEDS_A_PLAN = "upgrade to github"

RULES = "rules of the branch"
ACTIONS = "settings of Actions"
RUNNERS = "runners"
PERMISSIONS = "permissions of the App"


class RuleReads(Conversation):
    def rules(self, repository: RepositoryFacts) -> RepositoryRules:
        branch = quote(repository.default_branch, safe="")
        unreadable: list[str] = []
        found = self._branch_rules(repository, branch, unreadable)
        own = quote(f"{OUR_BRANCHES}a/branch", safe="")
        of_ours = [] if unreadable else self._branch_rules(repository, own, unreadable)
        granted = self._granted(repository, unreadable)
        may_see = granted is not None and granted.get("administration") is not None
        found += self._protection(repository, branch, may_see, unreadable)
        return RepositoryRules(
            branch=repository.default_branch,
            rules=tuple(found),
            own_branches=tuple(
                one
                for one in of_ours
                if one.kind not in LEAVE_OUR_BRANCHES_ALONE
                and (one.kind in ONLY_OUR_BRANCHES or one not in found)
            ),
            actions=self._actions(repository, may_see, unreadable),
            labels_online=self._labels_online(repository, may_see, unreadable),
            lacks=missing_permissions(granted) if granted is not None else (),
            unreadable=tuple(unreadable),
        )

    def _branch_rules(
        self, repository: RepositoryFacts, branch: str, unreadable: list[str]
    ) -> list[BranchRule]:
        try:
            pages = self.get_pages(repository, f"/rules/branches/{branch}", {})
        except Refused as refused:
            if refused.status not in _HIDDEN:
                raise
            if _NEEDS_A_PLAN not in refused.message.lower():
                unreadable.append(RULES)
            return []
        answers = [rule for page in pages for rule in read(list[RuleAnswer], page)]
        ids = dict.fromkeys(one.ruleset_id for one in answers if one.ruleset_id is not None)
        rulesets = {id_: self._ruleset(repository, id_) for id_ in ids}
        return [
            one.to_value(rulesets[one.ruleset_id] if one.ruleset_id is not None else None)
            for one in answers
        ]

    def _ruleset(self, repository: RepositoryFacts, ruleset: int) -> RulesetAnswer | None:
        answer = self._shown(repository, Purpose.READ, f"/rulesets/{ruleset}")
        return None if answer is None else read(RulesetAnswer, answer)

    def _granted(self, repository: RepositoryFacts, unreadable: list[str]) -> dict[str, str] | None:
        """None if GitHub does not take the App's own token: a clock is off, or the key is old."""
        path = f"/repositories/{repository.id}/installation"
        try:
            answer = self.find(self.tokens.app_token, path)
        except Refused:
            unreadable.append(PERMISSIONS)
            return None
        return {} if answer is None else dict(read(InstallationAnswer, answer).permissions)

    def _protection(
        self, repository: RepositoryFacts, branch: str, may_see: bool, unreadable: list[str]
    ) -> list[BranchRule]:
        """The whole where we may see it, else the required checks, which every reader is shown."""
        answer = self._shown(repository, Purpose.READ, f"/branches/{branch}")
        shown = BranchAnswer() if answer is None else read(BranchAnswer, answer)
        if not shown.protected:
            return []
        if may_see:
            whole = self._shown(repository, Purpose.SETTINGS, f"/branches/{branch}/protection")
            if whole is None:
                # GitHub calls a branch protected that only rulesets protect.
                return []
            return read(ProtectionAnswer, whole).to_rules(repository.app_id)
        unreadable.append(CLASSIC_PROTECTION)
        return shown.protection.required_status_checks.to_rules()

    def _actions(
        self, repository: RepositoryFacts, may_see: bool, unreadable: list[str]
    ) -> ActionsPolicy | None:
        answer = None
        if may_see:
            answer = self._shown(repository, Purpose.SETTINGS, "/actions/permissions")
        if answer is None:
            unreadable.append(ACTIONS)
            return None
        return read(ActionsPermissionsAnswer, answer).to_value()

    def _labels_online(
        self, repository: RepositoryFacts, may_see: bool, unreadable: list[str]
    ) -> tuple[str, ...] | None:
        answer = None
        if may_see:
            hundred = {"per_page": 100}
            answer = self._shown(repository, Purpose.SETTINGS, "/actions/runners", hundred)
        if answer is None:
            unreadable.append(RUNNERS)
            return None
        return tuple(sorted(read(RunnersPage, answer).labels_online))

    def _shown(
        self,
        repository: RepositoryFacts,
        purpose: Purpose,
        path: str,
        parameters: Mapping[str, str | int] | None = None,
    ) -> Json | None:
        """The response; None if it is not there or not for us."""
        try:
            return self.get(repository, path, parameters, purpose)
        except NotInstalled:
            return None
        except Refused as refused:
            if refused.status not in _HIDDEN:
                raise
            return None
