"""A prompt as a text that people review."""

import json

from bot.core.values.prompt import Prompt


def rendered(question: Prompt) -> str:
    """Everything that a model is given, as text."""
    tool = json.dumps(json.loads(question.tool_schema), indent=1, sort_keys=True)
    parts = "\n".join(part.text for part in question.parts)
    return (
        f"{question.system}\n----\n{parts}\n----\n{question.tool}: {question.tool_says}\n{tool}\n"
    )
