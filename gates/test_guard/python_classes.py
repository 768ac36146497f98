"""Classes of tests in Python whose methods something takes or wraps: a metaclass, a base class, a decorator, a loop."""

import ast
from collections.abc import Iterator

from gates.test_guard.found_test import Mark
from gates.test_guard.python_names import last_name
from gates.test_guard.python_walk import Function, walk

# What they make of a class has all of its methods.
_PLAIN_METACLASSES = frozenset({"type", "ABCMeta", "EnumMeta", "EnumType"})
_SETS = frozenset({"setattr", "delattr", "__setattr__", "__delattr__"})
_TAKES_OUT = frozenset({"pop", "clear", "popitem"})
_BASES_MAX = 20


def reshaped_classes(tree: ast.Module) -> dict[str, Mark]:
    """The names of such classes, each with what it makes of the tests in it."""
    classes = {node.name: node for node in walk(tree) if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in walk(tree) if isinstance(node, Function)}
    reshaping = {name for name, node in functions.items() if _reshapes(node)}
    given_to = set(_given_by_computed_names(tree, frozenset(classes)))
    found: dict[str, Mark] = {}
    for name, node in classes.items():
        decorators = {last_name(one) for one in node.decorator_list}
        plain = {one.id for one in node.decorator_list if isinstance(one, ast.Name)}
        lost = {one for one in plain if one in functions and _gives_another(functions[one])}
        if lost:
            found[name] = Mark.SKIPPED
        elif name in given_to or decorators & reshaping or _is_made_otherwise(node, classes):
            found[name] = Mark.CONDITIONAL
    return found


def _is_made_otherwise(
    node: ast.ClassDef, classes: dict[str, ast.ClassDef], depth: int = 0
) -> bool:
    """Whether its metaclass, or what a base class does as it is made, may give it other methods."""
    if any(
        one.arg == "metaclass" and last_name(one.value) not in _PLAIN_METACLASSES
        for one in node.keywords
    ):
        return True
    bases = [classes[name] for one in node.bases if (name := last_name(one)) in classes]
    return depth < _BASES_MAX and any(
        _reshapes_its_heirs(one) or _is_made_otherwise(one, classes, depth + 1) for one in bases
    )


def _reshapes_its_heirs(node: ast.ClassDef) -> bool:
    return any(
        isinstance(one, Function) and one.name == "__init_subclass__" and _reshapes(one)
        for one in node.body
    )


def _reshapes(function: Function) -> bool:
    """Whether it gives or takes members of what it is given, by names that it works out."""
    of = {one.arg for one in walk(function) if isinstance(one, ast.arg)}
    for node in walk(function):
        match node:
            case ast.Call(func=func, args=[ast.Name(id=name), key, *_]):
                if last_name(func) in _SETS and name in of and not isinstance(key, ast.Constant):
                    return True
            case ast.Call(func=ast.Attribute(value=members, attr=attr)) if attr in _TAKES_OUT:
                if _is_members_of(members, of):
                    return True
            case ast.Subscript(value=members, ctx=ast.Del() | ast.Store()):
                if _is_members_of(members, of):
                    return True
            case ast.Attribute(value=ast.Name(id=name), attr="__test__", ctx=ast.Store()) if (
                name in of
            ):
                return True
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Del()) if name in of:
                if attr.startswith("test"):
                    return True
            case ast.Call(
                func=ast.Name(id="delattr"), args=[ast.Name(id=name), ast.Constant(value=str(key))]
            ) if name in of and key.startswith("test"):
                return True
            case _:
                pass
    return False


def _is_members_of(node: ast.expr, of: set[str]) -> bool:
    """`vars(cls)` and `cls.__dict__`."""
    match node:
        case ast.Call(func=ast.Name(id="vars"), args=[ast.Name(id=name)]):
            return name in of
        case ast.Attribute(value=ast.Name(id=name), attr="__dict__"):
            return name in of
        case _:
            return False


def _gives_another(function: Function) -> bool:
    """Whether a decorator gives something else than the class that it is given."""
    if not function.args.args:
        return False
    name = function.args.args[0].arg
    gives = [one.value for one in walk(function) if isinstance(one, ast.Return) and one.value]
    said = [one for given in gives for one in walk(given)]
    words = {id(one.value) for one in said if isinstance(one, ast.Attribute) and one.attr in _WORDS}
    return not any(isinstance(n, ast.Name) and n.id == name and id(n) not in words for n in said)


# What a class says of itself is not the class.
_WORDS = frozenset({"__name__", "__qualname__", "__doc__", "__module__"})


def _given_by_computed_names(tree: ast.Module, classes: frozenset[str]) -> Iterator[str]:
    """Classes that get or lose members by names that the file works out as it is imported."""
    for node in tree.body:
        if isinstance(node, ast.For | ast.While | ast.With | ast.If | ast.Try | ast.Expr):
            for one in walk(node):
                match one:
                    case ast.Call(func=func, args=[ast.Name(id=name), key, *_]) if (
                        last_name(func) in _SETS
                    ):
                        if name in classes and not isinstance(key, ast.Constant):
                            yield name
                    case _:
                        pass
