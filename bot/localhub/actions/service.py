"""GitHub Actions as users and clients see it: start, show, cancel, run again.

The service reads files from its host before it takes its lock; the content of a run is fixed when
it starts. Runners use `runner_api`. There are no artifacts, caches, environments or billing.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from pydantic import JsonValue

from bot.localhub.actions.document import DocumentError
from bot.localhub.actions.engine import Engine, Settings
from bot.localhub.actions.filters import pull_request_passes, push_passes
from bot.localhub.actions.host import ActionsHost, ActorFacts
from bot.localhub.actions.inputs import InputError, dispatch_inputs
from bot.localhub.actions.log_links import LogLinks
from bot.localhub.actions.payloads import json_object
from bot.localhub.actions.records import JobRecord, WorkflowFile, WorkflowRun, WorkflowState
from bot.localhub.actions.repository_dispatch import OutsideEvent
from bot.localhub.actions.rerun import next_attempt
from bot.localhub.actions.reusable_workflows import Address, load, qualify
from bot.localhub.actions.run_creation import RunCreator, Start
from bot.localhub.actions.runner_api import RunnerApi
from bot.localhub.actions.runner_messages import Conclusion, Status
from bot.localhub.actions.timeouts import TimeoutThread
from bot.localhub.actions.workflow import Triggers
from bot.localhub.errors import ApiError, not_found

# GitHub's limit of attempts at a run.
ATTEMPTS_MAX = 50


@dataclass(frozen=True)
class PushFacts:
    repository: str
    ref: str
    before: str
    after: str
    sender: ActorFacts
    changed_paths: tuple[str, ...] | None = None


@dataclass(frozen=True)
class PullRequestFacts:
    """An event of a pull request; `sha` is the commit that is run."""

    repository: str
    number: int
    action: str
    title: str
    head_ref: str
    base_ref: str
    sha: str
    sender: ActorFacts
    changed_paths: tuple[str, ...] | None = None
    payload: dict[str, JsonValue] = field(default_factory=dict)


class ActionsService:
    """The Actions of one hub. `runner_api` is for runners. Thread-safe."""

    def __init__(self, host: ActionsHost, settings: Settings | None = None) -> None:
        self.host = host
        self.settings = settings or Settings()
        self.engine = Engine(host, self.settings)
        self.runner_api = RunnerApi(self.engine)
        self.log_links = LogLinks()
        self._starter = RunCreator(host, self.engine)
        self._watch = TimeoutThread(self.engine)
        self._watch.start()

    def close(self) -> None:
        self._watch.close()

    def set_secret(self, repository: str, name: str, value: str) -> None:
        """Set a repository secret; runs that have started do not see it."""
        with self.engine.changed:
            self.engine.secrets.setdefault(repository, {})[name] = value

    def set_variable(self, repository: str, name: str, value: str) -> None:
        with self.engine.changed:
            self.engine.variables.setdefault(repository, {})[name] = value

    def disable(self, repository: str, path: str = "") -> None:
        """Nothing starts the workflow any more, until it is enabled; without a path, no workflow of
        the repository: Actions are switched off in its settings. Raises 404.
        """
        with self.engine.changed:
            self._starter.disabled.add((self._starter.facts(repository).id, path))

    def enable(self, repository: str, path: str = "") -> None:
        """Without a path, Actions are switched on, and the workflows of a fork may run from now on."""
        with self.engine.changed:
            facts = self._starter.facts(repository)
            self._starter.disabled.discard((facts.id, path))
            if not path:
                self._starter.woken.add(facts.id)

    def on_rename(self, former: str, full_name: str) -> None:
        """A repository has another name: its runs go on, and keep the paths of their workflows."""
        facts = self.host.repository_facts(full_name)
        with self.engine.changed:
            for run in self.engine.runs.values():
                if run.repository.id == facts.id:
                    run.repository = facts
            for runner in self.engine.runners.values():
                if runner.repository == former:
                    runner.repository = full_name
            for held in (self.engine.secrets, self.engine.variables):
                if former in held:
                    held[full_name] = held.pop(former)

    def workflows(self, repository: str) -> list[WorkflowFile]:
        return self._starter.files(self._starter.facts(repository))

    def workflow(self, repository: str, id_or_name: str) -> WorkflowFile:
        """A workflow by its id, file name, path or name. Raises 404."""
        for workflow in self.workflows(repository):
            file_name = workflow.path.rpartition("/")[2]
            if id_or_name in (str(workflow.id), workflow.path, file_name, workflow.name):
                return workflow
        raise not_found()

    def dispatch(
        self,
        repository: str,
        workflow: str,
        ref: str,
        inputs: Mapping[str, JsonValue],
        actor: ActorFacts,
    ) -> WorkflowRun:
        """Start a workflow by hand, at a branch or tag. Raises 404 and 422 as GitHub does."""
        facts = self._starter.facts(repository)
        known = self.workflow(repository, workflow)
        path = known.path
        if self._starter.is_off(facts):
            raise ApiError(422, "Actions has been disabled for this repository.")
        if known.state is not WorkflowState.ACTIVE:
            raise ApiError(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow")
        qualified = qualify(self.host, facts.full_name, ref)
        # A bare SHA resolves, but is neither a branch nor a tag.
        if qualified is None or not qualified[0].startswith(("refs/heads/", "refs/tags/")):
            raise ApiError(422, f"No ref found for: {ref}")
        full_ref, sha = qualified
        try:
            loaded = load(self.host, Address(facts.full_name, path, full_ref, sha))
        except DocumentError as error:
            raise ApiError(422, f"failed to parse workflow: {error}") from error
        trigger = loaded.workflow.triggers.dispatch if loaded else None
        if loaded is None or trigger is None:
            raise ApiError(422, "Workflow does not have 'workflow_dispatch' trigger")
        try:
            typed, texts = dispatch_inputs(trigger.inputs, inputs)
        except InputError as error:
            raise ApiError(422, str(error)) from error
        payload: dict[str, JsonValue] = {
            "inputs": texts,
            "ref": full_ref,
            "repository": json_object(facts.payload),
            "sender": json_object(actor.payload),
            "workflow": path,
        }
        event = "workflow_dispatch"
        start = Start(facts, event, payload, full_ref, sha, actor, path, inputs=typed)
        return self._starter.begin(start, loaded)

    def dispatch_repository(
        self, repository: str, happened: OutsideEvent, actor: ActorFacts
    ) -> list[WorkflowRun]:
        """Start the workflows of the default branch that wait for an event from outside GitHub."""
        facts = self._starter.facts(repository)
        ref = f"refs/heads/{facts.default_branch}"
        sha = self.host.resolve(facts.full_name, ref)
        body: dict[str, JsonValue] = {
            "branch": facts.default_branch,
            "client_payload": happened.payload,
        }
        sender = json_object(actor.payload)
        event = "repository_dispatch"
        self.host.emit(facts.full_name, event, happened.type, {**body}, {**sender})
        if sha is None:
            return []
        payload: dict[str, JsonValue] = {
            **body,
            "action": happened.type,
            "repository": json_object(facts.payload),
            "sender": sender,
        }

        def wants(triggers: Triggers) -> bool:
            trigger = triggers.repository_dispatch
            return trigger is not None and (trigger.types is None or happened.type in trigger.types)

        start = Start(facts, event, payload, ref, sha, actor, title=happened.type)
        return self._starter.begin_all(start, wants)

    def on_push(self, push: PushFacts) -> list[WorkflowRun]:
        """Start the workflows of a push; a deleted ref starts nothing."""
        if not push.after.strip("0"):
            return []
        facts = self._starter.facts(push.repository)
        payload: dict[str, JsonValue] = {
            "ref": push.ref,
            "before": push.before,
            "after": push.after,
            "repository": json_object(facts.payload),
            "sender": json_object(push.sender.payload),
        }
        paths = push.changed_paths
        if paths is None and push.before.strip("0"):
            paths = tuple(self.host.changed_paths(facts.full_name, push.before, push.after))

        def wants(triggers: Triggers) -> bool:
            return triggers.push is not None and push_passes(triggers.push, push.ref, paths)

        start = Start(facts, "push", payload, push.ref, push.after, push.sender)
        return self._starter.begin_all(start, wants)

    def on_pull_request(self, pull: PullRequestFacts) -> list[WorkflowRun]:
        facts = self._starter.facts(pull.repository)
        payload: dict[str, JsonValue] = {
            **pull.payload,
            "action": pull.action,
            "number": pull.number,
            "repository": json_object(facts.payload),
            "sender": json_object(pull.sender.payload),
        }

        def wants(triggers: Triggers) -> bool:
            trigger = triggers.pull_request
            return trigger is not None and pull_request_passes(
                trigger, pull.action, pull.base_ref, pull.changed_paths
            )

        start = Start(
            facts,
            "pull_request",
            payload,
            f"refs/pull/{pull.number}/merge",
            pull.sha,
            pull.sender,
            title=pull.title,
            head_ref=pull.head_ref,
            base_ref=pull.base_ref,
        )
        return self._starter.begin_all(start, wants)

    def runs(self, repository: str) -> list[WorkflowRun]:
        """All runs of a repository, newest first. Raises 404."""
        wanted = self._starter.facts(repository).id
        with self.engine.changed:
            found = [run for run in self.engine.runs.values() if run.repository.id == wanted]
        return sorted(found, key=lambda run: run.id, reverse=True)

    def run(self, repository: str, run_id: int) -> WorkflowRun:
        """One run. Raises 404."""
        wanted = self._starter.facts(repository).id
        with self.engine.changed:
            run = self.engine.runs.get(run_id)
        if run is None or run.repository.id != wanted:
            raise not_found()
        return run

    def job(self, repository: str, job_id: int) -> JobRecord:
        """One job. Raises 404."""
        with self.engine.changed:
            job = self.engine.jobs.get(job_id)
        if job is None:
            raise not_found()
        self.run(repository, job.run_id)
        return job

    def log_text(self, job_id: int) -> bytes:
        """A job's log so far. Raises 404."""
        with self.engine.changed:
            if job_id not in self.engine.jobs:
                raise not_found()
            return bytes(self.engine.jobs[job_id].log)

    def cancel(self, repository: str, run_id: int) -> None:
        """Ask a run to stop. Raises 409 if it has ended."""
        run = self.run(repository, run_id)
        with self.engine.changing():
            self._refuse_ended(run)
            self.engine.cancel_run(run)

    def force_cancel(self, repository: str, run_id: int) -> None:
        """End a run now, whatever its `if`s say. Raises 409 if it has ended."""
        run = self.run(repository, run_id)
        with self.engine.changing():
            self._refuse_ended(run)
            self.engine.force_cancel_run(run)

    def rerun(self, repository: str, run_id: int, actor: ActorFacts) -> WorkflowRun:
        """Run everything again, at the same commit. Raises 403 while it runs."""
        return self._again(repository, run_id, actor, keep=frozenset())

    def rerun_failed_jobs(self, repository: str, run_id: int, actor: ActorFacts) -> WorkflowRun:
        """Run failed jobs and those that need them again. Raises 403 while it runs."""
        return self._again(repository, run_id, actor, keep=frozenset({Conclusion.SUCCESS}))

    def _again(
        self, repository: str, run_id: int, actor: ActorFacts, keep: Set[Conclusion]
    ) -> WorkflowRun:
        run = self.run(repository, run_id)
        with self.engine.changing():
            if run.status is not Status.COMPLETED:
                raise ApiError(403, "This workflow is already running")
            if run.error is not None:
                raise ApiError(403, "This workflow run cannot be retried")
            if run.attempt.number >= ATTEMPTS_MAX:
                raise ApiError(403, f"A run can be run again at most {ATTEMPTS_MAX - 1} times")
            attempt = next_attempt(run, actor, keep, self.host.now(), self.engine.new_id)
            run.attempts.append(attempt)
            self.engine.jobs.update({job.id: job for job in attempt.jobs})
            self.engine.start_run(run)
        return run

    def _refuse_ended(self, run: WorkflowRun) -> None:
        if run.status is Status.COMPLETED:
            raise ApiError(409, "Cannot cancel a workflow run that is completed.")
