"""Functions in a test's body in JavaScript, Go and Rust that nobody calls: what stands in them is never asked.

A function is followed outward from where it stands, through lists and what only keeps it, to a name, and the name to its uses.
Whatever nobody can follow counts as called.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from gates.test_guard.lexed_statements import begins_statement
from gates.test_guard.lexed_strength import EXACT, PRESENT
from gates.test_guard.tokens import Brackets, Kind, Language, Tokens

_J, _G, _R = Language.JAVASCRIPT, Language.GO, Language.RUST
# What gives back what it is given, or something that would call it later.
_KEEPS = {
    _J: frozenset({"memoize", "debounce", "throttle", "freeze", "fn"}),
    _G: frozenset({"OnceFunc", "OnceValue", "append"}),
    _R: frozenset(
        {"Box::new", "Rc::new", "Arc::new", "LazyLock::new", "LazyCell::new", "Some", "Ok"}
        | {"from_fn", "repeat_with", "once_with"}
    ),
}
# What looks at a value, or throws it away.
_LOOKS = {
    _J: frozenset(
        {"log", "debug", "info", "String", "Boolean", "stringify", "inspect", "keys", "isArray"}
    ),
    _G: frozenset(
        {"Print", "Println", "Printf", "Sprint", "Sprintf", "Log", "Logf", "KeepAlive"}
        | {"TypeOf", "len"}
    ),
    _R: frozenset({"drop", "forget", "black_box", "size_of_val", "type_name_of_val"}),
}
# Matchers that compare what `expect` is given, or tell its type.
_LOOKING = (
    EXACT
    | PRESENT
    | frozenset(
        {"toBeNull", "toBeUndefined", "toBeNaN", "toHaveLength", "toHaveBeenCalled"}
        | {"toHaveBeenCalledTimes", "toHaveBeenCalledWith", "toHaveBeenCalledOnce"}
    )
)
# What is said of a function without calling it.
_OF_A_FUNCTION = frozenset({"name", "length", "toString"})
# What stands in front of an object, and of no block.
_BEFORE_AN_OBJECT = {
    _J: frozenset({"(", ",", "=", ":", "[", "return", "?", "??", "||", "&&"}),
    _G: frozenset[str](),
    _R: frozenset({"(", ",", "=", ":"}),
}
_OF_A_METHOD = frozenset({"async", "get", "set", "*"})
# Methods that are called without their name.
_CALLED_BY_OTHERS = frozenset({"toJSON", "toString", "valueOf", "then", "next", "return"})
# They call nothing before somebody goes through what they give.
_LAZY = frozenset({"map", "filter", "inspect", "filter_map", "flat_map", "scan", "map_while"})
_ITERATORS = frozenset({"iter", "into_iter", "chars", "bytes", "lines", "windows", "zip", "keys"})
_NOT_CALLED = frozenset({"if", "for", "while", "switch", "match", "return", "in", "of", "catch"})
_BEFORE_A_VALUE = frozenset({"return", "void", "await", "typeof"})
_BINDS = frozenset({"=", ":="})
_DECLARES = frozenset({"const", "let", "var", "mut", "static"})
_COMPARES = frozenset({"==", "!=", "===", "!=="})
_BEFORE_A_CLOSURE = frozenset(
    {"(", ",", "=", "{", "}", ";", "=>", "[", "&", "move", "return", "|", "||"}
)
_OUTWARD_MAX = 8
_NAMES_MAX = 3
_USES_MAX = 200
# Uses that are looked at in a body, for each of its tokens; what is not looked at counts as called.
_LOOKS_MAX = 4
_HEAD_TOKENS_MAX = 60
_STATEMENT_TOKENS_MAX = 400


def unused_functions(
    body: Tokens, language: Language, brackets: Brackets, places: Mapping[str, Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Where they begin and end."""
    read = _Read(body, language, brackets, places, count())
    reached = 0
    for at in range(len(body)):
        span = read.function_at(at) if at >= reached else None
        if span is not None and not read.is_used(*span):
            reached = span[1] + 1
            yield span[0], reached


