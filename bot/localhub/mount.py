"""Connects the hub and its Actions service: routes, permissions, what starts workflows."""

from flask import Flask

from bot.localhub.actions.engine import Settings
from bot.localhub.actions.host import ActorFacts
from bot.localhub.actions.payloads import json_object
from bot.localhub.actions.routes import actions_blueprint
from bot.localhub.actions.runner_routes import runner_blueprint
from bot.localhub.actions.service import ActionsService, PullRequestFacts, PushFacts
from bot.localhub.app import Extension
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.hub import Hub
from bot.localhub.model import Actor, Issue, Repository, TokenKind
from bot.localhub.pull_stats import files_of, pull_payload
from bot.localhub.routes import api
from bot.localhub.rules import RefMove


def actions_of(hub: Hub, settings: Settings | None = None) -> ActionsService:
    """An Actions service over a hub; pushes and pulls start workflows from now on."""
    service = ActionsService(hub.actions_host, settings)

    def on_push(repository: Repository, move: RefMove, actor: Actor) -> None:
        sender = _starter(hub, actor)
        # An annotated tag is an object of its own; workflows run at the commit that it names.
        after = None if move.deletes else repository.git.commit_sha(move.after)
        if sender is not None:
            service.on_push(
                PushFacts(
                    repository=repository.full_name,
                    ref=move.ref,
                    before=move.before,
                    after=after or move.after,
                    sender=sender,
                )
            )

    def on_pull_request(issue: Issue, action: str, actor: Actor) -> None:
        sender = _starter(hub, actor)
        # GitHub runs nothing for a new contributor's pull from a fork until a maintainer approves it.
        if sender is not None and issue.pull is not None and issue.pull.fork is None:
            service.on_pull_request(_pull_facts(hub, issue, action, sender))

    def on_rename(repository: Repository, former: str) -> None:
        service.on_rename(former, repository.full_name)

    def lose_dispatch(_fault: Fault, _repository: str) -> None:
        service.settings.never_start += 1

    hub.faults.effects[FaultKind.LOSE_DISPATCH] = lose_dispatch
    hub.on_push(on_push)
    hub.on_pull_request(on_pull_request)
    hub.lives.listeners.append(on_rename)
    return service


def _starter(hub: Hub, actor: Actor) -> ActorFacts | None:
    """Who starts workflows; events of a job's own token start none, as on GitHub."""
    return None if actor.kind is TokenKind.JOB else hub.actions_host.facts_of(actor)


def _pull_facts(hub: Hub, issue: Issue, action: str, sender: ActorFacts) -> PullRequestFacts:
    pull = issue.pull
    if pull is None:
        raise ValueError(f"#{issue.number} is not a pull request")
    payload = json_object(pull_payload(hub.state, issue))
    return PullRequestFacts(
        repository=issue.repository.full_name,
        number=issue.number,
        action=action,
        title=issue.title,
        head_ref=pull.head_ref,
        base_ref=pull.base_ref,
        sha=pull.head_sha,
        sender=sender,
        changed_paths=tuple(file.path for file in files_of(issue, pull)),
        payload={"pull_request": payload},
    )


def extension(service: ActionsService) -> Extension:
    """Mounts the service's routes on a hub's application."""

    def mount(app: Flask, _hub: Hub) -> None:
        app.register_blueprint(actions_blueprint(service, api.authorise))
        app.register_blueprint(runner_blueprint(service))

    return mount
