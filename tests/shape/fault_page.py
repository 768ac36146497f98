"""docs/faults.md: the faults that localhub can have, from the code."""

from bot.localhub.faults import FIELDS, MEANINGS, REQUEST_ONLY, WEBHOOK_ONLY, Fault, FaultKind

_EXAMPLE = """\
- kind: lose_answer            # the issue is opened, and the answer is lost
  method: POST
  path_glob: /repos/*/issues
  nth: 2
- kind: secondary_limit        # with retry_after_seconds, or without
  method: POST
  path_glob: /repos/*/check-runs
  times: 3
  retry_after_seconds: 60
- kind: refuse_before          # a new ref is not visible yet
  method: GET
  path_glob: "*/git/ref/heads/*"
  times: 2
  status: 404
  message: Not Found
- kind: reorder
  path_glob: issue_comment.created
- kind: push                   # somebody pushes just before the landing
  method: POST
  path_glob: "*/git-receive-pack"
  nth: 4
"""


def fault_page() -> str:
    """The whole page."""
    lines = [
        "# Faults",
        "",
        "`headgate localhub --seed FILE --faults FILE` makes things go wrong on request. The file",
        "is a list, in YAML or JSON; a fault that could never match is refused with its line and the nearest",
        "known word.",
        "Tests plant the same faults (`bot.localhub.faults.Fault`).",
        "",
        "```yaml",
        _EXAMPLE + "```",
        "",
        "## Kinds",
        "",
        "| Kind | Applies to | What happens | Its own settings |",
        "|---|---|---|---|",
    ]
    place = set(FIELDS[FaultKind.DROP])
    for kind in FaultKind:
        own = ", ".join(f"`{name}`" for name in FIELDS[kind] if name not in place) or "–"
        lines.append(f"| `{kind}` | {_applies_to(kind)} | {MEANINGS[kind]} | {own} |")
    lines += ["", "## Settings", "", "| Setting | Default | Meaning |", "|---|---|---|"]
    for name, setting in Fault.model_fields.items():
        default = "required" if setting.is_required() else f"`{setting.get_default()!r}`"
        lines.append(f"| `{name}` | {default} | {setting.description or ''} |")
    lines += [
        "",
        "The first matching fault applies; every fault counts its own matches. A push and a rewind are",
        "made by the repository's owner, under the repository's rules.",
    ]
    return "\n".join(lines) + "\n"


def _applies_to(kind: FaultKind) -> str:
    if kind in REQUEST_ONLY:
        return "requests"
    return "webhooks" if kind in WEBHOOK_ONLY else "both"


def example() -> str:
    """The page's example, which a test reads as a file."""
    return _EXAMPLE
