"""The rules that GitHub has for the default branch, and the settings that decide whether jobs start."""

from enum import StrEnum

from bot.core.values.ids import Frozen

# GitHub takes the first that exists ("About code owners").
CODEOWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")


class Bypass(StrEnum):
    """Whether a rule counts for our App, in GitHub's words; `unknown` where GitHub does not say."""

    ALWAYS = "always"
    EXEMPT = "exempt"
    PULLS_ONLY = "pull_requests_only"
    NEVER = "never"
    UNKNOWN = "unknown"

    @property
    def is_free(self) -> bool:
        """Whether the rule does not stop the App from moving the branch."""
        return self in {Bypass.ALWAYS, Bypass.EXEMPT}


class MergeMethod(StrEnum):
    """How GitHub merges a pull, in its words."""

    MERGE = "merge"
    SQUASH = "squash"
    REBASE = "rebase"


class RuleKind(StrEnum):
    """Kinds of rules that concern a landing, or a branch that shows one, in GitHub's words."""

    UPDATE = "update"
    PULL_REQUEST = "pull_request"
    SIGNATURES = "required_signatures"
    MERGE_QUEUE = "merge_queue"
    # The classic protection's word; rulesets have it as a parameter of the rule about pulls.
    RESOLUTION = "required_conversation_resolution"
    LINEAR_HISTORY = "required_linear_history"
    DEPLOYMENTS = "required_deployments"
    WORKFLOWS = "workflows"
    CODE_SCANNING = "code_scanning"
    CODE_QUALITY = "code_quality"
    CHECKS = "required_status_checks"
    MESSAGE_PATTERN = "commit_message_pattern"
    AUTHOR_PATTERN = "commit_author_email_pattern"
    COMMITTER_PATTERN = "committer_email_pattern"
    PATHS = "file_path_restriction"
    PATH_LENGTH = "max_file_path_length"
    EXTENSIONS = "file_extension_restriction"
    FILE_SIZE = "max_file_size"
    CREATION = "creation"
    FORCE_PUSHES = "non_fast_forward"
    BRANCH_NAME = "branch_name_pattern"


# A landing moves the branch straight to one commit of ours: these refuse it, whatever it is.
ALWAYS_REFUSE = frozenset(
    {
        *(RuleKind.UPDATE, RuleKind.PULL_REQUEST, RuleKind.MERGE_QUEUE),
        *(RuleKind.DEPLOYMENTS, RuleKind.WORKFLOWS),
    }
)
# Under these GitHub itself may move the branch, where the policy lets it.
MERGED_BY_GITHUB = frozenset({RuleKind.PULL_REQUEST, RuleKind.MERGE_QUEUE})
# They refuse no branch of ours. Any other kind, also one that we do not know, may refuse one, or one
# that moves from an older candidate to a newer one.
LEAVE_OUR_BRANCHES_ALONE = frozenset(
    {"deletion", "tag_name_pattern", "copilot_code_review", RuleKind.LINEAR_HISTORY}
)
# They stop no landing, so that main's own rules do not tell of them.
ONLY_OUR_BRANCHES = frozenset({RuleKind.CREATION, RuleKind.BRANCH_NAME, RuleKind.FORCE_PUSHES})
# What `unreadable` calls it: it may ask for reviews that we do not see.
CLASSIC_PROTECTION = "classic protection of the branch"
# Each branch of ours is called so.
OUR_BRANCHES = "headgate/"
# Who commits what GitHub signs. On Enterprise Server an administrator may name another.
SIGNING_ADDRESS = "noreply@github.com"
# The addresses in our commits are always the same.
OF_OUR_ADDRESS = frozenset({RuleKind.AUTHOR_PATTERN, RuleKind.COMMITTER_PATTERN})


class Pattern(Frozen):
    """What a text must be like; `operator` is GitHub's: starts_with, ends_with, contains, regex."""

    operator: str
    pattern: str
    is_negated: bool = False


class RequiredCheck(Frozen):
    """A check run or status that must be green; `app_id` None: whoever reports it."""

    context: str
    app_id: int | None = None


class BranchRule(Frozen):
    """One rule in force. `kind` is GitHub's word, also one that we do not know.

    `ruleset` is empty for the classic protection of the branch; `source` is the repository or
    organisation that has the ruleset. `needs_last_push`: the newest push is approved by somebody else than who
    pushed it. `needs_resolution`: every thread of its reviews is resolved. `limits` are paths, extensions, bytes or lengths of a rule about pushes. `merge_methods` are
    those that a rule about pulls allows; none: GitHub did not say.
    """

    kind: str
    ruleset: str = ""
    source: str = ""
    bypass: Bypass
    approvals: int = 0
    needs_code_owners: bool = False
    needs_last_push: bool = False
    needs_resolution: bool = False
    merge_methods: tuple[MergeMethod, ...] = ()
    pattern: Pattern | None = None
    limits: tuple[str, ...] = ()
    checks: tuple[RequiredCheck, ...] = ()


class ActionsPolicy(Frozen):
    """Whether Actions may run here; `allowed` is GitHub's: all, local_only, selected."""

    is_enabled: bool
    allowed: str = "all"


class RepositoryRules(Frozen):
    """What was read at one look. None, and every name in `unreadable`: GitHub did not let us.

    `labels_online` are the labels of this repository's own runners that are online; `own_branches` the
    rules for branches of ours that may refuse one, without those that main has, too.
    """

    branch: str
    rules: tuple[BranchRule, ...] = ()
    own_branches: tuple[BranchRule, ...] = ()
    codeowners: str = ""
    actions: ActionsPolicy | None = None
    labels_online: tuple[str, ...] | None = None
    lacks: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()

    @property
    def ask_for_signatures(self) -> bool:
        """Whether main, or a branch that shows a candidate, takes signed commits only, from us too."""
        return any(
            rule.kind == RuleKind.SIGNATURES and not rule.bypass.is_free
            for rule in (*self.rules, *self.own_branches)
        )

    @property
    def may_stand_in_the_way(self) -> bool:
        """Whether a rule may refuse every landing, so that it is looked at until it is gone."""
        return any(
            not rule.bypass.is_free and rule.kind in ALWAYS_REFUSE | OF_OUR_ADDRESS
            for rule in self.rules
        ) or any(
            not rule.bypass.is_free and rule.kind in {RuleKind.CREATION, RuleKind.BRANCH_NAME}
            for rule in self.own_branches
        )
