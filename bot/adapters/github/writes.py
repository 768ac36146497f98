"""The writes of the port `Forge`: each is sent once and cut to GitHub's limits.

Where GitHub refuses a second write because the first has succeeded, the refusal is checked by a read
and the write counts as done.
"""

from collections.abc import Mapping, Sequence

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens, NotInstalled, Purpose
from bot.adapters.github.classify import Refused
from bot.adapters.github.conversation import Conversation
from bot.adapters.github.graphql import (
    DEQUEUE,
    ENQUEUE,
    MOVE_REF,
    GraphQLUnavailable,
    complaint_of,
)
from bot.adapters.github.shapes import (
    CheckRunAnswer,
    CommentAnswer,
    DispatchAnswer,
    GitCommitAnswer,
    IssueAnswer,
    LinkedIssue,
    MergedAnswer,
    PullAnswer,
    RepositoryAnswer,
    read,
)
from bot.adapters.github.thread_shapes import RESOLVE
from bot.adapters.github.truncate import (
    ANNOTATION_MESSAGE_BYTES_MAX,
    ANNOTATION_TITLE_CHARACTERS_MAX,
    BODY_CHARACTERS_MAX,
    TITLE_CHARACTERS_MAX,
    cut_bytes,
    cut_markdown,
    cut_markdown_bytes,
    cut_plain,
)
from bot.core.values.candidate import (
    MergeAnswer,
    PushOutcome,
    PushResult,
    SignedCommit,
)
from bot.core.values.check_run import ANNOTATIONS_PER_REQUEST, OUTPUT_BYTES_MAX, CheckRunText
from bot.core.values.ids import (
    CommentId,
    IssueNumber,
    PullNumber,
    RepositoryId,
    ReviewCommentId,
    Sha,
    WorkflowRunId,
)
from bot.core.values.repository import Issue, IssueEdit, Pull, RepositoryFacts
from bot.core.values.rules import MergeMethod
from gates.result import Annotation

# REST, "Merge a pull request".
_MOVED = 409
_NOT_MERGED = frozenset({405, _MOVED, 422})
_NOT_THIS_METHOD = "are not allowed on this repository"


