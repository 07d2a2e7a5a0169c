"""What can go wrong: bad input, a simulation that failed, a run that was interrupted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .results import Run


@dataclass(frozen=True)
class Diagnosis:
    """Why a run ended early: what failed, what was seen, what to try."""

    kind: str
    t: float
    message: str
    evidence: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, text: str) -> Diagnosis:
        """Reads what the integrators write."""
        return cls.from_dict(json.loads(text))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Diagnosis:
        """Reads the entry of a summary."""
        return cls(
            kind=data["failure"]["kind"],
            # an undefined time is written as null
            t=float("nan") if data["t"] is None else float(data["t"]),
            message=data["message"],
            evidence=tuple(data["evidence"]),
            remedies=tuple(data["remedies"]),
        )

    def __str__(self) -> str:
        lines = [self.message, *(f"  - {fact}" for fact in self.evidence)]
        if self.remedies:
            lines.append("Try:")
            lines += [f"  {k}. {remedy}" for k, remedy in enumerate(self.remedies, 1)]
        return "\n".join(lines)


class InputError(ValueError):
    """A model that cannot be read or run: what is wrong, where, and what would be right.

    ``file``, ``line`` and ``column`` are known for files and texts; ``key`` is the dotted key, such as
    ``body.crank.mass``.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
        remedy: str | None = None,
        diagnosis: str | Diagnosis | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.remedy = remedy
        self.diagnosis = Diagnosis.from_json(diagnosis) if isinstance(diagnosis, str) else diagnosis

    def without_text(self) -> InputError:
        """The same fault in a model that has keys but no lines."""
        self.file = self.line = self.column = None
        return self

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        place = place or self.key or ""
        # a message that begins with the key needs it only once
        if place and self.file is None and self.message.startswith(place):
            place = ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{place}: {self.message}{remedy}" if place else f"{self.message}{remedy}"

    def __reduce__(self) -> Any:
        return _rebuild_input_error, (self.message, self.__dict__.copy())


def _rebuild_input_error(message: str, attributes: dict[str, Any]) -> InputError:
    error = InputError(message)
    error.__dict__.update(attributes)
    return error


class SimulationFailed(RuntimeError):
    """A simulation or analysis that failed: why, and the results until then, if there are any."""

    def __init__(self, diagnosis: str | Diagnosis, results: Run | None = None) -> None:
        self.diagnosis = Diagnosis.from_json(diagnosis) if isinstance(diagnosis, str) else diagnosis
        self.results = results
        super().__init__(str(self.diagnosis))

    def __reduce__(self) -> Any:
        return SimulationFailed, (self.diagnosis, self.results)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. ``results`` are those until then."""

    def __init__(self, results: Run) -> None:
        super().__init__(f"stopped on request at t = {results.t[-1]:g}")
        self.results = results
