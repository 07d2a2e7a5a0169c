"""Models as TOML: a dictionary with the words of a model file becomes its text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .errors import InputError

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def document(model: Mapping[str, Any]) -> str:
    """The text of a model file."""
    return "\n".join(_lines(model)) + "\n"


def value(item: Any, key: str) -> str:
    """A value; ``key`` is what errors call it."""
    if isinstance(item, (bool, np.bool_)):
        return "true" if item else "false"
    if isinstance(item, str):
        return _quoted(item)
    if isinstance(item, (int, np.integer)):
        return str(int(item))
    if isinstance(item, (float, np.floating)):
        if not math.isfinite(item):
            raise InputError(f"{key} is {item}", key=key, remedy="write a finite number")
        return repr(float(item))
    if isinstance(item, np.ndarray):
        return value(item.tolist(), key)
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(value(part, f"{key}[{k}]") for k, part in enumerate(item)) + "]"
    if isinstance(item, Mapping):
        pairs = (f"{_key(name, key)} = {value(part, f'{key}.{name}')}" for name, part in item.items())
        return "{ " + ", ".join(pairs) + " }"
    remedy = "leave it out" if item is None else "write a number, a text, true or false, a list or a dictionary"
    raise InputError(f"{key} is {item!r}, of type {type(item).__name__}", key=key, remedy=remedy)


def _lines(model: Mapping[str, Any]) -> Iterator[str]:
    # plain values come first: after a heading they would belong to its table
    for name, item in model.items():
        if not isinstance(item, Mapping):
            yield f"{_key(name, '')} = {value(item, str(name))}"
    for name, item in model.items():
        if isinstance(item, Mapping):
            yield from _section(str(name), _key(name, ""), item)


def _section(path: str, heading: str, section: Mapping[str, Any]) -> Iterator[str]:
    # entries of a section keep their order, which is that of coordinates; so all have the same form
    tables = section and all(isinstance(item, Mapping) for item in section.values())
    if not tables:
        yield ""
        yield f"[{heading}]"
    for name, item in section.items():
        key = _key(name, path)
        if tables:
            yield ""
            yield f"[{heading}.{key}]"
            yield from (f"{_key(word, path)} = {value(part, f'{path}.{name}.{word}')}" for word, part in item.items())
        else:
            yield f"{key} = {value(item, f'{path}.{name}')}"


def _key(name: Any, path: str) -> str:
    if not isinstance(name, str):
        where = path or "the model"
        raise InputError(f"{where} has the key {name!r}", key=path or None, remedy="keys must be texts")
    return name if _BARE.match(name) else _quoted(name)


def _quoted(text: str) -> str:
    def escaped(character: str) -> str:
        if character in _ESCAPES:
            return _ESCAPES[character]
        return f"\\u{ord(character):04x}" if ord(character) < 32 or ord(character) == 127 else character

    return '"' + "".join(map(escaped, text)) + '"'
