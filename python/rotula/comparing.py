"""Two runs beside each other, in numbers and as a page."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _native
from .errors import InputError
from .reading import read_results
from .results import Array, Run, Shown

Place = str | os.PathLike[str]


class Comparison:
    """How far two runs differ, column by column.

    ``comparison["slider.x"]`` is a dictionary: the largest ``difference`` and its ``time``, the ``scale`` (the largest value of the
    column in the first run), ``relative`` (the one over the other) and ``rms`` over all common times. Where the runs were not recorded
    at the same times, the second is read between its own.
    """

    def __init__(self, first: Run, second: Run, pages: tuple[str, str] | None) -> None:
        self.first, self.second = first, second
        self._pages = pages
        self._rows = _differences(first, second)
        missing = set(first.columns) ^ set(second.columns)
        self.uncompared = sorted(missing)

    @property
    def columns(self) -> list[str]:
        """All columns that both have, those that differ most first."""
        return list(self._rows)

    def __getitem__(self, column: str) -> dict[str, Any]:
        return self._rows[column]

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> Any:
        """A pandas data frame with a row per column, those that differ most first."""
        import pandas

        return pandas.DataFrame(list(self._rows.values())).set_index("column")

    def show(self, height: int = 700) -> Shown:
        """The page of the first run with the curves of the second dashed beside its own."""
        if self._pages is None:
            raise ValueError("these runs were read without their pages: run with the report, or compare directories that have one")
        page = _native.beside(*self._pages)
        if page is None:
            raise InputError("one of the pages is no report of a run", remedy="give directories that `rotula run` has written")
        return Shown(page, height)

    def save(self, path: Place) -> None:
        """Writes that page as a file."""
        self.show().save(path)

    def __repr__(self) -> str:
        lines = [f"{self.first.title} beside {self.second.title}: {len(self)} columns"]
        for row in list(self._rows.values())[:5]:
            lines.append(f"  {row['column']}: {row['difference']:.3g} at t = {row['time']:.4g} ({row['relative']:.2g} of its size)")
        return "\n".join(lines)


def compare(first: Run | Place, second: Run | Place) -> Comparison:
    """Compares two runs, or directories that ``rotula run`` or :meth:`Run.write` has written."""
    runs, pages = [], []
    for one in (first, second):
        if isinstance(one, Run):
            runs.append(one)
            pages.append(one.page() if one._native is not None else None)
        else:
            runs.append(read_results(one))
            report = os.path.join(os.fspath(one), "report.html")
            pages.append(_text(report) if os.path.exists(report) else None)
    page, other = pages
    return Comparison(runs[0], runs[1], None if page is None or other is None else (page, other))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _differences(first: Run, second: Run) -> dict[str, dict[str, Any]]:
    if not len(first) or not len(second):
        raise InputError("a run without recorded times cannot be compared", remedy="run it further")
    inside = (first.t >= second.t[0]) & (first.t <= second.t[-1])
    t = first.t[inside]
    if not len(t):
        raise InputError("the runs have no time in common", remedy="compare runs over the same span of time")
    same = len(second.t) == len(first.t) and bool(np.array_equal(second.t, first.t))
    rows: list[dict[str, Any]] = []
    for name in first.columns[1:]:
        if name not in second:
            continue
        ours = first[name][inside]
        theirs = second[name] if same else np.interp(t, second.t, second[name])
        gap: Array = np.abs(theirs - ours)
        known = np.isfinite(gap)
        if not known.any():
            continue
        # what is a number in one of them alone differs, and is no number
        if bool(np.any(np.isfinite(ours) != np.isfinite(theirs))):
            worst, difference, rms = int(np.argmin(known)), float("nan"), float("nan")
        else:
            gap = np.where(known, gap, 0.0)
            worst = int(np.argmax(gap))
            difference, rms = float(gap[worst]), float(np.sqrt(np.mean(gap**2)))
        scale = float(np.max(np.abs(ours[np.isfinite(ours)]), initial=0.0))
        rows.append(
            {
                "column": name,
                "difference": difference,
                "time": float(t[worst]),
                "scale": scale,
                "relative": difference / scale if scale > 0 else (0.0 if difference == 0 else float("inf")),
                "rms": rms,
            }
        )
    # no number comes first: it is the worst
    rows.sort(key=lambda row: (not np.isnan(row["relative"]), -row["relative"]))
    return {str(row["column"]): row for row in rows}
