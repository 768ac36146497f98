"""Tells mypy which fields `replace` of one of our pydantic models takes, and of which types.

Without it mypy would take any name and any value. pydantic's own plugin has noted the fields.
"""

from collections.abc import Callable

from mypy.nodes import ARG_NAMED_OPT, Var
from mypy.plugin import MethodSigContext, Plugin
from mypy.types import FunctionLike, Instance, Type, get_proper_type

_NOTED = "pydantic-mypy-metadata"


class ReplacePlugin(Plugin):
    """What `pyproject.toml` names."""

    def get_method_signature_hook(
        self, fullname: str
    ) -> Callable[[MethodSigContext], FunctionLike] | None:
        return _with_fields if fullname.endswith(".replace") else None


def _with_fields(context: MethodSigContext) -> FunctionLike:
    owner = get_proper_type(context.type)
    if not isinstance(owner, Instance) or not owner.type.has_base("pydantic.main.BaseModel"):
        return context.default_signature
    fields: dict[str, Type] = {}
    for ancestor in owner.type.mro:
        for name in ancestor.metadata.get(_NOTED, {}).get("fields", {}):
            symbol = owner.type.get(name)
            if symbol is not None and isinstance(symbol.node, Var) and symbol.node.type is not None:
                fields[name] = symbol.node.type
    return context.default_signature.copy_modified(
        arg_names=list(fields),
        arg_types=list(fields.values()),
        arg_kinds=[ARG_NAMED_OPT] * len(fields),
    )


def plugin(_version: str) -> type[Plugin]:
    """What mypy asks for."""
    return ReplacePlugin
