"""What a change declared that it would touch, as gates are told of it."""

from dataclasses import dataclass

# The title of an annotation at such a file.
NOT_DECLARED = "Not declared"


@dataclass(frozen=True, kw_only=True)
class DeclaredScope:
    """`files` and folders of the change's plan; `modules` and `generated` are gitignore patterns from the top.

    `is_binding`: what lies beyond is red, and not only told. Where neither files nor modules are
    declared, nothing is beyond.
    """

    __pydantic_config__ = {"extra": "forbid"}

    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    is_binding: bool = False


NOTHING_DECLARED = DeclaredScope()
