"""Results of runs, with their numbers as NumPy arrays."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .errors import Diagnosis

if TYPE_CHECKING:
    from ._native import Finished

Array = NDArray[np.float64]
LongTable = dict[str, NDArray[Any]]
_ROWS = 1024


class Verification:
    """A run compared with a stricter one, at the times that were recorded.

    ``verification["pin.fx"]`` is a dictionary: the largest ``difference`` and its ``time``, the ``scale`` it is
    judged against (the largest value of the column, or of the vector it belongs to), ``relative`` (the one over
    the other), ``rms`` over all times, and the ``digits`` that hold. ``data`` holds everything.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._rows: dict[str, dict[str, Any]] = {row["column"]: row for row in data["differences"]}

    @property
    def failure(self) -> str | None:
        """Why the second run stopped early, if it did."""
        failure: str | None = self.data["failure"]
        return failure

    @property
    def columns(self) -> list[str]:
        """The names of all compared columns, worst first."""
        return list(self._rows)

    def worst(self, quantity: str | None = None) -> dict[str, Any] | None:
        """The column that differs most: of all, or among ``"position"``, ``"force"`` or ``"other"``."""
        rows = (row for row in self._rows.values() if quantity in (None, row["quantity"]))
        return next(rows, None)

    def __getitem__(self, column: str) -> dict[str, Any]:
        return self._rows[column]

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> Any:
        """A pandas data frame with a row per column of the run, worst first."""
        import pandas

        return pandas.DataFrame(list(self._rows.values())).set_index("column")

    def __repr__(self) -> str:
        stricter = self.data["stricter"]
        lines = [f"Verification with {stricter['setting']} {stricter['to']:g} instead of {stricter['from']:g}"]
        if self.failure:
            lines.append(f"  the second run stopped early: {self.failure}")
        for quantity in ("position", "force", "other"):
            if (row := self.worst(quantity)) is not None:
                relative = "no number" if row["relative"] is None else f"{row['relative']:.2g}"
                lines.append(f"  {quantity}: {relative} ({row['digits']} digits), {row['column']}")
        return "\n".join(lines)


