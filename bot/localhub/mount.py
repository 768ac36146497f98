"""The hub and its Actions service, put together: routes, permissions, pushes that start workflows.

Deliberately absent: anything that either side could do alone.
"""

from flask import Flask

from bot.localhub.actions.engine import Settings
from bot.localhub.actions.host import ActorFacts
from bot.localhub.actions.routes import actions_blueprint
from bot.localhub.actions.runner_routes import runner_blueprint
from bot.localhub.actions.service import ActionsService, PushFacts
from bot.localhub.app import Extension
from bot.localhub.errors import ApiError
from bot.localhub.hub import Hub
from bot.localhub.model import Actor, Repository, TokenKind
from bot.localhub.routes import door
from bot.localhub.rules import RefMove


def actions_of(hub: Hub, settings: Settings | None = None) -> ActionsService:
    """An Actions service over a hub; pushes to it start workflows from now on."""
    service = ActionsService(hub.actions, settings)

    def on_push(repository: Repository, move: RefMove, actor: Actor) -> None:
        sender = hub.actions.facts_of(actor)
        # What a job pushes with its own token starts no workflows, as on GitHub.
        if sender is None or actor.kind is TokenKind.JOB:
            return
        service.on_push(
            PushFacts(
                repository=repository.full_name,
                ref=move.ref,
                before=move.before,
                after=move.after,
                sender=sender,
            )
        )

    hub.on_push(on_push)
    return service


def extension(service: ActionsService) -> Extension:
    """Mounts the service's routes on a hub's application."""

    def authorise(repository: str, permission: str, level: str) -> ActorFacts:
        owner, _, name = repository.partition("/")
        door.repository(owner, name, permission, level)
        facts = door.hub().actions.facts_of(door.actor())
        if facts is None:
            raise ApiError(401, "Requires authentication")
        return facts

    def mount(app: Flask, _hub: Hub) -> None:
        app.register_blueprint(actions_blueprint(service, authorise))
        app.register_blueprint(runner_blueprint(service))

    return mount
