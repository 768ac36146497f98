"""Helpers of these tests: scripts in a few lines, clients that never retry."""

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from anthropic import Anthropic
from anthropic.types import ToolParam
from openai import OpenAI

from bot.localhub.model_server.script import Script, parse_script
from bot.localhub.model_server.server import running

BASH: ToolParam = {
    "name": "bash",
    "description": "Run a command",
    "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}},
}


def script(text: str) -> Script:
    """A script from indented YAML."""
    return parse_script(textwrap.dedent(text))


@contextmanager
def anthropic_on(played: Script) -> Iterator[Anthropic]:
    """The real Anthropic client, against a server that plays `played`."""
    with (
        running(played) as base_url,
        Anthropic(api_key="any", base_url=base_url, max_retries=0, timeout=20) as client,
    ):
        yield client


@contextmanager
def openai_on(played: Script) -> Iterator[OpenAI]:
    """The real OpenAI client, against a server that plays `played`."""
    with (
        running(played) as base_url,
        OpenAI(api_key="any", base_url=f"{base_url}/v1", max_retries=0, timeout=20) as client,
    ):
        yield client
