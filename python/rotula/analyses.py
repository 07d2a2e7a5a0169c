"""Results of analyses: what is known of a model before, beside and instead of a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .results import Array, Run

Complex = NDArray[np.complex128]


class Check:
    """What is known about a model before a run. ``report`` holds all of it."""

    def __init__(self, report: dict[str, Any]) -> None:
        self.report = report
        self.title: str = report["title"]
        self.degrees_of_freedom: int = report["degrees_of_freedom"]
        self.sizes: dict[str, int] = report["sizes"]
        self.redundant: list[str] = report["redundant"]
        self.findings: list[str] = report["findings"]
        self.hints: list[str] = report["hints"]
        self.warnings: list[str] = report["warnings"]
        self.first_step: dict[str, float] | None = report["first_step"]

    def __str__(self) -> str:
        lines = [f"{self.title}: {self.degrees_of_freedom} degrees of freedom", *self.findings]
        lines += [f"Hint: {hint}." for hint in self.hints]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<rotula.Check {self.title!r}: {self.degrees_of_freedom} degrees of freedom>"


class _Found:
    """A report with a state."""

    def __init__(self, report: dict[str, Any], words: str, state: Run) -> None:
        self.report = report
        self._words = words
        self._state = state

    @property
    def columns(self) -> list[str]:
        """The names of everything that can be read at the state."""
        return self._state.columns

    def __getitem__(self, name: str) -> float:
        return float(self._state[name][0])

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return f"<rotula.{type(self).__name__} of {self._state.title!r}>\n{self._words}"


class Assembled(_Found):
    """A mechanism with its joints closed; ``assembled["crank.x"]`` reads its state."""


class Equilibrium(_Found):
    """An equilibrium; ``equilibrium["crank.x"]`` reads its state."""

    @property
    def stability(self) -> str:
        """Whether it stays there."""
        return str(self.report["stability"])

    @property
    def displacements(self) -> dict[str, dict[str, Any]]:
        """Bodies and nodes by name: ``from``, ``to`` and ``moved`` in the world, and the ``angle`` and ``axis`` of
        ``turned`` (``None`` for points)."""
        return {str(one["name"]): one for one in self.report["displacements"]}

    @property
    def residual(self) -> float:
        """Largest force that is left, over the scales."""
        return float(self.report["residual"])


class Floquet(_Found):
    """A motion that repeats, with the factors of its disturbances, largest first."""

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Factors in a period; of conjugate pairs the upper one."""
        return np.array([complex(*one["value"]) for one in self.report["multipliers"]], dtype=complex)

    @property
    def stable(self) -> bool:
        """No disturbance grows."""
        return not any(one["unstable"] for one in self.report["multipliers"])


