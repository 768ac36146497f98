"""Prompts as text files; `action/agents/prompt.py` fills them."""