class Writes(Conversation):
    def __init__(self, api: Api, tokens: AppTokens) -> None:
        super().__init__(api, tokens)
        self._node_ids: dict[RepositoryId, str] = {}

    def open_issue(
        self, repository: RepositoryFacts, title: str, body: str, labels: tuple[str, ...]
    ) -> Issue:
        """One request, labels included."""
        fields = {"title": cut_plain(title, TITLE_CHARACTERS_MAX), **_body(body)}
        answer = self._write_issue(
            repository, "POST", "/issues", {**fields, "labels": list(labels)}
        )
        return read(IssueAnswer, answer).to_value()

    def edit_issue(self, repository: RepositoryFacts, number: IssueNumber, edit: IssueEdit) -> None:
        fields: dict[str, object] = {} if edit.body is None else _body(edit.body)
        if edit.state is not None:
            fields |= {"state": edit.state.value, "state_reason": edit.reason}
        self._write_issue(repository, "PATCH", f"/issues/{number}", fields)

    def link_sub_issue(
        self, repository: RepositoryFacts, parent: IssueNumber, child_id: int
    ) -> None:
        """A link that exists already is no error."""
        path = f"/issues/{parent}/sub_issues"
        self._link(repository, path, {"sub_issue_id": child_id}, child_id)

    def link_blocked_by(
        self, repository: RepositoryFacts, number: IssueNumber, blocker_id: int
    ) -> None:
        """A link that exists already is no error."""
        path = f"/issues/{number}/dependencies/blocked_by"
        self._link(repository, path, {"issue_id": blocker_id}, blocker_id)

    def comment_on_issue(
        self, repository: RepositoryFacts, number: IssueNumber, body: str
    ) -> CommentId:
        """`number` may be a pull, too."""
        answer = self._write_issue(repository, "POST", f"/issues/{number}/comments", _body(body))
        return CommentId(read(CommentAnswer, answer).id)

    def edit_comment(self, repository: RepositoryFacts, comment: CommentId, body: str) -> None:
        """GitHub sends no notification for an edit."""
        self._write_issue(repository, "PATCH", f"/issues/comments/{comment}", _body(body))

    def sign_commit(
        self, repository: RepositoryFacts, tree: Sha, parents: tuple[Sha, ...], message: str
    ) -> SignedCommit:
        """Make a commit of a tree that GitHub has; no ref moves, and twice is two commits.

        GitHub, "About commit signature verification": it signs what an App asks for that names no
        author, committer or signature.
        """
        body = {"message": message, "tree": tree, "parents": list(parents)}
        answer = self.write(repository, Purpose.PUSH, "POST", "/git/commits", body)
        return read(GitCommitAnswer, answer).to_value()

    def comment_on_commit(self, repository: RepositoryFacts, sha: Sha, body: str) -> None:
        path = f"/commits/{sha}/comments"
        self.write(repository, Purpose.COMMIT_COMMENTS, "POST", path, _body(body))

    def react(self, repository: RepositoryFacts, comment: CommentId, content: str) -> None:
        """Reacting twice leaves one reaction."""
        path = f"/issues/comments/{comment}/reactions"
        self._write_issue(repository, "POST", path, {"content": content})

    def react_to_review(
        self, repository: RepositoryFacts, comment: ReviewCommentId, content: str
    ) -> None:
        """Reacting twice leaves one reaction."""
        path = f"/pulls/comments/{comment}/reactions"
        self._write_issue(repository, "POST", path, {"content": content})

    def reply_to_review(
        self, repository: RepositoryFacts, pull: PullNumber, thread: ReviewCommentId, body: str
    ) -> None:
        path = f"/pulls/{pull}/comments/{thread}/replies"
        self._write_issue(repository, "POST", path, _body(body))

    def resolve_thread(self, repository: RepositoryFacts, thread: str) -> bool:
        """Whether it is resolved now; not where GitHub does not let us."""
        try:
            answer = self.query(repository, Purpose.THREADS, RESOLVE, {"thread": thread})
            return not complaint_of(answer)
        except GraphQLUnavailable:
            return False

    def open_pull(self, repository: RepositoryFacts, branch: str, title: str, body: str) -> Pull:
        """`branch` is in this repository; the pull is onto the default branch."""
        fields = {"title": cut_plain(title, TITLE_CHARACTERS_MAX), **_body(body)}
        where = {"head": branch, "base": repository.default_branch}
        answer = self._write_issue(repository, "POST", "/pulls", {**fields, **where})
        return read(PullAnswer, answer).to_value()

    def edit_pull_body(self, repository: RepositoryFacts, number: PullNumber, body: str) -> None:
        self._write_issue(repository, "PATCH", f"/pulls/{number}", _body(body))

    def close_pull(self, repository: RepositoryFacts, number: PullNumber) -> None:
        self._write_issue(repository, "PATCH", f"/pulls/{number}", {"state": "closed"})

    def create_check_run(
        self, repository: RepositoryFacts, sha: Sha, external_id: str, text: CheckRunText
    ) -> int:
        """Annotations beyond one request follow as updates.

        A `Retryable` after the first request leaves a check run that `check_run_by_us` finds.
        """
        first, *rest = _requests(text)
        named = {"head_sha": sha, "external_id": external_id, **first}
        answer = self.write(repository, Purpose.CHECK_RUNS, "POST", "/check-runs", named)
        check_run = read(CheckRunAnswer, answer).id
        self._send_check_run(repository, check_run, rest)
        return check_run

    def update_check_run(
        self, repository: RepositoryFacts, check_run: int, text: CheckRunText
    ) -> None:
        """Replace the text; GitHub appends the annotations to the earlier ones."""
        self._send_check_run(repository, check_run, _requests(text))

    def dispatch_workflow(
        self, repository: RepositoryFacts, workflow: str, inputs: Mapping[str, str]
    ) -> WorkflowRunId | None:
        """Start a workflow of the default branch; None if GitHub does not return its run."""
        path = f"/actions/workflows/{workflow}/dispatches"
        body = {"ref": repository.default_branch, "inputs": dict(inputs)}
        detailed = {**body, "return_run_details": True}
        try:
            answer = self.write(repository, Purpose.WORKFLOWS, "POST", path, detailed)
        except Refused as refused:
            # Servers that do not know this parameter refuse the request, so nothing is started.
            if refused.status != 422 or "return_run_details" not in refused.message:
                raise
            answer = self.write(repository, Purpose.WORKFLOWS, "POST", path, body)
        if answer is None:
            return None
        return WorkflowRunId(read(DispatchAnswer, answer).workflow_run_id)

    def cancel_workflow_run(self, repository: RepositoryFacts, run: WorkflowRunId) -> None:
        """A run that has ended (409) is no error."""
        try:
            self.write(repository, Purpose.WORKFLOWS, "POST", f"/actions/runs/{run}/cancel")
        except Refused as refused:
            if refused.status != 409:
                raise

    def move_main(
        self, repository: RepositoryFacts, base: Sha, candidate: Sha
    ) -> PushResult | None:
        """Move main from exactly `base` to `candidate`, which GitHub has already, or refuse.

        None where this server, or our permissions, do not offer it; nothing was done then.
        """
        move = {"name": repository.main_ref, "beforeOid": base, "afterOid": candidate}
        try:
            wish = {"repositoryId": self._node_id(repository), "refUpdates": [move]}
            complaint = complaint_of(self.query(repository, Purpose.PUSH, MOVE_REF, {"wish": wish}))
        except GraphQLUnavailable:
            return None
        if complaint:
            return PushResult(outcome=PushOutcome.REFUSED, sentence=complaint)
        return PushResult(outcome=PushOutcome.DONE)

    def merge_pull(
        self,
        repository: RepositoryFacts,
        number: PullNumber,
        head: Sha,
        methods: tuple[MergeMethod, ...],
        message: str,
    ) -> MergeAnswer:
        """Merge a pull that still shows `head`, by the first method that rules and settings allow.

        GitHub answers 409 where head or base moved meanwhile, 405 and 422 where it will not.
        """
        title, _, text = message.strip().partition("\n")
        body = {"sha": head, "commit_title": title, "commit_message": text.strip()}
        said = ""
        for method in methods:
            asked = {**body, "merge_method": method.value}
            try:
                path = f"/pulls/{number}/merge"
                answer = self.write(repository, Purpose.PUSH, "PUT", path, asked)
            except Refused as refused:
                if refused.status not in _NOT_MERGED:
                    raise
                said = refused.message
                if refused.status == _MOVED or _NOT_THIS_METHOD not in said:
                    return MergeAnswer(sentence=said, is_stale=refused.status == _MOVED)
                continue
            return MergeAnswer(merged_as=read(MergedAnswer, answer).sha)
        return MergeAnswer(sentence=said)

    def enqueue(self, repository: RepositoryFacts, node: str, head: Sha) -> str:
        return self._ask_queue(repository, ENQUEUE, {"pull": node, "head": head})

    def dequeue(self, repository: RepositoryFacts, node: str) -> str:
        return self._ask_queue(repository, DEQUEUE, {"pull": node})

    def _ask_queue(
        self, repository: RepositoryFacts, mutation: str, asked: Mapping[str, object]
    ) -> str:
        try:
            return complaint_of(self.query(repository, Purpose.MERGE_QUEUE, mutation, asked))
        except (GraphQLUnavailable, NotInstalled) as failure:
            return str(failure)

    def redeliver(self, attempt: int) -> None:
        """A delivery that GitHub no longer has (404, 422) is no error."""
        path = f"/app/hook/deliveries/{attempt}/attempts"
        try:
            self.api.send("POST", path, self.tokens.app_token())
        except Refused as refused:
            if not refused.is_absence and refused.status != 422:
                raise

    def _node_id(self, repository: RepositoryFacts) -> str:
        """The repository's node id; it never changes, so it is read once."""
        known = self._node_ids.get(repository.id)
        if known is None:
            answer = self.get(repository, "")
            known = read(RepositoryAnswer, answer).node_id if answer is not None else ""
            if not known:
                raise GraphQLUnavailable("GitHub's answer has no node id of this repository.")
            self._node_ids[repository.id] = known
        return known

    def _write_issue(
        self, repository: RepositoryFacts, verb: str, path: str, body: Mapping[str, object]
    ) -> object:
        return self.write(repository, Purpose.ISSUES_AND_PULLS, verb, path, body)

    def _link(
        self, repository: RepositoryFacts, path: str, body: Mapping[str, object], linked: int
    ) -> None:
        try:
            self._write_issue(repository, "POST", path, body)
        except Refused as refused:
            there = (
                issue.id
                for page in self.get_pages(repository, path, {})
                for issue in read(list[LinkedIssue], page)
            )
            if refused.status != 422 or linked not in there:
                raise

    def _send_check_run(
        self, repository: RepositoryFacts, check_run: int, requests: Sequence[Mapping[str, object]]
    ) -> None:
        for body in requests:
            path = f"/check-runs/{check_run}"
            self.write(repository, Purpose.CHECK_RUNS, "PATCH", path, body)


