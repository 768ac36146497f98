"""The help of a group of commands: each with its whole sentence, those of one purpose together."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Try it": ("demo", "doctor"),
    "Specs": ("spec", "plan", "coverage"),
    "Set up": ("setup", "init", "webhook", "selftest", "up"),
    "See what happens": ("queue", "explain", "watch", "journal"),
    "Policy, gates and models": ("gates", "models", "schema"),
    "Operate": ("backup", "restored", "serve", "worker", "sweep", "gateway", "runner"),
    "Develop against a local GitHub": ("localhub",),
}
_WHOLE = 200


class CommandGroup(TyperGroup):
    """A group without sections of its own has one, `Commands`."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        left = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        sections = _SECTIONS if ctx.parent is None else {}
        for title, names in [*sections.items(), ("Commands", tuple(left))]:
            held = [(name, left.pop(name)) for name in names if name in left]
            rows = [(name, one.get_short_help_str(_WHOLE)) for name, one in held if one is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