class Modes(_Found):
    """Modes about a state, slowest first."""

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Eigenvalues, in rad/s."""
        return np.array([complex(*mode["eigenvalue"]) for mode in self.report["modes"]], dtype=complex)

    @property
    def frequencies(self) -> Array:
        """Frequencies."""
        return np.array([mode["frequency"] for mode in self.report["modes"]], dtype=float)

    @property
    def damping(self) -> Array:
        """Damping ratios."""
        return np.array([mode["damping"] for mode in self.report["modes"]], dtype=float)

    @property
    def shapes(self) -> NDArray[np.complex128]:
        """A column per mode, a row per velocity of the system."""
        shapes = [[complex(*part) for part in mode["shape"]] for mode in self.report["modes"]]
        return np.array(shapes, dtype=complex).T

    def __len__(self) -> int:
        return len(self.report["modes"])


class StateSpace:
    """Small motions about a state between inputs and outputs: ``ż = A z + B u``, ``y = C z + D u``.

    ``u`` and ``y`` are differences to the state. The coordinates ``z`` are independent ones that the analysis chose; poles and
    responses do not depend on them.
    """

    def __init__(
        self, a: Array, b: Array, c: Array, d: Array, inputs: list[str], outputs: list[str], doubts: list[str]
    ) -> None:
        self.A, self.B, self.C, self.D = a, b, c, d
        self.inputs = inputs
        self.outputs = outputs
        self.doubts = doubts

    @property
    def poles(self) -> Complex:
        """The eigenvalues of ``A``, in rad/s, slowest first."""
        values = np.linalg.eigvals(self.A).astype(complex)
        return np.asarray(values[np.argsort(np.abs(values), kind="stable")])

    def transfer(self, s: complex) -> Complex:
        """The transfer function at a complex frequency in rad/s: a row for each output, a column for each input."""
        matrix = s * np.eye(len(self.A)) - self.A
        return np.asarray(self.C @ np.linalg.solve(matrix, self.B) + self.D, dtype=complex)

    def frequency_response(self, frequencies: ArrayLike) -> FrequencyResponse:
        """Amplitudes and phases of the outputs for harmonic inputs, at frequencies in hertz."""
        hertz = np.atleast_1d(np.asarray(frequencies, dtype=float))
        values = np.array([self.transfer(2j * np.pi * f) for f in hertz], dtype=complex)
        values = values.reshape(len(hertz), len(self.outputs), len(self.inputs))
        return FrequencyResponse(hertz, values, self.inputs, self.outputs)

    def to_scipy(self) -> Any:
        """The same as ``scipy.signal.StateSpace``."""
        from scipy import signal

        return signal.StateSpace(self.A, self.B, self.C, self.D)

    def __iter__(self) -> Any:
        """``A, B, C, D = model.linearise(...)``."""
        return iter((self.A, self.B, self.C, self.D))

    def __repr__(self) -> str:
        names = f"{', '.join(self.inputs) or 'nothing'} -> {', '.join(self.outputs) or 'nothing'}"
        return f"<rotula.StateSpace of order {len(self.A)}: {names}>"


class FrequencyResponse:
    """What outputs make of harmonic inputs.

    ``values[k, i, j]`` is the complex amplitude of output ``i`` for input ``j`` of amplitude 1 at ``frequencies[k]``, in hertz;
    ``response["hinge.angle", "torque"]`` is one of these curves.
    """

    def __init__(self, frequencies: Array, values: Complex, inputs: list[str], outputs: list[str]) -> None:
        self.frequencies = frequencies
        self.values = values
        self.inputs = inputs
        self.outputs = outputs

    def __getitem__(self, key: tuple[str, str]) -> Complex:
        output, source = key
        for name, known in ((output, self.outputs), (source, self.inputs)):
            if name not in known:
                raise KeyError(f"there is no `{name}`; there are {', '.join(known)}")
        return np.asarray(self.values[:, self.outputs.index(output), self.inputs.index(source)])

    @property
    def gain(self) -> Array:
        """Absolute values."""
        return np.abs(self.values)

    @property
    def phase(self) -> Array:
        """Phases in rad, without jumps along the frequencies."""
        return np.unwrap(np.angle(self.values), axis=0)

    def plot(self) -> Any:
        """Draws gains and phases with matplotlib, and gives the two axes."""
        from matplotlib import pyplot

        _, axes = pyplot.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
        for i, output in enumerate(self.outputs):
            for j, source in enumerate(self.inputs):
                label = f"{output} / {source}"
                axes[0].loglog(self.frequencies, self.gain[:, i, j], label=label)
                axes[1].semilogx(self.frequencies, np.degrees(self.phase[:, i, j]), label=label)
        axes[0].set_ylabel("gain")
        axes[1].set_ylabel("phase [deg]")
        axes[1].set_xlabel("frequency [Hz]")
        axes[0].legend()
        for ax in axes:
            ax.grid(alpha=0.3)
        return axes

    def __repr__(self) -> str:
        return f"<rotula.FrequencyResponse at {len(self.frequencies)} frequencies>"


class Campbell:
    """Frequencies about steady turns, case by case.

    ``values`` are those of the ``key``, ``speeds`` the angular speeds in rad/s, ``frequencies`` in hertz and ``damping`` have a row
    per case and a column per mode, by rising frequency (``nan`` where there are fewer), ``unstable`` counts the motions that
    grow.
    """

    def __init__(self, key: str, values: Sequence[Any], count: int) -> None:
        self.key = key
        self.values = list(values)
        cases = len(self.values)
        self.speeds: Array = np.full(cases, np.nan)
        self.frequencies: Array = np.full((cases, count), np.nan)
        self.damping: Array = np.full((cases, count), np.nan)
        self.unstable: NDArray[np.int64] = np.zeros(cases, dtype=np.int64)
        self.doubts: list[str] = []

    def to_pandas(self) -> Any:
        """A pandas data frame with a row per case."""
        import pandas

        columns: dict[str, Any] = {self.key: self.values, "speed": self.speeds, "unstable": self.unstable}
        for k in range(self.frequencies.shape[1]):
            columns[f"frequency {k + 1}"] = self.frequencies[:, k]
            columns[f"damping {k + 1}"] = self.damping[:, k]
        frame = pandas.DataFrame(columns)
        frame.attrs["units"] = {"speed": "rad/s"} | {name: "Hz" for name in columns if name.startswith("frequency")}
        return frame

    def plot(self, ax: Any = None) -> Any:
        """Draws the diagram with matplotlib, with the first multiples of the speed, and gives the axes."""
        from matplotlib import pyplot

        if ax is None:
            _, ax = pyplot.subplots(figsize=(7, 4), layout="constrained")
        turns = bool(np.nanmax(self.speeds, initial=0.0) > 0)
        x = self.speeds / (2 * np.pi) if turns else np.asarray(self.values, dtype=float)
        for k in range(self.frequencies.shape[1]):
            ax.plot(x, self.frequencies[:, k], "o-", ms=3, label=str(k + 1))
        top = float(np.nanmax(self.frequencies))
        for multiple in range(1, 5) if turns else ():
            end = min(float(np.nanmax(x)), top / multiple)
            ax.plot([0, end], [0, multiple * end], "--", color="gray", lw=0.8)
        ax.set_xlabel("speed, turns per second" if turns else self.key)
        ax.set_ylabel("frequency [Hz]")
        ax.grid(alpha=0.3)
        return ax

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<rotula.Campbell over {self.key}: {len(self)} cases>"


class Drawing:
    """A picture in SVG, shown in notebooks as it is."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg
