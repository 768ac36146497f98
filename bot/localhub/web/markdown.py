"""GitHub-flavoured Markdown as safe HTML; raw HTML is limited to four tags (`<details>`, `<sub>` …).

HTML comments (in which bots keep markers) are hidden, ```mermaid blocks are drawn, `#12` links to
issue 12, task lists show their boxes, and alerts (`[!NOTE]`) their kind. Nothing can hold a script.
"""

import re
from collections.abc import MutableMapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from bot.localhub.web.diagram import draw

_TAG = re.compile(
    r"^(?P<open><details(?P<is_open> open)?>)?\s*+"
    r"(?:<summary>(?P<summary>.*?)</summary>\s*+)?(?P<close></details>)?$"
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ISSUE = re.compile(r"(?<![\w/&])#(\d+)\b")
_MENTION = re.compile(r"(?<![\w/@`])@([a-zA-Z\d](?:[a-zA-Z\d-]{0,37}[a-zA-Z\d])?)\b")


def _details(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
    match = _TAG.match(line)
    if not line or match is None:
        return False
    if silent:
        return True
    if match["open"]:
        state.push("details_open", "details", 1).meta = {"is_open": bool(match["is_open"])}
    if match["summary"] is not None:
        state.push("summary_open", "summary", 1)
        inline = state.push("inline", "", 0)
        inline.content = re.sub(r"</?(?:b|strong|i|em|code)>", "", match["summary"])
        inline.map = [start, start + 1]
        inline.children = []
        state.push("summary_close", "summary", -1)
    if match["close"]:
        state.push("details_close", "details", -1)
    state.line = start + 1
    return True


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    begin = state.bMarks[start] + state.tShift[start]
    match = _COMMENT.match(state.src, begin)
    if match is None:
        return False
    last = next((at for at in range(start, end) if state.eMarks[at] >= match.end()), end - 1)
    if state.src[match.end() : state.eMarks[last]].strip():
        return False
    if not silent:
        state.line = last + 1
    return True


def _comment_inline(state: StateInline, silent: bool) -> bool:
    match = _COMMENT.match(state.src, state.pos)
    if match is None:
        return False
    state.pos = match.end()
    return True


_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)


def _break_inline(state: StateInline, silent: bool) -> bool:
    match = _BREAK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = match.end()
    return True


_SUB = re.compile(r"<sub>([^<]*)</sub>")


def _sub_inline(state: StateInline, silent: bool) -> bool:
    match = _SUB.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("sub_open", "sub", 1)
        state.push("text", "", 0).content = match[1]
        state.push("sub_close", "sub", -1)
    state.pos = match.end()
    return True


_ALERT = re.compile(r"^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$")


def _text(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    text = escapeHtml(tokens[at].content)
    if at == 0 or (at == 1 and not tokens[0].content):
        text = re.sub(r"^\[ \] ", "☐ ", text)
        text = re.sub(r"^\[[xX]\] ", "☑ ", text)
        text = _ALERT.sub(lambda m: f"<strong>{m[1].capitalize()}</strong>", text)
    depth = sum(token.nesting for token in tokens[:at] if token.type.startswith("link_"))
    if depth > 0:
        return text
    text = _MENTION.sub(r'<span class="mention">@\1</span>', text)
    return _ISSUE.sub(rf'<a href="{_repository(env)}/issues/\1">#\1</a>', text)


def _repository(env: MutableMapping[str, object]) -> str:
    return escapeHtml(str(env.get("repository", "")))


def _fence(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    token = tokens[at]
    if token.info.strip() == "mermaid":
        drawing = draw(token.content)
        if drawing is not None:
            return f'<figure class="diagram">{drawing}</figure>'
    return f"<pre><code>{escapeHtml(token.content)}</code></pre>\n"


def _details_open(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    return "<details open>" if tokens[at].meta["is_open"] else "<details>"


def _renderer() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True})
    markdown.enable(["table", "strikethrough"])
    before = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.block.ruler.before("paragraph", "details", _details, before)  # type: ignore[arg-type]
    markdown.block.ruler.before("paragraph", "comment", _comment_block, before)  # type: ignore[arg-type]
    markdown.inline.ruler.before("autolink", "comment", _comment_inline)
    markdown.inline.ruler.before("autolink", "break", _break_inline)
    markdown.inline.ruler.before("autolink", "sub", _sub_inline)
    markdown.add_render_rule("text", _text)
    markdown.add_render_rule("fence", _fence)
    markdown.add_render_rule("details_open", _details_open)
    return markdown


_MARKDOWN = _renderer()


def render(text: str, repository: str) -> str:
    """Safe HTML of a text in a repository (`/owner/name`, the target of its references)."""
    return str(_MARKDOWN.render(text, {"repository": repository}))