def _body(text: str) -> dict[str, object]:
    return {"body": cut_markdown(text, BODY_CHARACTERS_MAX)}


def _requests(text: CheckRunText) -> list[dict[str, object]]:
    """The whole text in requests of at most 50 annotations; the first one has all else, too."""
    output: dict[str, object] = {
        "title": cut_plain(text.title, ANNOTATION_TITLE_CHARACTERS_MAX),
        "summary": cut_markdown_bytes(text.summary, OUTPUT_BYTES_MAX),
    }
    if text.text:
        output["text"] = cut_markdown_bytes(text.text, OUTPUT_BYTES_MAX)
    whole: dict[str, object] = {"name": text.name}
    if text.details_url:
        whole["details_url"] = text.details_url
    if text.actions:
        whole["actions"] = [action.model_dump() for action in text.actions]
    if text.conclusion is None:
        whole["status"] = "queued" if text.is_queued else "in_progress"
    else:
        whole |= {"status": "completed", "conclusion": text.conclusion.value}
    notes = [_annotation(note) for note in text.annotations]
    step = ANNOTATIONS_PER_REQUEST
    chunks = [notes[at : at + step] for at in range(0, len(notes), step)] or [[]]
    outputs = [{**output, "annotations": chunk} if chunk else output for chunk in chunks]
    more: list[dict[str, object]] = [{"output": one} for one in outputs[1:]]
    return [{**whole, "output": outputs[0]}, *more]


def _annotation(note: Annotation) -> dict[str, object]:
    return {
        "path": note.path,
        "start_line": note.line_start,
        "end_line": max(note.line_start, note.line_end),
        "annotation_level": note.level.value,
        "title": cut_plain(note.title, ANNOTATION_TITLE_CHARACTERS_MAX),
        "message": cut_bytes(note.message, ANNOTATION_MESSAGE_BYTES_MAX),
    }
