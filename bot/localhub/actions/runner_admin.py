"""GitHub's REST routes for self-hosted runners of a repository: list, register, remove.

They require the `administration` permission, as on GitHub.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field, JsonValue

from bot.localhub.actions.host import ActorFacts
from bot.localhub.actions.payloads import runner_payload
from bot.localhub.actions.records import Runner
from bot.localhub.actions.runner_messages import Registration
from bot.localhub.actions.service import ActionsService
from bot.localhub.errors import ApiError, not_found
from bot.localhub.github_json import iso
from bot.localhub.pages import page_of

# GitHub's lifetime of a registration token.
_TOKEN_LIFE = timedelta(hours=1)


class JustInTimeRequest(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=64)]
    runner_group_id: int
    labels: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]
    work_folder: str = "_work"


def add_runner_admin_routes(
    blueprint: Blueprint,
    service: ActionsService,
    authorise: Callable[[str, str, str], ActorFacts],
) -> None:
    base = "/repos/<owner>/<name>/actions/runners"
    runner_api, engine = service.runner_api, service.engine

    def shown(runner: Runner) -> dict[str, JsonValue]:
        silent_seconds = time.monotonic() - runner.contact_at
        is_online = silent_seconds < service.settings.runner_lost_seconds
        return runner_payload(runner, "online" if is_online else "offline")

    def visible(repository: str) -> list[Runner]:
        with engine.changed:
            return [one for one in engine.runners.values() if one.repository in (None, repository)]

    @blueprint.get(base)
    def list_runners(owner: str, name: str) -> Response:
        repository = f"{owner}/{name}"
        authorise(repository, "administration", "read")
        found = visible(repository)
        members = [shown(runner) for runner in page_of(found)[0]]
        return jsonify({"total_count": len(found), "runners": members})

    @blueprint.get(f"{base}/<int:runner_id>")
    def get_runner(owner: str, name: str, runner_id: int) -> Response:
        repository = f"{owner}/{name}"
        authorise(repository, "administration", "read")
        for runner in visible(repository):
            if runner.id == runner_id:
                return jsonify(shown(runner))
        raise not_found()

    @blueprint.delete(f"{base}/<int:runner_id>")
    def delete_runner(owner: str, name: str, runner_id: int) -> tuple[str, int]:
        repository = f"{owner}/{name}"
        authorise(repository, "administration", "write")
        runner_api.remove(repository, runner_id)
        return "", 204

    @blueprint.post(f"{base}/registration-token")
    def create_registration_token(owner: str, name: str) -> tuple[Response, int]:
        repository = f"{owner}/{name}"
        authorise(repository, "administration", "write")
        expires_at = iso(service.host.now() + _TOKEN_LIFE)
        return jsonify(token=runner_api.invite(repository), expires_at=expires_at), 201

    @blueprint.post(f"{base}/generate-jitconfig")
    def generate_jit_config(owner: str, name: str) -> tuple[Response, int]:
        repository = f"{owner}/{name}"
        authorise(repository, "administration", "write")
        signal = JustInTimeRequest.model_validate(request.get_json(force=True))
        if signal.runner_group_id != 1:
            raise ApiError(422, "Runner group not found")
        registration = Registration(name=signal.name, labels=signal.labels)
        runner, packed = runner_api.invite_just_in_time(repository, registration)
        return jsonify(runner=shown(runner), encoded_jit_config=packed), 201
