"""What runners call: register, acquire a job, renew it, report progress, complete it.

A job belongs to the runner that took it; reports of other runners are refused. A taken job counts
as in progress after its runner's first report, and is offered again if there is none, so that no
job is lost when a runner dies while it waits.
"""

import base64
import binascii
import itertools
import secrets
import time
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError

from bot.localhub.actions.contexts import node_evaluation_scope
from bot.localhub.actions.engine import Engine
from bot.localhub.actions.id_token_claims import default_audience, id_token_claims
from bot.localhub.actions.progress import permissions_of
from bot.localhub.actions.records import JobRecord, Runner
from bot.localhub.actions.reusable_workflows import qualify
from bot.localhub.actions.runner_messages import (
    POLL_SECONDS_MAX,
    ActionLocation,
    Completion,
    JobMessage,
    JobSignal,
    Registered,
    Registration,
    RenewAnswer,
    Status,
    StepsUpdate,
)
from bot.localhub.actions.workflow import Defaults, Level
from bot.localhub.errors import ApiError, not_found

# Our own limit: a longer log is cut, so that one job cannot fill the memory.
LOG_BYTES_MAX = 20_000_000


@dataclass(frozen=True)
class Invitation:
    repository: str


class RunnerApi:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._invitations: dict[str, Invitation] = {}
        self._runner_ids = itertools.count(1)

    def invite(self, repository: str) -> str:
        token = "A" + secrets.token_hex(14).upper()
        self._invitations[token] = Invitation(repository)
        return token

    def invite_just_in_time(
        self, repository: str, registration: Registration
    ) -> tuple[Runner, str]:
        engine = self._engine
        registration = registration.replace(ephemeral=True)
        with engine.changing():
            if any(runner.name == registration.name for runner in engine.runners.values()):
                raise ApiError(409, "Already exists - A runner with that name already exists.")
            runner = self._enter(registration, repository)
            runner.contact_at = float("-inf")
        registered = Registered(runner_token=runner.token, name=runner.name)
        packed = registered.model_dump_json()
        return runner, base64.b64encode(packed.encode()).decode()

    def register(self, registration: Registration) -> Registered:
        """Register a runner; it replaces an older one of the same name."""
        engine = self._engine
        if registration.jit_config is not None:
            return self._admit_just_in_time(registration.jit_config)
        repository = None
        if registration.token is not None:
            invitation = self._invitations.get(registration.token)
            if invitation is None:
                raise not_found()
            repository = invitation.repository
        with engine.changing():
            for runner in list(engine.runners.values()):
                if runner.name == registration.name and runner.repository == repository:
                    del engine.runners[runner.id]
            runner = self._enter(registration, repository)
        return Registered(runner_token=runner.token, name=runner.name)

    def acquire(self, token: str, wait_seconds: float) -> JobMessage | None:
        """The next job that the runner may take; waits for one."""
        engine = self._engine
        deadline = time.monotonic() + min(wait_seconds, POLL_SECONDS_MAX)
        with engine.changed:
            while True:
                runner = self._runner(token)
                runner.contact_at = time.monotonic()
                job = self._next_job(runner)
                if job is not None:
                    job.runner, runner.job_id = runner, job.id
                    job.contact_at = time.monotonic()
                    engine.changed.notify_all()
                    break
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return None
                engine.changed.wait(remaining)
        return self._message(job)

    def renew(self, token: str, job_id: int, wait_seconds: float, seen: JobSignal) -> RenewAnswer:
        """Renew a job; answers at once if the signal differs from `seen`."""
        engine = self._engine
        third = engine.settings.runner_lost_seconds / 3
        deadline = time.monotonic() + min(wait_seconds, POLL_SECONDS_MAX, third)
        with engine.changing():
            job = self._own_job(token, job_id)
            self._touch(job)
        with engine.changed:
            while not job.is_over and job.signal is seen:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    break
                engine.changed.wait(remaining)
            return RenewAnswer(signal=JobSignal.FORCE_CANCEL if job.is_over else job.signal)

    def append_log(self, token: str, job_id: int, offset: int, chunk: bytes) -> None:
        """Add to the log at an offset; what is there already is not added again."""
        with self._engine.changing():
            job = self._own_job(token, job_id)
            self._touch(job)
            have = len(job.log)
            if offset > have:
                raise ApiError(409, f"The log has {have} bytes only")
            job.log.extend(chunk[have - offset :][: max(0, LOG_BYTES_MAX - have)])

    def update_steps(self, token: str, job_id: int, update: StepsUpdate) -> None:
        with self._engine.changing():
            job = self._own_job(token, job_id)
            self._touch(job)
            if not job.is_over:
                job.steps = update.steps

    def complete(self, token: str, job_id: int, completion: Completion) -> None:
        with self._engine.changing():
            job = self._own_job(token, job_id)
            self._touch(job)
            self._engine.finish_job(job, completion)

    def find_action(self, token: str, job_id: int, uses: str) -> ActionLocation:
        """The repository of an action, at the commit that its ref names now."""
        with self._engine.changed:
            job = self._own_job(token, job_id)
            home = self._engine.runs[job.run_id].repository
            own = job.node.scope.loaded
        if uses.startswith("$/"):
            # The repository of the file that has the step, at the commit that it was read from.
            uses = f"{own.repository}/{uses[2:]}@{own.sha}"
        place, _, ref = uses.rpartition("@")
        owner, _, rest = place.partition("/")
        name, _, path = rest.partition("/")
        missing = ApiError(404, f"Unable to resolve action `{uses}`, repository not found")
        try:
            facts = self._engine.host.repository_facts(f"{owner}/{name}")
        except KeyError:
            raise missing from None
        if facts.private and facts.owner_id != home.owner_id:
            raise missing
        qualified = qualify(self._engine.host, facts.full_name, ref)
        if qualified is None:
            raise ApiError(
                404, f"Unable to resolve action `{uses}`, unable to find version `{ref}`"
            )
        return ActionLocation(
            repository=facts.full_name,
            ref=ref,
            sha=qualified[1],
            path=path,
            clone_url=facts.clone_url,
        )

    def id_token(self, run_id: int, job_id: int, request_token: str, audience: str | None) -> str:
        """GitHub's OIDC token for a job in progress. Raises 401 for any other."""
        engine = self._engine
        refused = ApiError(401, "Bad credentials")
        check_run_id = engine.outbox.recorded_check_run_id(job_id, timeout_seconds=5.0)
        with engine.changed:
            job = engine.jobs.get(job_id)
            if job is None or job.run_id != run_id or job.is_over:
                raise refused
            known = job.id_token_request_token or ""
            if not known or not secrets.compare_digest(known.encode(), request_token.encode()):
                raise refused
            run = engine.runs[run_id]
            wanted = audience or default_audience(run, engine.host.base_url)
            claims = id_token_claims(run, job, wanted, engine.host.now())
        claims["iss"] = f"{engine.host.base_url}/_oidc"
        claims["check_run_id"] = str(check_run_id)
        return engine.host.mint_id_token(claims)

    def remove(self, repository: str, runner_id: int) -> None:
        with self._engine.changing():
            runner = self._engine.runners.get(runner_id)
            if runner is None or runner.repository not in (None, repository):
                raise not_found()
            if runner.job_id is not None:
                raise ApiError(422, f'Runner "{runner.name}" is still running a job')
            del self._engine.runners[runner_id]

    def _admit_just_in_time(self, packed: str) -> Registered:
        try:
            registered = Registered.model_validate_json(base64.b64decode(packed))
        except (ValidationError, binascii.Error) as error:
            raise not_found() from error
        with self._engine.changed:
            self._runner(registered.runner_token).contact_at = time.monotonic()
        return registered

    def _enter(self, registration: Registration, repository: str | None) -> Runner:
        own = ("self-hosted", registration.os, registration.architecture)
        labels = [*own, *(one for one in registration.labels if one.lower() != "self-hosted")]
        runner = Runner(
            id=next(self._runner_ids),
            name=registration.name,
            token=secrets.token_hex(20),
            labels=tuple(dict.fromkeys(labels)),
            group=registration.group,
            os=registration.os,
            ephemeral=registration.ephemeral,
            repository=repository,
            contact_at=time.monotonic(),
        )
        self._engine.runners[runner.id] = runner
        return runner

    def _runner(self, token: str) -> Runner:
        for runner in self._engine.runners.values():
            if secrets.compare_digest(runner.token.encode(), token.encode()):
                return runner
        raise ApiError(401, "Bad credentials")

    def _own_job(self, token: str, job_id: int) -> JobRecord:
        """A job of the runner with this token, which may be removed (ephemeral) by now."""
        job = self._engine.jobs.get(job_id)
        if job is None or job.runner is None:
            raise not_found()
        if not secrets.compare_digest(job.runner.token.encode(), token.encode()):
            raise not_found()
        return job

    def _touch(self, job: JobRecord) -> None:
        job.contact_at = time.monotonic()
        if job.runner is not None:
            job.runner.contact_at = job.contact_at
        self._engine.begin_job(job)

    def _next_job(self, runner: Runner) -> JobRecord | None:
        if runner.job_id is not None:
            return None
        for job in self._engine.open_jobs():
            if job.status is Status.QUEUED and job.runner is None and self._suits(runner, job):
                return job
        return None

    def _suits(self, runner: Runner, job: JobRecord) -> bool:
        run = self._engine.runs[job.run_id]
        if runner.repository not in (None, run.repository.full_name):
            return False
        if job.group is not None and job.group.lower() != runner.group.lower():
            return False
        return {one.lower() for one in job.labels} <= {one.lower() for one in runner.labels}

    def _message(self, job: JobRecord) -> JobMessage:
        engine = self._engine
        run = engine.runs[job.run_id]
        granted = {
            name: level for name, level in permissions_of(job.node).items() if level != "none"
        }
        token = engine.host.mint_job_token(
            run.repository.full_name,
            {
                name.replace("-", "_"): level.value
                for name, level in granted.items()
                if name != "id-token"
            }
            | {"metadata": "read"},
        )
        may_ask = granted.get("id-token") is Level.WRITE
        with engine.changed:
            job.token = token
            job.id_token_request_token = secrets.token_urlsafe(48) if may_ask else None
            contexts = self._contexts(job, token)
            workflow = job.node.scope.loaded.workflow
            base = engine.host.base_url
            url = f"{base}/_actions/idtoken/{run.id}/{job.id}?api-version=2.0" if may_ask else None
            return JobMessage(
                job_id=job.id,
                run_id=run.id,
                job_key=job.definition.id,
                display_name=job.name,
                contexts=contexts,
                env_layers=(workflow.env, job.definition.env),
                defaults=_merged(workflow.defaults, job.definition.defaults),
                steps=job.definition.steps,
                outputs=job.definition.outputs,
                timeout_minutes=job.timeout_minutes,
                token=token,
                masks=tuple(
                    value
                    for value in (*job.node.scope.secrets.values(), job.id_token_request_token)
                    if value
                ),
                id_token_url=url,
                id_token_request_token=job.id_token_request_token,
            )

    def _contexts(self, job: JobRecord, token: str) -> dict[str, JsonValue]:
        engine = self._engine
        run = engine.runs[job.run_id]
        variables = engine.variables.get(run.repository.full_name, {})
        seen = dict(node_evaluation_scope(run, job.node, engine.host.base_url, variables).contexts)
        github = seen["github"]
        if isinstance(github, dict):
            seen["github"] = {**github, "token": token}
        seen["secrets"] = {**job.node.scope.secrets, "GITHUB_TOKEN": token}
        seen["matrix"] = job.matrix
        seen["strategy"] = job.strategy
        return seen


def _merged(outer: Defaults, inner: Defaults) -> Defaults:
    return Defaults(
        shell=inner.shell or outer.shell,
        working_directory=inner.working_directory or outer.working_directory,
    )
