"""Moving refs, by REST and by git push, and everything that follows from a moved ref.

Both ways end in `arrived`, which alone derives `push`, `create` and `delete`, updates the pulls and
opens check suites. A repository's `push_lock` is held from reading the old refs until all this is
done. Refs outside branches and tags move silently, as on GitHub.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bot.localhub.checks import Checks
from bot.localhub.errors import ApiError, unprocessable
from bot.localhub.git_diff import touched_paths
from bot.localhub.git_store import scrubbed_environment
from bot.localhub.github_json import ZERO_SHA, Json
from bot.localhub.issues import Issues, author
from bot.localhub.model import Account, Activity, Actor, Repository
from bot.localhub.pulls import Pulls
from bot.localhub.rules import MoveVia, RefMove, rule_lines
from bot.localhub.shapes.commits import noreply_address, pushed_commit_shape
from bot.localhub.shapes.repositories import repository_html_url
from bot.localhub.state import State
from bot.localhub.update_hook import allows_surely
from bot.localhub.webhooks import Announcement, Webhooks

# GitHub sends no events for tags where more than this many are pushed at once.
TAGS_ANNOUNCED_MAX = 3

# GitHub lists at most this many commits in a push event.
PUSHED_COMMITS_MAX = 2048

# Called after a branch or tag has moved and everything that follows from it has been recorded.
PushListener = Callable[[Repository, RefMove, Actor], None]


@dataclass(frozen=True)
class RefRequest:
    """Where a ref should go; `before` None is unchecked, `ZERO_SHA`: it must not exist."""

    ref: str
    after: str
    before: str | None
    is_forced: bool


class Refs:
    def __init__(
        self, state: State, webhooks: Webhooks, issues: Issues, pulls: Pulls, checks: Checks
    ) -> None:
        self._state = state
        self._webhooks = webhooks
        self._issues = issues
        self._pulls = pulls
        self._checks = checks
        self.listeners: list[PushListener] = []

    def resolve(self, repository: Repository, name: str) -> str | None:
        """The commit of a branch, a tag, a full ref or a SHA; None if it names none."""
        for ref in (f"refs/heads/{name}", f"refs/tags/{name}", name, f"refs/{name}"):
            sha = repository.refs.get(ref)
            if sha is not None:
                return repository.git.commit_sha(sha)
        if name == "HEAD":
            return self.resolve(repository, repository.default_branch)
        is_sha = 4 <= len(name) <= 40 and all(letter in "0123456789abcdef" for letter in name)
        return repository.git.commit_sha(name) if is_sha else None

    def create(self, repository: Repository, actor: Actor, ref: str, sha: str) -> None:
        """Create a ref; 422 if it exists, has an invalid name or the object is missing."""
        if not ref.startswith("refs/") or ref.count("/") < 2:
            raise unprocessable("Reference name must start with 'refs/' and have two slashes")
        with repository.push_lock:
            if not repository.refs:
                raise ApiError(409, "Git Repository is empty.")
            if ref in repository.refs:
                raise unprocessable("Reference already exists")
            self._require_object(repository, ref, sha)
            self.move(repository, actor, RefMove(ref, ZERO_SHA, sha), MoveVia.PUSH)

    def advance(self, repository: Repository, actor: Actor, ref: str, sha: str) -> None:
        """Move a ref forwards only; 422 if that is not a fast-forward."""
        with repository.push_lock:
            before = self._existing(repository, ref)
            self._require_object(repository, ref, sha)
            if not repository.git.is_ancestor(before, sha):
                raise unprocessable("Update is not a fast forward")
            self.move(repository, actor, RefMove(ref, before, sha), MoveVia.PUSH)

    def force(self, repository: Repository, actor: Actor, ref: str, sha: str) -> None:
        with repository.push_lock:
            before = self._existing(repository, ref)
            self._require_object(repository, ref, sha)
            self.move(repository, actor, RefMove(ref, before, sha), MoveVia.PUSH)

    def delete(self, repository: Repository, actor: Actor, ref: str) -> None:
        with repository.push_lock:
            before = self._existing(repository, ref)
            if ref == f"refs/heads/{repository.default_branch}":
                raise unprocessable("Cannot delete the default branch")
            self.move(repository, actor, RefMove(ref, before, ZERO_SHA), MoveVia.PUSH)

    def _existing(self, repository: Repository, ref: str) -> str:
        before = repository.refs.get(ref)
        if before is None:
            raise unprocessable("Reference does not exist")
        return before

    def _require_object(self, repository: Repository, ref: str, sha: str) -> None:
        kind = repository.git.type_of(sha) if len(sha) == 40 else None
        if kind is None:
            raise unprocessable("Object does not exist")
        if ref.startswith("refs/heads/") and kind != "commit":
            raise unprocessable("Reference cannot be updated: object is not a commit")

    def move(self, repository: Repository, actor: Actor, move: RefMove, via: MoveVia) -> None:
        """Move one ref by compare-and-swap if the rules allow it, with all that follows."""
        with repository.push_lock:
            if move.before == move.after:
                return
            self._ask_hook(repository, actor, move, via)
            if not repository.git.move_refs([(move.ref, move.after, move.before)]):
                raise unprocessable(f"Reference {move.ref} could not be updated")
            self.arrived(repository, actor, [move], via)

    def move_together(
        self, repository: Repository, actor: Actor, requests: Sequence[RefRequest]
    ) -> None:
        """Move several refs or none; 422 if one is not where its request expects it."""
        with repository.push_lock:
            moves = [self._requested_move(repository, request) for request in requests]
            for move in moves:
                self._ask_hook(repository, actor, move, MoveVia.PUSH)
            steps = [(move.ref, move.after, move.before) for move in moves]
            if not repository.git.move_refs(steps):
                raise unprocessable("The refs could not be updated together")
            self.arrived(repository, actor, [move for move in moves if move.before != move.after])

    def _requested_move(self, repository: Repository, request: RefRequest) -> RefMove:
        before = repository.refs.get(request.ref, ZERO_SHA)
        if not request.ref.startswith("refs/") or request.ref.count("/") < 2:
            raise unprocessable(f"{request.ref} is not a fully qualified ref name")
        if request.before is not None and request.before != before:
            raise unprocessable(
                f"Expected {request.ref} to be at {request.before}, but it was {before}"
            )
        move = RefMove(request.ref, before, request.after)
        if move.deletes and move.branch == repository.default_branch:
            raise unprocessable("Cannot delete the default branch")
        if not move.deletes:
            self._require_object(repository, request.ref, request.after)
        is_forward = move.creates or move.deletes or repository.git.is_ancestor(before, move.after)
        if not request.is_forced and not is_forward:
            raise unprocessable(f"Update of {request.ref} is not a fast forward")
        return move

    def _ask_hook(self, repository: Repository, actor: Actor, move: RefMove, via: MoveVia) -> None:
        lines = rule_lines(repository, actor, move, via)
        if not lines or allows_surely(repository.git, repository.refs, move, lines):
            return
        done = repository.git.attempt(
            ["hook", "run", "update", "--", move.ref, move.before, move.after],
            environment=self._told(repository, lines),
        )
        if done.returncode != 0:
            said = (done.stdout + done.stderr).decode(errors="replace").strip()
            if "`workflows` permission" in said:
                raise ApiError(403, said)
            if "Push cannot contain secrets" in said:
                # REST, "Create or update file contents", answers 409 for it.
                message = "Repository rule violations found\n\nSecret detected in content\n\n"
                raise ApiError(409, f"{message}{said}")
            if any(code in said for code in ("GH001", "GH002", "GH005")):
                raise unprocessable(said)
            reasons = [line[2:] for line in said.splitlines() if line.startswith("- ")]
            raise unprocessable("Repository rule violations found\n\n" + "\n\n".join(reasons))

    @contextmanager
    def receiving(
        self, repository: Repository, actor: Actor, announced: Sequence[RefMove]
    ) -> Iterator[dict[str, str]]:
        """Hold the repository while git receives a push; yields the environment for its hook."""
        with repository.push_lock:
            lines = [
                line
                for move in announced
                for line in rule_lines(repository, actor, move, MoveVia.PUSH)
            ]
            yield {**scrubbed_environment(), **self._told(repository, lines)}
            after = repository.git.read_refs()
            before = repository.refs
            moves = [
                RefMove(ref, before.get(ref, ZERO_SHA), after.get(ref, ZERO_SHA))
                for ref in sorted(before.keys() | after.keys())
                if before.get(ref) != after.get(ref)
            ]
            if moves:
                self.arrived(repository, actor, moves)

    def _told(self, repository: Repository, lines: Sequence[str]) -> dict[str, str]:
        """The environment of the update hook."""
        return {
            "LOCALHUB_RULES": "\n".join(lines),
            "LOCALHUB_ADDRESS": repository_html_url(self._state, repository),
        }

    def arrived(
        self,
        repository: Repository,
        actor: Actor,
        moves: Sequence[RefMove],
        via: MoveVia = MoveVia.PUSH,
    ) -> None:
        """Record moves that git has made, and derive everything that follows from them."""
        before = dict(repository.refs)
        with self._state.lock:
            for move in moves:
                if move.deletes:
                    repository.refs.pop(move.ref, None)
                else:
                    repository.refs[move.ref] = move.after
            repository.pushed_at = self._state.now()
            tags = [move for move in moves if move.ref.startswith("refs/tags/")]
            silent = set(tags) if len(tags) > TAGS_ANNOUNCED_MAX else set()
            public = [
                move
                for move in moves
                if move.ref.startswith(("refs/heads/", "refs/tags/")) and move not in silent
            ]
            for move in public:
                self._record(repository, actor, move, via)
                self._announce(repository, actor, move, list(before.values()))
            # Heads first: a branch that moves together with its base must show its new head when
            # the base is asked whether it contains the pull.
            for move in sorted(public, key=lambda move: move.branch == repository.default_branch):
                self._follow(repository, actor, move, before)
        for move in public:
            for listener in self.listeners:
                listener(repository, move, actor)

    def _record(self, repository: Repository, actor: Actor, move: RefMove, via: MoveVia) -> None:
        """Keep who moved a branch, for GitHub's list of activities."""
        if move.branch is None:
            return
        if move.creates:
            kind = "branch_creation"
        elif move.deletes:
            kind = "branch_deletion"
        elif via is not MoveVia.PUSH:
            kind = "pr_merge" if via is MoveVia.PULL else "merge_queue_merge"
        else:
            is_forward = repository.git.is_ancestor(move.before, move.after)
            kind = "push" if is_forward else "force_push"
        repository.activities.append(
            Activity(
                id=self._state.next_id(),
                before=move.before,
                after=move.after,
                ref=move.ref,
                at=self._state.now(),
                kind=kind,
                actor=author(actor),
            )
        )

    def _follow(
        self, repository: Repository, actor: Actor, move: RefMove, before: Mapping[str, str]
    ) -> None:
        branch = move.branch
        if branch is None:
            return
        if move.deletes:
            self._pulls.branch_deleted(repository, actor, branch)
            return
        self._pulls.head_moved(repository, actor, move, before)
        self._checks.open_suites(repository, move, author(actor))
        self._pulls.base_moved(repository, actor, move)
        if branch == repository.default_branch:
            self._close_by_commits(repository, actor, move)

    def _close_by_commits(self, repository: Repository, actor: Actor, move: RefMove) -> None:
        exclude = [] if move.creates else [f"^{move.before}"]
        for sha in repository.git.commit_list([move.after, *exclude]):
            message = repository.git.commit(sha).message
            self._issues.close_referenced(message, repository, actor)

    def _announce(
        self, repository: Repository, actor: Actor, move: RefMove, known: Sequence[str]
    ) -> None:
        sender = author(actor)
        kind = "branch" if move.branch is not None else "tag"
        name = move.ref.split("/", 2)[2]
        if move.creates:
            body: Json = {
                "ref": name,
                "ref_type": kind,
                "master_branch": repository.default_branch,
                "description": repository.description,
                "pusher_type": "user",
            }
            self._webhooks.announce(Announcement(repository, "create", None, body, sender))
        if self._webhooks.is_heard(repository, "push"):
            body = self._push_body(repository, sender, move, known)
            self._webhooks.announce(Announcement(repository, "push", None, body, sender))
        if move.deletes:
            body = {"ref": name, "ref_type": kind, "pusher_type": "user"}
            self._webhooks.announce(Announcement(repository, "delete", None, body, sender))

    def _push_body(
        self, repository: Repository, sender: Account, move: RefMove, known: Sequence[str]
    ) -> Json:
        git = repository.git
        commits: list[Json] = []
        head: Json | None = None
        if not move.deletes:
            tip = git.commit_sha(move.after) or move.after
            exclude = known if move.creates else [move.before]
            shas = git.new_commits(tip, exclude)[-PUSHED_COMMITS_MAX:]
            touched = touched_paths(git, list(dict.fromkeys([*shas, tip])))
            commits = [
                pushed_commit_shape(self._state, repository, git.commit(sha), touched[sha])
                for sha in shas
            ]
            head = pushed_commit_shape(self._state, repository, git.commit(tip), touched[tip])
        forced = not (move.creates or move.deletes) and not git.is_ancestor(move.before, move.after)
        html = repository_html_url(self._state, repository)
        return {
            "ref": move.ref,
            "before": move.before,
            "after": move.after,
            "base_ref": None,
            "created": move.creates,
            "deleted": move.deletes,
            "forced": forced,
            "compare": f"{html}/compare/{move.before[:12]}...{move.after[:12]}",
            "commits": commits,
            "head_commit": head,
            "pusher": {"name": sender.login, "email": noreply_address(sender)},
        }
