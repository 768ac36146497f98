"""Rules of branches and pushes, as a ruleset of localhub holds them."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class RequiredCheck:
    """A check that must have succeeded; `app_id` None accepts it from anyone."""

    context: str
    app_id: int | None = None


class MergeMethod(StrEnum):
    MERGE = "merge"
    SQUASH = "squash"
    REBASE = "rebase"


EVERY_METHOD = frozenset(MergeMethod)


class RefRule(StrEnum):
    DELETION = "deletion"
    NON_FAST_FORWARD = "non_fast_forward"
    UPDATE = "update"
    CREATION = "creation"
    PULL_REQUEST = "pull_request"
    REQUIRED_LINEAR_HISTORY = "required_linear_history"
    REQUIRED_SIGNATURES = "required_signatures"
    MERGE_QUEUE = "merge_queue"
    REQUIRED_DEPLOYMENTS = "required_deployments"
    WORKFLOWS = "workflows"
    CODE_SCANNING = "code_scanning"
    LICENSES = "license_compliance_scanning"


class ContentRuleKind(StrEnum):
    COMMIT_MESSAGE_PATTERN = "commit_message_pattern"
    BRANCH_NAME_PATTERN = "branch_name_pattern"
    FILE_PATH_RESTRICTION = "file_path_restriction"
    FILE_EXTENSION_RESTRICTION = "file_extension_restriction"
    MAX_FILE_SIZE = "max_file_size"
    MAX_FILE_PATH_LENGTH = "max_file_path_length"


# Of a push ruleset, which is about every ref ("About rulesets", "Push rulesets").
PUSH_KINDS = frozenset(
    {
        *(ContentRuleKind.FILE_PATH_RESTRICTION, ContentRuleKind.FILE_EXTENSION_RESTRICTION),
        *(ContentRuleKind.MAX_FILE_SIZE, ContentRuleKind.MAX_FILE_PATH_LENGTH),
    }
)


@dataclass(frozen=True)
class ContentRule:
    """`value` is a regular expression, a path with `*`, an extension (`.exe`), megabytes or a length."""

    kind: ContentRuleKind
    value: str


@dataclass(frozen=True)
class Ruleset:
    """Rules for the branches that match one of the patterns; Apps in `bypass_app_ids` are exempt.

    Approvals, code owners and merge methods are parameters of the rule about pulls.
    Rules of `PUSH_KINDS` are for every ref.
    """

    id: int
    name: str
    branches: tuple[str, ...]
    rules: frozenset[RefRule] = frozenset()
    required_checks: tuple[RequiredCheck, ...] = ()
    approvals_min: int = 0
    dismisses_stale_reviews: bool = False
    needs_code_owners: bool = False
    needs_last_push: bool = False
    needs_resolution: bool = False
    merge_methods: frozenset[MergeMethod] = EVERY_METHOD
    bypass_app_ids: frozenset[int] = frozenset()
    contents: tuple[ContentRule, ...] = ()
