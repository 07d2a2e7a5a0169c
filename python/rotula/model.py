"""Models: read from a file or a text, or built with the words of the file."""

from __future__ import annotations

import copy
import json
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, Literal, TypeVar, Unpack, overload

import numpy as np

from . import functions, writing
from ._native import Compiled, Moment, Simulation
from .analyses import Assembled, Campbell, Check, Drawing, Equilibrium, Floquet, Modes, StateSpace
from .errors import Diagnosis, InputError, SimulationFailed
from .results import Kinematics, Run, Verification
from .running import ended
from .sections import Sections
from .settings import Solve

F = TypeVar("F", bound=Callable[..., Any])
PathLike = str | os.PathLike[str]


def load(path: PathLike) -> Model:
    """Reads a model file."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text in UTF-8"
        remedy = "check its name and that it is a text in UTF-8"
        raise InputError(f"the file cannot be read: {reason}", file=name, remedy=remedy) from None
    return Model._of_text(text, name)


def loads(text: str, name: str = "model.toml") -> Model:
    """Reads a model from a text; ``name`` is what errors call it."""
    return Model._of_text(text, name)


class Model:
    """A model of either kind: a mechanism, or equations.

    The sections of a model file are the keywords, or the keys of a dictionary::

        pendulum = rotula.Model(
            gravity=[0, 0, -9.81],
            body={"rod": {"mass": 1.0, "inertia": [1e-4, 0.083, 0.083], "at": [0.5, 0, 0]}},
            joint={"hinge": {"revolute": {"between": ["ground", "rod"], "at": [0, 0, 0], "about": "y"}}},
            solve={"until": 2.0},
        )
        run = pendulum.run(tolerance=1e-8)
        run.plot("hinge.angle")

    Files that the model names are looked for in ``folder``.
    """

    def __init__(
        self, document: Mapping[str, Any] | None = None, *, folder: PathLike = "", **sections: Unpack[Sections]
    ) -> None:
        both = set(document or {}) & set(sections)
        if both:
            key = sorted(both)[0]
            raise InputError(f"`{key}` is given twice", key=key, remedy="give it in the dictionary or as a keyword")
        self._document: dict[str, Any] | None = copy.deepcopy({**(document or {}), **sections})
        self._text = ""
        self._name = os.path.join(os.fspath(folder), "model")
        self._overrides: dict[str, Any] = {}
        self._variables: list[functions.Variable] = []
        self._forces: list[functions.Force] = []
        self._constraints: list[functions.Constraint] = []

    @classmethod
    def _of_text(cls, text: str, name: str) -> Model:
        model = cls()
        model._document, model._text, model._name = None, text, name
        model._compile()
        return model

    # what it is made of

    @property
    def document(self) -> dict[str, Any]:
        """The sections as dictionaries. Those of a model that was built may be changed in place."""
        if self._document is not None:
            return self._document
        return tomllib.loads(self._text)

    def to_toml(self) -> str:
        """The text of the model file, without functions and replaced values."""
        return self._text if self._document is None else writing.document(self._document)

    def save(self, path: PathLike) -> None:
        """Writes the model file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    def copy(self) -> Model:
        """Another model that is the same."""
        twin = copy.copy(self)
        twin._document = copy.deepcopy(self._document)
        twin._overrides = dict(self._overrides)
        for name in ("_variables", "_forces", "_constraints"):
            setattr(twin, name, list(getattr(self, name)))
        return twin

    def add(self, section: str, name: str, value: Any = None, /, **keys: Any) -> Model:
        """Adds an entry to a section: ``model.add("body", "crank", mass=0.1, inertia=[1, 1, 1])``.

        An entry that is a plain value is given as such: ``model.add("parameters", "m", 2.0)``.
        """
        if self._document is None:
            # the text knows lines, which an addition does not have
            self._document = tomllib.loads(self._text)
        entries = self._document.setdefault(section, {})
        if name in entries:
            key = f"{section}.{name}"
            raise InputError(f"{key} exists already", key=key, remedy="choose another name, or change it with `set`")
        entries[name] = copy.deepcopy(keys if value is None else value)
        return self

    def set(self, key: str | Mapping[str, Any], value: Any = None) -> Model:
        """Replaces values by their dotted keys: ``model.set("parameters.L", 2)``."""
        given = dict(key) if isinstance(key, Mapping) else {key: value}
        self._compile(given)
        self._overrides.update(given)
        return self

    @property
    def title(self) -> str:
        """The title, for reports."""
        return self._compile().title

    @property
    def kind(self) -> str:
        """``mechanism`` or ``equations``."""
        return self._compile().kind

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        return dict(self._compile().parameters)

    @property
    def parts(self) -> dict[str, list[str]]:
        """The names of everything, by kind."""
        return {kind: names for kind, names in self._compile().parts if names}

    # functions

    @overload
    def variable(self, name: str, of: str | Iterable[str], function: None = None, *, slopes: Callable[..., Sequence[float]] | None = None) -> Callable[[F], F]: ...
    @overload
    def variable(self, name: str, of: str | Iterable[str], function: F, *, slopes: Callable[..., Sequence[float]] | None = None) -> F: ...
    def variable(self, name: str, of: str | Iterable[str], function: Any = None, *, slopes: Any = None) -> Any:
        """Adds a variable that a function computes: a controller.

        ``of`` names the time ``t`` and signals: joint coordinates (``pin.angle``,
        ``pin.angle_velocity``), efforts of motions, sensors, variables, states. Their values are the
        arguments. The function must depend on nothing else; formulas of the model may use the name.
        ``slopes`` gives the partial derivatives; without it they are computed by differences. Without
        ``function`` this is a decorator.

        In a model of equations ``of`` names the time, coordinates ``x``, velocities ``x'``, accelerations
        ``x''``, states, variables and multipliers ``lambda.rod``; forces, rates of states and constraints are
        formulas that use the name.
        """
        inputs = (of,) if isinstance(of, str) else tuple(of)

        def add(call: F) -> F:
            self._variables.append(functions.Variable(name, inputs, call, slopes))
            return call

        return add if function is None else add(function)

    @overload
    def force(self, name: str, on: str | Iterable[str], function: None = None, *, at: Any = None, of: str | Iterable[str] | None = None, length: float = 1.0, speed: float = 1.0) -> Callable[[F], F]: ...
    @overload
    def force(self, name: str, on: str | Iterable[str], function: F, *, at: Any = None, of: str | Iterable[str] | None = None, length: float = 1.0, speed: float = 1.0) -> F: ...
    def force(self, name: str, on: str | Iterable[str], function: Any = None, *, at: Any = None, of: str | Iterable[str] | None = None, length: float = 1.0, speed: float = 1.0) -> Any:
        """Adds a force that a function computes.

        ``on`` names a body or frame, or several; ``at`` gives a point on each, in its own axes. The
        function gets the time and a :class:`Motion` per body. It returns a force of three numbers, or
        a force and a moment, in world axes; for several bodies one of them each. Derivatives are
        computed by differences: ``length`` and ``speed`` are sizes over which the force changes little
        by little. Without ``function`` this is a decorator.

        In a model of equations ``on`` names one or several coordinates, to whose forces the function adds a
        number each, and ``of`` what it is computed from: the time ``t``, coordinates ``x``, velocities ``x'``,
        states, variables, multipliers. Their values are the arguments. Formulas may use the name.
        """
        thing = f"force.{name}"
        inputs = (of,) if isinstance(of, str) else None if of is None else tuple(of)
        places = functions.points(thing, on, at)
        sizes = functions.positive(thing, "length", length), functions.positive(thing, "speed", speed)

        def add(call: F) -> F:
            self._forces.append(functions.Force(name, places, call, *sizes, inputs))
            return call

        return add if function is None else add(function)

    @overload
    def constraint(self, name: str, on: str | Iterable[str], function: None = None, *, rows: int = 1, at: Any = None, length: float = 1.0) -> Callable[[F], F]: ...
    @overload
    def constraint(self, name: str, on: str | Iterable[str], function: F, *, rows: int = 1, at: Any = None, length: float = 1.0) -> F: ...
    def constraint(self, name: str, on: str | Iterable[str], function: Any = None, *, rows: int = 1, at: Any = None, length: float = 1.0) -> Any:
        """Adds a constraint that a function computes: it is held at zero.

        The function gets the time and a :class:`Motion` per body, of which it may use position and
        rotation, and returns a number, or ``rows`` of them. All derivatives are computed by
        differences; ``length`` is a size over which the function changes little by little. The
        multipliers are recorded as ``NAME.effort``. Without ``function`` this is a decorator.

        In a model of equations ``on`` names coordinates: the function gets the time and their values, and
        the multipliers are recorded as ``lambda.NAME``.
        """
        thing = f"constraint.{name}"
        places = functions.points(thing, on, at)
        size = functions.positive(thing, "length", length)

        def add(call: F) -> F:
            self._constraints.append(functions.Constraint(name, places, rows, call, size))
            return call

        return add if function is None else add(function)

    # analyses

    def run(
        self,
        *,
        observer: Callable[[Moment], bool | None] | None = None,
        set: Mapping[str, Any] | None = None,
        check: bool = True,
        checkpoint: str | os.PathLike[str] | None = None,
        every: str = "10s",
        verify: bool = False,
        **solve: Unpack[Solve],
    ) -> Run:
        """Simulates. Keywords are keys of ``[solve]``: ``until``, ``formulation``, ``tolerance``, ``step``, …

        ``observer`` is called after every accepted step; if it returns ``False``, the run stops there
        and its results are returned. ``set`` replaces values by their dotted keys. A run that fails
        raises :class:`SimulationFailed`, with the results until then; with ``check=False`` it returns
        them. Ctrl-C raises :class:`Interrupted`, with the results until then.

        ``checkpoint`` names a directory in which the run is kept ``every`` ``"10s"``, ``"5min"`` or
        ``"1000steps"``. If the run is cut off, the same call goes on from there and gives the same numbers,
        to the last bit, and so does :func:`rotula.resume`; when it is finished, the checkpoints are removed. Functions must give the same
        values for the same arguments.

        With ``verify=True`` the model is run again with a tenth of the tolerance, or half the step;
        :attr:`Run.verification` says how far the two differ, column by column, and what digits hold.
        """
        kept = None if checkpoint is None else (os.fspath(checkpoint), every)
        finished = self._compile(set, solve).run(observer, kept, verify)
        return ended(finished, check)

    def start(self, *, set: Mapping[str, Any] | None = None, **solve: Unpack[Solve]) -> Simulation:
        """Prepares a run that goes on step by step: for controllers of one's own, games and learning.

        ::

            simulation = model.start(step=1e-3)
            while simulation.t < 5:
                simulation["torque"] = -20 * simulation["pin.angle"]
                simulation.step(0.01)
            run = simulation.finish()

        ``simulation["torque"] = …`` sets an input that the model declares under ``[input]``;
        ``simulation["pin.angle"]`` reads any curve. Keywords are keys of ``[solve]``, as in :meth:`run`.
        """
        return self._compile(set, solve).start()

    def check(self, *, set: Mapping[str, Any] | None = None, **solve: Unpack[Solve]) -> Check:
        """Degrees of freedom, redundant constraints, odd numbers; tries the start and one step."""
        return Check(json.loads(self._compile(set, solve).check()))

    def assemble(self, *, set: Mapping[str, Any] | None = None) -> Assembled:
        """Closes the joints from rough positions."""
        report, words, finished = self._compile(set).assemble()
        return Assembled(json.loads(report), words, Run._of_native(finished))

    def statics(self, *, at: float | None = None, set: Mapping[str, Any] | None = None) -> Equilibrium:
        """Finds an equilibrium near the start, and whether it is stable.

        Loads and motions are those of the time ``at``, or of the start of ``solve``.
        """
        report, words, finished = self._compile(set).statics(at)
        return Equilibrium(json.loads(report), words, Run._of_native(finished))

    def modes(
        self,
        *,
        about: str = "equilibrium",
        count: int | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> Modes:
        """Frequencies, damping and shapes about an ``equilibrium``, the ``start`` or a steady ``turn``.

        All of them, or the ``count`` lowest beside rigid-body motions: much quicker for large models.
        """
        report, words, finished = self._compile(set).modes(about, count)
        return Modes(json.loads(report), words, Run._of_native(finished))

    def floquet(
        self,
        *,
        period: float | None = None,
        steps: int = 200,
        set: Mapping[str, Any] | None = None,
    ) -> Floquet:
        """What becomes, over a ``period``, of disturbances of a motion that repeats.

        Without a period it is a turn of what turns fastest at the start.
        """
        report, words, finished = self._compile(set).floquet(period, steps)
        return Floquet(json.loads(report), words, Run._of_native(finished))

    def linearise(
        self,
        outputs: str | Iterable[str],
        *,
        inputs: str | Iterable[str] | None = None,
        about: str = "equilibrium",
        set: Mapping[str, Any] | None = None,
    ) -> StateSpace:
        """Small motions between inputs and outputs, as the matrices of ``ż = A z + B u``, ``y = C z + D u``.

        ``inputs`` names those that the model declares under ``[input]`` (all of them unless it is said); ``outputs`` any curves:
        ``hinge.angle``, ``hinge.fx``, sensors. The state is an ``equilibrium``, the ``start`` or a steady ``turn``.
        """
        wanted = [outputs] if isinstance(outputs, str) else list(outputs)
        sources = None if inputs is None else [inputs] if isinstance(inputs, str) else list(inputs)
        names, (a, b, c, d), doubts = self._compile(set).state_space(about, sources, wanted)
        return StateSpace(a, b, c, d, names, wanted, doubts)

    def campbell(
        self,
        key: str,
        values: Iterable[float],
        *,
        modes: int = 6,
        set: Mapping[str, Any] | None = None,
    ) -> Campbell:
        """Frequencies about the steady turn while the value of a key changes: ``model.campbell("parameters.speed", range(0, 13))``.

        A case without a steady turn has no numbers, and a doubt that says why.
        """
        found = Campbell(key, list(values), modes)
        for k, value in enumerate(found.values):
            try:
                speed, oscillations, unstable, doubts = self._compile({**(set or {}), key: value}).steady_case(modes)
            except SimulationFailed as failure:
                found.doubts.append(f"{key} = {value}: {failure}")
                continue
            found.speeds[k], found.unstable[k] = speed, unstable
            found.doubts += [f"{key} = {value}: {doubt}" for doubt in doubts]
            for mode, (frequency, damping) in enumerate(oscillations[:modes]):
                found.frequencies[k, mode], found.damping[k, mode] = frequency, damping
        return found

    def draw(
        self,
        *,
        time: float | None = None,
        view: Literal["xy", "xz", "yz", "oblique"] | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> Drawing:
        """A picture of the mechanism at its start, or after running it until a ``time``, with the paths of its points."""
        return Drawing(self._compile(set).draw(time, view))

    def verify(self, *, set: Mapping[str, Any] | None = None, **solve: Unpack[Solve]) -> Verification:
        """Runs twice, the second time stricter: how far the two differ, column by column."""
        verification = self.run(set=set, verify=True, **solve).verification
        assert verification is not None
        return verification

    def kinematics(self, *, set: Mapping[str, Any] | None = None, **solve: Unpack[Solve]) -> Kinematics:
        """Follows a driven mechanism without freedom, with the forces that its drives need."""
        finished, regularity = self._compile(set, solve).kinematics()
        return Kinematics._of_motion(finished, np.asarray(regularity))

    def _compile(self, values: Mapping[str, Any] | None = None, solve: Mapping[str, Any] | None = None) -> Compiled:
        given = {**self._overrides, **(values or {})}
        given.update({f"solve.{key}": value for key, value in (solve or {}).items()})
        overrides = [(key, writing.value(value, key)) for key, value in given.items()]
        try:
            return Compiled(
                self.to_toml(),
                self._name,
                overrides,
                [variable.native() for variable in self._variables],
                [force.native() for force in self._forces],
                [constraint.native() for constraint in self._constraints],
            )
        except InputError as error:
            if self._document is not None or error.file == "--set":
                raise error.without_text() from None
            raise

    def __repr__(self) -> str:
        return f"<rotula.Model {self.title!r}: {self.kind}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(kind)}</th><td style='text-align:left'>{escape(', '.join(names))}</td></tr>"
            for kind, names in self.parts.items()
        )
        return f"<b>{escape(self.title)}</b><table>{rows}</table>"


__all__ = ["Diagnosis", "Model", "load", "loads"]
