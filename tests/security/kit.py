"""An agent that is a shell line, in a harness on the whole way."""

from action.order import AgentKind, AgentSettings
from tests.action.fake_server import FakeServer
from tests.action.kit import Project, agent_order


def attack(server: FakeServer, project: Project, line: str, **more: object) -> None:
    """The order's agent is this shell line."""
    settings = AgentSettings(kind=AgentKind.COMMAND, command=line)
    server.order = agent_order(server, project, agent=settings, **more)