@dataclass(frozen=True)
class _Read:
    body: Tokens
    language: Language
    brackets: Brackets
    places: Mapping[str, Sequence[int]]
    looked: Iterator[int]

    def function_at(self, at: int) -> tuple[int, int] | None:
        """The first and the last token of a function whose word or sign stands here."""
        start: int
        end: int | None
        match self.language, self._text(at):
            case Language.JAVASCRIPT, "function":
                end = self._end_of_block(at)
                start = at - (self._text(at - 1) == "async")
            case Language.JAVASCRIPT, "=>":
                start, end = self._start_of_arrow(at), self._end_of_value(at + 1)
            case Language.JAVASCRIPT, "class" if self._is_class(at):
                start, end = at, self._end_of_block(at)
            case Language.JAVASCRIPT, _ if self._is_method(at):
                start, end = self._start_of_method(at), self._end_of_block(at)
            case Language.GO, "func" if self._is_literal_of_go(at):
                start, end = at, self._end_of_block(at)
            case Language.RUST, "async":
                behind = at + 1 + (self._text(at + 1) == "move")
                is_block = self._text(behind) == "{"
                start, end = at, self.brackets.ends[behind] if is_block else None
            case Language.RUST, "fn" if self.body[at + 1 : at + 2]:
                start, end = at, self._end_of_block(at)
            case Language.RUST, "|" | "||" if self._text(at - 1) in _BEFORE_A_CLOSURE:
                first = at + 1 if self._text(at) == "||" else self._behind_parameters(at)
                start = at - (self._text(at - 1) == "move")
                end = self._end_of_value(first) if first else None
            case _:
                return None
        return (start, end) if end is not None else None

    def is_used(self, start: int, end: int) -> bool:
        """Whether something may call what stands from one place to another."""
        named = self._name_of_declaration(start)
        if named:
            return self._is_said((named,), start, end)
        member = ""
        for _ in range(_OUTWARD_MAX):
            after, before = self._text(end + 1), self._text(start - 1)
            if self._is_lazy_behind(end) and before != "(":
                end = self.brackets.ends[end + 3]
                continue
            if start == 0 or after in {"(", ".", "?."}:
                return True
            if before in {"&", "..."}:
                start -= 1
                continue
            if before in _BINDS:
                return self._is_given(start - 1, end, member)
            if before in {"void", "typeof"}:
                return False
            opened = self.brackets.outer[start]
            if opened < 0:
                return True
            if (sign := self._sign_of_several(start, opened)) is not None:
                return self._is_given(sign, end)
            if before == ":" or self._is_element(start, opened):
                around = self._around(opened)
                member = self._member(start) if self._text(opened) == "{" else ""
            else:
                around = self._call_around(start, end)
            if not isinstance(around, tuple):
                return around
            start, end = around
        return True

    def _is_element(self, start: int, opened: int) -> bool:
        """Whether it stands in a list, or among what a call is given."""
        before = self._text(start - 1)
        if self._text(opened) != "{":
            return before in {"(", "[", ","}
        is_block = self._text(opened - 1) not in _BEFORE_AN_OBJECT[self.language]
        return before in {"{", ","} and (self.language is _G or not is_block)

    def _call_around(self, start: int, end: int) -> tuple[int, int] | bool:
        """`(|| || …)()`, for what the outer function gives when it is called; else whether it is a value."""
        opened = self.brackets.outer[start]
        is_given = self._text(start - 1) in {"|", "||", "=>"} and self._text(opened) == "("
        if is_given and self.brackets.ends[opened] == end + 1 and self._text(end + 2) == "(":
            return opened, self.brackets.ends[end + 2]
        is_value = self.language is _R and self._text(end + 1) == "}"
        return is_value or not begins_statement(self.body, start, self.brackets)

    def _sign_of_several(self, at: int, opened: int) -> int | None:
        """The sign of Go's `a, b := 1, func() {…}`, where one that is not the first value stands at a place."""
        if self.language is not _G or self._text(at - 1) != "," or self._text(opened) != "{":
            return None
        first = self._start_of_statement(at, opened)
        signs = range(at if first is None else first, at)
        return next((p for p in signs if self._text(p) in _BINDS), None)

    def _around(self, opened: int) -> tuple[int, int] | bool:
        """What a bracket is of; otherwise whether something there may call what is in it."""
        close = self.brackets.ends[opened]
        if self._text(opened) != "(":
            return self._start_of_literal(opened), close
        callee = self.body[opened - 1] if opened else None
        if callee is None or (callee.kind is Kind.SIGN and callee.text not in {")", "]", ">", "!"}):
            return opened, close
        if callee.text in _BEFORE_A_VALUE:
            return opened, close
        if callee.text in _NOT_CALLED:
            return True
        words = [self._text(place) for place in range(opened - 3, opened)]
        if self._only_looks(opened):
            return False
        if {callee.text, "".join(words)} & _KEEPS[self.language]:
            return self._start_of_chain(opened), close
        if self.language is _R and callee.text in _LAZY and words[1] == ".":
            start = self._start_of_chain(opened)
            texts = {one.text for one in self.body[start:opened]}
            if _ITERATORS & texts and self._text(close + 1) not in {".", "?"}:
                return start, close
        return True

    def _only_looks(self, opened: int) -> bool:
        """Whether what is called looks at what it is given, or throws it away."""
        callee = self._text(opened - 1)
        if self.language is not _J or callee != "expect":
            return callee in _LOOKS[self.language]
        behind = self.brackets.ends[opened] + 1
        behind += 2 if self._text(behind + 1) == "not" else 0
        return self._text(behind) == "." and self._text(behind + 1) in _LOOKING

    def _is_lazy_behind(self, end: int) -> bool:
        words = [self._text(place) for place in range(end + 1, end + 4)]
        lazy = _LAZY if self.language is _R else {"bind"}
        return words[::2] == [".", "("] and words[1] in lazy

    def _member(self, start: int) -> str:
        """The name that a function has in its object, where it stands nowhere else and nothing takes it in another way."""
        name = start - 2
        if self._text(start - 1) != ":":
            near = range(start, start + _HEAD_TOKENS_MAX)
            name = next((p for p in near if self._text(p + 1) == "("), start)
        is_only = self.language is _J and len(self.places.get(self._text(name), ())) == 1
        return self._text(name) if is_only and not {"this", "..."} & self.places.keys() else ""

    def _is_given(self, sign: int, end: int, member: str = "") -> bool:
        """Whether what is given to names, up to its end, may be called by one of them."""
        first = self._start_of_statement(sign, self.brackets.outer[sign])
        return first is None or self._is_said(self._names_before(sign), first, end, member=member)

    def _is_said(
        self, names: Sequence[str], start: int, end: int, deep: int = 0, member: str = ""
    ) -> bool:
        """Whether one of the names is used as more than a name, before it means something else; of a member it is
        no use that another one is called.
        """
        around = self._block_around(start)
        for name in names:
            every = self.places.get(name, ())
            if len(every) > _USES_MAX:
                return True
            said = [p for p in every if not start <= p <= end] if name != "_" else []
            behind = (p for p in said if p > end and self._block_around(p) == around)
            last = next((p for p in behind if self._text(p + 1) in _BINDS), len(self.body))
            counting = (p for p in said if p < last or self._block_around(p) != around)
            if any(
                not (member and self._is_member(p)) and self._is_real(p, deep) for p in counting
            ):
                return True
        return not names

    def _is_member(self, at: int) -> bool:
        return self._text(at + 1) == "." and self._text(at + 2).isidentifier()

    def _block_around(self, at: int) -> int:
        opened = self.brackets.outer[at]
        while opened >= 0 and self._text(opened) != "{":
            opened = self.brackets.outer[opened]
        return opened

    def _is_real(self, at: int, deep: int) -> bool:
        """Whether a name that stands here may be called by what is done with it."""
        if next(self.looked) > _LOOKS_MAX * len(self.body):
            return True
        after = self._text(at + 1)
        first = at - 1
        while self._text(first) in {"&", "mut"} and self._text(first - 1) not in _DECLARES:
            first -= 1
        before = self._text(first)
        if after == "(":
            return True
        if before in {".", "void", "fn", "function"} | _DECLARES or after in _COMPARES | {"="}:
            return False
        if self.language is _J and (
            (before == "typeof" and after != ".")
            or (after == "." and self._text(at + 2) in _OF_A_FUNCTION)
        ):
            return False
        if after == ":=" or before in _COMPARES:
            return False
        if before in {"=", ","} and self.language is _G:
            start = self._start_of_statement(at, self.brackets.outer[at])
            texts = [one.text for one in self.body[start:at]] if start is not None else []
            if "=" in texts and set(texts[: texts.index("=")]) <= {"_", ","}:
                return False
        is_last = after in {";", "}", ""} or self.body[at + 1].line > self.body[at].line
        if before in _BINDS and is_last:
            names = self._names_before(first)
            return deep >= _NAMES_MAX or self._is_said(names, first, at, deep + 1)
        opened = self.brackets.outer[at]
        if opened >= 0 and self._text(opened) == "(" and before in {"(", ","}:
            return not self._only_looks(opened)
        is_tail = self.language is _R and after == "}"
        return is_tail or not (is_last and begins_statement(self.body, at, self.brackets))

    def _names_before(self, sign: int) -> tuple[str, ...]:
        """`check` of `let check: fn() =`, both of `a, b :=`, none of a member."""
        opened = self.brackets.outer[sign]
        start = self._start_of_statement(sign, opened)
        if start is None:
            return ()
        texts = [one.text for one in self.body[start:sign]]
        if not self._is_declared(texts, sign):
            return ()
        while texts and texts[0] in _DECLARES:
            texts = texts[1:]
        if texts[1:2] == [":"] or (self.language is _G and self._text(start) == "var"):
            texts = texts[:1]
        is_plain = set(texts[1::2]) <= {","} and all(map(str.isidentifier, texts[::2]))
        return tuple(texts[::2]) if is_plain else ()

    def _is_declared(self, texts: Sequence[str], sign: int) -> bool:
        """Whether the body has the name from itself: one from around it may be called there."""
        if self._text(sign) == ":=" or not texts or texts[0] in _DECLARES or texts[0] == "_":
            return True
        every = self.places.get(texts[0], ())[:_USES_MAX]
        return any(self._text(p - 1) in _DECLARES or self._text(p + 1) == ":=" for p in every)

    def _name_of_declaration(self, start: int) -> str:
        word = start + (self._text(start) == "async")
        if self._text(word) not in {"fn", "function", "class"} or self._text(word + 1) == "(":
            return ""
        is_own = self.language is _R or begins_statement(self.body, start, self.brackets)
        name = self._text(word + 1)
        return name if is_own and name.isidentifier() else ""

    def _start_of_statement(self, at: int, opened: int) -> int | None:
        place = at
        while place - 1 > opened:
            before = self.body[place - 1]
            is_closed = before.kind is Kind.SIGN and before.text in {")", "]", "}"}
            is_first = before.text != ":" and begins_statement(self.body, place, self.brackets)
            if is_first:
                return place
            place = self.brackets.begins[place - 1] if is_closed else place - 1
            if at - place > _STATEMENT_TOKENS_MAX:
                return None
        return place

    def _start_of_literal(self, opened: int) -> int:
        """Where the type of a list begins, as in Go's `[]func(){…}`, or the `vec` in front of it."""
        if self.language is _J:
            return opened
        place = opened
        while place > 0 and opened - place < _HEAD_TOKENS_MAX:
            before = self.body[place - 1]
            if before.text in {")", "]"}:
                place = self.brackets.begins[place - 1]
            elif before.text in {".", "*", "&", "!", "::"} or (
                before.kind is Kind.WORD and before.text not in _NOT_CALLED | {"range"}
            ):
                place -= 1
            else:
                break
        return place

    def _start_of_chain(self, opened: int) -> int:
        place = opened
        while place > 0 and opened - place < _STATEMENT_TOKENS_MAX:
            before = self.body[place - 1]
            if before.kind is Kind.SIGN and before.text in {")", "]"}:
                place = self.brackets.begins[place - 1]
            elif before.text in {".", "::", "?.", "!"} or (
                before.kind in {Kind.WORD, Kind.NUMBER}
                and before.text not in _NOT_CALLED | _DECLARES
            ):
                place -= 1
            else:
                break
        return place

    def _is_literal_of_go(self, at: int) -> bool:
        before = self.body[at - 1] if at else None
        if self._text(at + 1) != "(" or before is None:
            return False
        is_type = before.text in {"]", "chan", "*"} or (
            before.kind is Kind.WORD
            and before.line == self.body[at].line
            and before.text not in {"return", "defer", "go"}
        )
        return not is_type

    def _is_class(self, at: int) -> bool:
        after = self._text(at + 1)
        end = self._end_of_block(at) if after == "{" or after.isidentifier() else None
        # What is static runs as the class is made.
        runs = (p for p in self.places.get("static", ())[:_USES_MAX] if at < p < (end or 0))
        is_run = any(self._text(p + 1) == "{" or self._text(p + 2) == "=" for p in runs)
        return self._text(at - 1) != "." and end is not None and not is_run

    def _is_method(self, at: int) -> bool:
        """`check() { … }` of an object; those of a class are called by its name."""
        opened = self.brackets.outer[at]
        if self._text(at + 1) != "(" or opened < 0 or self._text(opened) != "{":
            return False
        if self._text(opened - 1) not in _BEFORE_AN_OBJECT[_J]:
            return False
        if self._text(at) in _CALLED_BY_OTHERS:
            return False
        close = self.brackets.ends[at + 1]
        is_first = self._text(self._start_of_method(at) - 1) in {"{", ","}
        return is_first and self._text(close + 1) in {"{", ":"}

    def _start_of_method(self, at: int) -> int:
        while self._text(at - 1) in _OF_A_METHOD:
            at -= 1
        return at

    def _end_of_block(self, at: int) -> int | None:
        """Where the block ends of the function whose word stands here."""
        place, last = at + 1, min(at + _HEAD_TOKENS_MAX, len(self.body))
        while place < last:
            text = self._text(place)
            if text == "{":
                end = self.brackets.ends[place]
                if self._text(place - 1) not in {"interface", "struct"}:
                    return end if end < len(self.body) else None
                place = end
            elif text in {"(", "["}:
                place = self.brackets.ends[place]
            elif text in {";", ")", "}"}:
                return None
            place += 1
        return None

    def _end_of_value(self, at: int) -> int | None:
        """The last token of an expression, or of a block."""
        if self._text(at) == "{":
            end = self.brackets.ends[at]
            return end if end < len(self.body) else None
        place, last = at, min(at + _STATEMENT_TOKENS_MAX, len(self.body))
        while place < last:
            text = self._text(place)
            if text in {",", ";", ")", "]", "}"} and self.body[place].kind is Kind.SIGN:
                break
            if self.language is _J and begins_statement(self.body, place, self.brackets):
                is_first = place == at
                if not is_first and text not in {".", "?."}:
                    break
            is_open = self.body[place].kind is Kind.SIGN and text in {"(", "[", "{"}
            place = self.brackets.ends[place] + 1 if is_open else place + 1
        return place - 1 if at < place < at + _STATEMENT_TOKENS_MAX else None

    def _start_of_arrow(self, at: int) -> int:
        place = at - 1
        if self._text(place) != ")":
            near = range(place - 1, max(place - 12, 0), -1)
            behind = [p for p in near if self._text(p) == ":" and self._text(p - 1) == ")"]
            place = behind[0] - 1 if behind else place
        place = self.brackets.begins[place] if self._text(place) == ")" else place
        return place - (self._text(place - 1) == "async")

    def _behind_parameters(self, at: int) -> int | None:
        for place in range(at + 1, min(at + _HEAD_TOKENS_MAX, len(self.body))):
            if self._text(place) == "|":
                return place + 1
            if self._text(place) in {";", "{", "=>"}:
                return None
        return None

    def _text(self, at: int) -> str:
        return self.body[at].text if 0 <= at < len(self.body) else ""
