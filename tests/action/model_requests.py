"""Requests as agents' programs send them: their keys and kinds, with little in them."""

MODEL = "claude-sonnet-4-6"
HELPER = "claude-haiku-4-5"

_MARK = {"type": "ephemeral", "ttl": "1h"}
_SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}}

# Claude Code 2.1 with an address of its own for the model.
CLAUDE_CODE_BETAS = (
    "claude-code-20250219, interleaved-thinking-2025-05-14, redact-thinking-2026-02-12, "
    "thinking-token-count-2026-05-13, context-management-2025-06-27, "
    "prompt-caching-scope-2026-01-05, mid-conversation-system-2026-04-07, effort-2025-11-24"
)
CLAUDE_CODE: dict[str, object] = {
    "model": MODEL,
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Mend it.", "cache_control": _MARK}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "", "signature": "s"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_1",
                    "is_error": False,
                    "content": [
                        {"type": "text", "text": "shop.py ünd\u2028"},
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": "AA=="},
                        },
                        {"type": "tool_reference", "tool_name": "Bash"},
                    ],
                }
            ],
        },
        {"role": "system", "content": "Two minutes are left."},
    ],
    "system": [
        {"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1;"},
        {"type": "text", "text": "You are an agent.", "cache_control": _MARK},
    ],
    "tools": [
        {"name": "Bash", "description": "Runs.", "input_schema": _SCHEMA},
        {"type": "custom", "name": "Edit", "input_schema": _SCHEMA, "defer_loading": True},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        {"type": "bash_20250124", "name": "bash"},
    ],
    "metadata": {"user_id": "user_1_session_2"},
    "max_tokens": 32_000,
    "thinking": {"type": "adaptive"},
    "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
    "output_config": {"effort": "high"},
    "stream": True,
}

# `codex exec` with web_search = "disabled".
CODEX: dict[str, object] = {
    "model": MODEL,
    "instructions": "You are an agent.",
    "input": [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "a"}]},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Mend it."}],
        },
        {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "x"},
        {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "shop.py"},
        {"type": "custom_tool_call", "call_id": "d", "name": "apply_patch", "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "d", "output": "Done"},
    ],
    "tools": [
        {"type": "function", "name": "shell", "strict": False, "parameters": _SCHEMA},
        {"type": "custom", "name": "apply_patch", "format": {"type": "grammar", "syntax": "lark"}},
        {"type": "namespace", "name": "more", "tools": [{"type": "function", "name": "view"}]},
    ],
    "tool_choice": "auto",
    "parallel_tool_calls": False,
    "reasoning": {"effort": "medium", "summary": "auto"},
    "store": False,
    "stream": True,
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "k",
    "text": {"verbosity": "low"},
    "client_metadata": {"x-codex-installation-id": "i"},
}
