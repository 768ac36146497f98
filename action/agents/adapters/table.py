"""The adapter of each kind of agent that is a program."""

from collections.abc import Mapping

from action.agents.adapters.acp import AgentClientProtocol
from action.agents.adapters.claude_code import ClaudeCode
from action.agents.adapters.codex import Codex
from action.agents.adapters.command import CommandLine
from action.agents.adapters.opencode import OpenCode
from action.agents.adapters.protocol import Adapter
from action.order import AgentKind

ADAPTERS: Mapping[AgentKind, Adapter] = {
    AgentKind.CLAUDE_CODE: ClaudeCode(),
    AgentKind.CODEX: Codex(),
    AgentKind.OPENCODE: OpenCode(),
    AgentKind.ACP: AgentClientProtocol(),
    AgentKind.COMMAND: CommandLine(),
}
