"""The parts of GitHub's JSON about rules, protections and Actions' settings that we read.

Sources: REST, "Rules", "Protected branches", "GitHub Actions permissions", "Self-hosted runners".
"""

from bot.adapters.github.shapes import AnswerPart
from bot.core.values.rules import (
    ActionsPolicy,
    BranchRule,
    Bypass,
    MergeMethod,
    Pattern,
    RequiredCheck,
    RuleKind,
)


class _Check(AnswerPart):
    context: str
    integration_id: int | None = None
    app_id: int | None = None

    def to_value(self) -> RequiredCheck:
        # The classic protection says -1 for "any App may report it".
        app = self.integration_id if self.integration_id is not None else self.app_id
        return RequiredCheck(context=self.context, app_id=None if app == -1 else app)


class _Parameters(AnswerPart):
    """What we read of the parameters of all kinds of rules."""

    required_approving_review_count: int = 0
    require_code_owner_review: bool = False
    require_last_push_approval: bool = False
    required_review_thread_resolution: bool = False
    allowed_merge_methods: list[str] = []
    operator: str | None = None
    pattern: str = ""
    negate: bool = False
    required_status_checks: list[_Check] = []
    restricted_file_paths: list[str] = []
    restricted_file_extensions: list[str] = []
    max_file_size: int | None = None
    max_file_path_length: int | None = None

    @property
    def merge_methods(self) -> tuple[MergeMethod, ...]:
        return tuple(m for m in MergeMethod if m in self.allowed_merge_methods)

    @property
    def limits(self) -> tuple[str, ...]:
        size, length = self.max_file_size, self.max_file_path_length
        return (
            *self.restricted_file_paths,
            *self.restricted_file_extensions,
            *(f"{one} {unit}" for one, unit in ((size, "MB"), (length, "characters")) if one),
        )


class RuleAnswer(AnswerPart):
    """One rule of "Get rules for a branch"."""

    type: str
    ruleset_id: int | None = None
    ruleset_source: str = ""
    parameters: _Parameters | None = None

    def to_value(self, ruleset: "RulesetAnswer | None") -> BranchRule:
        with_ = self.parameters or _Parameters()
        pattern = None
        if with_.operator is not None:
            pattern = Pattern(
                operator=with_.operator, pattern=with_.pattern, is_negated=with_.negate
            )
        return BranchRule(
            kind=self.type,
            ruleset=ruleset.name if ruleset else f"ruleset {self.ruleset_id or '?'}",
            source=self.ruleset_source,
            bypass=ruleset.bypass if ruleset else Bypass.UNKNOWN,
            approvals=with_.required_approving_review_count,
            needs_code_owners=with_.require_code_owner_review,
            needs_last_push=with_.require_last_push_approval,
            needs_resolution=with_.required_review_thread_resolution,
            merge_methods=with_.merge_methods,
            pattern=pattern,
            limits=with_.limits,
            checks=tuple(one.to_value() for one in with_.required_status_checks),
        )


class RulesetAnswer(AnswerPart):
    """`current_user_can_bypass` is about the caller, which is our App."""

    name: str
    current_user_can_bypass: str | None = None

    @property
    def bypass(self) -> Bypass:
        said = self.current_user_can_bypass
        return Bypass(said) if said in set(Bypass) else Bypass.UNKNOWN


class _AppOfRule(AnswerPart):
    id: int


class _Apps(AnswerPart):
    apps: list[_AppOfRule] = []

    def bypass_of(self, app_id: int) -> Bypass:
        named = any(app.id == app_id for app in self.apps)
        return Bypass.ALWAYS if named else Bypass.NEVER


class _Reviews(AnswerPart):
    required_approving_review_count: int = 0
    require_code_owner_reviews: bool = False
    require_last_push_approval: bool = False
    bypass_pull_request_allowances: _Apps = _Apps()


class _Switch(AnswerPart):
    enabled: bool = False


class _ProtectionChecks(AnswerPart):
    contexts: list[str] = []
    checks: list[_Check] = []

    def to_rules(self) -> list[BranchRule]:
        checks = self.checks or [_Check(context=context) for context in self.contexts]
        if not checks:
            return []
        found = tuple(check.to_value() for check in checks)
        return [BranchRule(kind=RuleKind.CHECKS, bypass=Bypass.NEVER, checks=found)]


class ProtectionAnswer(AnswerPart):
    """The classic protection of a branch, for callers who may read the repository's settings."""

    required_status_checks: _ProtectionChecks | None = None
    required_pull_request_reviews: _Reviews | None = None
    restrictions: _Apps | None = None
    required_signatures: _Switch = _Switch()
    required_linear_history: _Switch = _Switch()
    required_conversation_resolution: _Switch = _Switch()
    lock_branch: _Switch = _Switch()

    def to_rules(self, app_id: int) -> list[BranchRule]:
        found = []
        if self.required_status_checks is not None:
            found += self.required_status_checks.to_rules()
        if (reviews := self.required_pull_request_reviews) is not None:
            found.append(
                BranchRule(
                    kind=RuleKind.PULL_REQUEST,
                    bypass=reviews.bypass_pull_request_allowances.bypass_of(app_id),
                    approvals=reviews.required_approving_review_count,
                    needs_code_owners=reviews.require_code_owner_reviews,
                    needs_last_push=reviews.require_last_push_approval,
                )
            )
        if self.restrictions is not None:
            bypass = self.restrictions.bypass_of(app_id)
            found.append(BranchRule(kind=RuleKind.UPDATE, bypass=bypass))
        if self.required_conversation_resolution.enabled:
            found.append(
                BranchRule(kind=RuleKind.RESOLUTION, bypass=Bypass.NEVER, needs_resolution=True)
            )
        for switch, kind in (
            (self.required_signatures, RuleKind.SIGNATURES),
            (self.required_linear_history, RuleKind.LINEAR_HISTORY),
            (self.lock_branch, RuleKind.UPDATE),
        ):
            if switch.enabled:
                found.append(BranchRule(kind=kind, bypass=Bypass.NEVER))
        return found


class _BriefProtection(AnswerPart):
    required_status_checks: _ProtectionChecks = _ProtectionChecks()


class BranchAnswer(AnswerPart):
    """A branch, with as much of its classic protection as anybody who reads it is shown."""

    protected: bool = False
    protection: _BriefProtection = _BriefProtection()


class ActionsPermissionsAnswer(AnswerPart):
    enabled: bool
    allowed_actions: str = "all"

    def to_value(self) -> ActionsPolicy:
        return ActionsPolicy(is_enabled=self.enabled, allowed=self.allowed_actions)


class _Label(AnswerPart):
    name: str


class _Runner(AnswerPart):
    status: str = "offline"
    labels: list[_Label] = []


class RunnersPage(AnswerPart):
    runners: list[_Runner] = []

    @property
    def labels_online(self) -> set[str]:
        online = [runner for runner in self.runners if runner.status == "online"]
        return {label.name for runner in online for label in runner.labels}