class Run:
    """A run: its recorded times ``t``, and a curve for each of its ``columns``.

    ``run["slider.x"]`` is an array that is not copied and may not be written to.
    """

    def __init__(
        self,
        t: Array,
        tables: dict[str, tuple[list[str], Array]],
        summary: dict[str, Any],
        *,
        steps: dict[str, Array] | None = None,
        units: dict[str, str] | None = None,
        title: str = "",
        contacts: Callable[[], dict[str, Any]] = dict,
        events: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        self._long: dict[str, Callable[[], dict[str, Any]] | LongTable] = {"contacts": contacts, "events": events}
        self.t = t
        self.summary = summary
        self.steps = steps or {}
        self.units = {"t": "s", **(units or {})}
        self.title = title
        self._tables = tables
        self._native: Finished | None = None
        self._places: dict[str, tuple[str, int]] = {}
        for key, (names, _) in tables.items():
            for column, name in enumerate(names):
                self._places.setdefault(name, (key, column))

    @classmethod
    def _of_native(cls, finished: Finished) -> Run:
        run = cls(
            finished.t,
            {key: (names, table) for key, names, table in finished.tables()},
            json.loads(finished.summary()),
            steps=finished.steps(),
            units=finished.units,
            title=finished.title,
            contacts=finished.contacts,
            events=finished.events,
        )
        run._native = finished
        return run

    @property
    def columns(self) -> list[str]:
        """The names of all columns; the first is the time ``t``."""
        return ["t", *self._places]

    @property
    def tables(self) -> dict[str, Array]:
        """The tables of which the columns are part, without copies."""
        return {key: table for key, (_, table) in self._tables.items()}

    @property
    def contacts(self) -> LongTable:
        """Rigid contacts that touch, a row for each at each recorded time, by column.

        Columns are ``t``, ``contact``, ``first`` and ``second`` (the bodies), ``x``, ``y``, ``z``, ``gap``, ``normal_force``,
        ``tangential_force`` (its size; ``_1`` and ``_2`` are its components), ``fx``, ``fy``, ``fz`` (on the second body, world
        axes), ``slip``, ``slip_1`` and ``slip_2``. ``pandas.DataFrame(run.contacts)`` makes a data frame of it.
        """
        return self._long_table("contacts")

    @property
    def events(self) -> LongTable:
        """Impacts, by column: ``t``, ``contact``, ``first``, ``second``, ``impulse``, ``velocity_before``, ``velocity_after``
        (rates of the gap) and ``energy_lost``."""
        return self._long_table("events")

    def _long_table(self, key: str) -> LongTable:
        found = self._long[key]
        if callable(found):
            found = {name: np.asarray(values) for name, values in found().items()}
            self._long[key] = found
        return found

    @property
    def audit(self) -> dict[str, Any]:
        """How well the run kept its promises: constraints, energy, impacts, penetration."""
        return dict(self.summary["audit"])

    @property
    def diagnosis(self) -> Diagnosis | None:
        """Why the run ended early, if it did."""
        data = self.summary["outcome"].get("diagnosis")
        return Diagnosis.from_dict(data) if data else None

    @property
    def completed(self) -> bool:
        """Whether it reached its end."""
        return bool(self.summary["outcome"]["status"] == "done")

    @property
    def warnings(self) -> list[str]:
        """What to beware of."""
        return list(self.summary["warnings"])

    @property
    def verification(self) -> Verification | None:
        """How far a stricter run differs, if ``verify=True`` asked for one."""
        data = self.summary.get("verification")
        return Verification(data) if data else None

    def __len__(self) -> int:
        return len(self.t)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self._places

    def __getitem__(self, name: str | Sequence[str]) -> Array:
        if not isinstance(name, str):
            return np.column_stack([self[one] for one in name])
        if name == "t":
            return self.t
        try:
            key, column = self._places[name]
        except KeyError:
            near = difflib.get_close_matches(name, self.columns, 3)
            hint = f"did you mean {', '.join(near)}?" if near else "`columns` lists all"
            raise KeyError(f"there is no column `{name}`; {hint}") from None
        return self._tables[key][1][:, column]

    def to_numpy(self, columns: Sequence[str] | None = None) -> Array:
        """All columns, or some, as one array with a row per time."""
        if columns is not None:
            return self[list(columns)]
        whole = np.empty((len(self), 1 + len(self._places)))
        parts = [(0, self.t[:, None])]
        at = 1
        for key, (names, table) in self._tables.items():
            own = [k for k, name in enumerate(names) if self._places[name] == (key, k)]
            parts.append((at, table if len(own) == len(names) else table[:, own]))
            at += len(own)
        # some rows of all tables at a time stay in the cache
        for start in range(0, len(self), _ROWS):
            rows = slice(start, start + _ROWS)
            for at, part in parts:
                whole[rows, at : at + part.shape[1]] = part[rows]
        return whole

    def to_pandas(self, columns: Sequence[str] | None = None) -> Any:
        """A pandas data frame over the time; ``frame.attrs["units"]`` has the units of its columns."""
        import pandas

        names = [name for name in (columns or self.columns) if name != "t"]
        index = pandas.Index(self.t, name="t")
        frame = pandas.DataFrame(self.to_numpy(names), columns=names, index=index, copy=False)
        frame.attrs["units"] = {name: unit for name, unit in self.units.items() if name in frame}
        return frame

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes all columns as a Parquet file, with the summary in its metadata."""
        import pyarrow
        from pyarrow import parquet

        table = pyarrow.table({name: np.ascontiguousarray(self[name]) for name in self.columns})
        metadata = {b"rotula.summary": json.dumps(self.summary).encode()}
        parquet.write_table(table.replace_schema_metadata(metadata), path)

    def write(self, directory: str | os.PathLike[str]) -> str:
        """Writes summary, tables and report into a directory, as the program does; where the report is."""
        if self._native is None:
            raise ValueError("this run was read or copied: only one that was computed here can be written")
        return str(self._native.write(os.fspath(directory)))

    def page(self) -> str:
        """The report as the text of an HTML page, which needs nothing but a browser."""
        if self._native is None:
            raise ValueError("this run was read or copied: only one that was computed here has a page")
        return self._native.page()

    def show(self, height: int = 700) -> Shown:
        """The report in a notebook: the mechanism moves, plots answer. The last value of a cell is shown."""
        return Shown(self.page(), height)

    def beside(self, other: Run, height: int = 700) -> Shown:
        """The report with the curves of another run dashed beside its own."""
        page = _native.beside(self.page(), other.page())
        assert page is not None
        return Shown(page, height)

    def plot(self, *names: str, against: str = "t", ax: Any = None) -> Any:
        """Plots columns with matplotlib, and gives the axes."""
        from matplotlib import pyplot

        if not names:
            raise ValueError('name at least one column, such as run.plot("slider.x")')
        if ax is None:
            _, ax = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
        for name in names:
            ax.plot(self[against], self[name], label=self._label(name))
        ax.set_xlabel(self._label(against))
        if len(names) == 1:
            ax.set_ylabel(self._label(names[0]))
        else:
            ax.legend()
        ax.set_title(self.title)
        ax.grid(alpha=0.3)
        return ax

    def _label(self, name: str) -> str:
        unit = self.units.get(name)
        return f"{name} [{unit}]" if unit else name

    def __getstate__(self) -> dict[str, Any]:
        # arrays are copied when they travel; what wrote them stays
        long = {key: self._long_table(key) for key in self._long}
        state = self.__dict__.copy()
        state["_native"], state["_long"] = None, long
        return state

    def __repr__(self) -> str:
        reached = f"t = {self.t[-1]:g}" if len(self) else "nothing"
        return f"<rotula.Run {self.title!r}: {len(self)} times to {reached}, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        statistics = self.summary.get("statistics", {})
        audit = self.summary.get("audit", {})
        imbalance = self.summary.get("balance", {}).get("imbalance") or {}
        facts = {
            "outcome": f"{self.summary['outcome']['status']}, {len(self)} times to t = {self.t[-1]:g} s",
            "steps": statistics.get("steps"),
            "degrees of freedom": self.summary["sizes"]["degrees_of_freedom"],
            "constraints met to": audit.get("position_residual"),
            "energy defect": audit.get("energy_defect"),
            "imbalance of forces": imbalance.get("size"),
            "columns": ", ".join(self.columns[:12]) + (", …" if len(self.columns) > 12 else ""),
        }
        if self.diagnosis is not None:
            facts["diagnosis"] = str(self.diagnosis)
        rows = "".join(
            f"<tr><th>{name}</th><td style='text-align:left;white-space:pre-wrap'>{escape(_short(fact))}</td></tr>"
            for name, fact in facts.items()
            if fact is not None
        )
        return f"<b>{escape(self.title)}</b><table>{rows}</table>"


class Shown:
    """A page in a notebook; ``save`` makes a file of it."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page as a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.page)}" style="width:100%;height:{self.height}px;border:0"></iframe>'


def _short(fact: Any) -> str:
    return f"{fact:.3g}" if isinstance(fact, float) else str(fact)


class Kinematics(Run):
    """A driven motion. ``regularity`` is 0 at a dead point."""

    regularity: Array

    @classmethod
    def _of_motion(cls, finished: Finished, regularity: Array) -> Kinematics:
        run = cls._of_native(finished)
        assert isinstance(run, Kinematics)
        run.regularity = regularity
        return run
