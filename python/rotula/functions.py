"""Functions of users as parts of a model: variables, forces and constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import InputError

Point = tuple[str, list[float]]


@dataclass(frozen=True)
class Variable:
    """A number computed from the time and signals."""

    name: str
    of: tuple[str, ...]
    function: Callable[..., float]
    slopes: Callable[..., Sequence[float]] | None

    def native(self) -> tuple[Any, ...]:
        """As the native part takes it."""
        return self.name, list(self.of), self.function, self.slopes


@dataclass(frozen=True)
class Force:
    """Forces on points of bodies, computed from their motion."""

    name: str
    points: tuple[Point, ...]
    function: Callable[..., Any]
    length: float
    speed: float
    of: tuple[str, ...] | None

    def native(self) -> tuple[Any, ...]:
        """As the native part takes it."""
        of = None if self.of is None else list(self.of)
        return self.name, list(self.points), self.function, self.length, self.speed, of


@dataclass(frozen=True)
class Constraint:
    """Numbers computed from the places of points of bodies, held at zero."""

    name: str
    points: tuple[Point, ...]
    rows: int
    function: Callable[..., Any]
    length: float

    def native(self) -> tuple[Any, ...]:
        """As the native part takes it."""
        return self.name, list(self.points), self.rows, self.function, self.length


def points(thing: str, on: str | Iterable[str], at: Any) -> tuple[Point, ...]:
    """Names of bodies or frames with a point on each; without points, their origins."""
    names = [on] if isinstance(on, str) else list(on)
    if not names:
        raise InputError(f"{thing}: `on` is empty", key=thing, remedy="name at least one body or frame")
    if at is None:
        places: list[Any] = [[0.0, 0.0, 0.0]] * len(names)
    else:
        places = [at] if isinstance(on, str) else list(at)
    try:
        numbers = [[float(number) for number in place] for place in places]
    except TypeError:
        numbers = []
    if len(numbers) != len(names) or any(len(place) != 3 for place in numbers):
        remedy = "give three numbers, or three for each of several bodies"
        raise InputError(f"{thing}: `at` is {at!r}", key=thing, remedy=remedy)
    return tuple(zip(names, numbers, strict=True))


def positive(thing: str, name: str, number: float) -> float:
    """A number that must be positive."""
    if not number > 0.0:
        raise InputError(f"{thing}: `{name}` is {number}", key=thing, remedy="it must be positive")
    return float(number)
