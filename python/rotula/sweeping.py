"""Sweeps: many runs of one model with different values, on all cores or on a cluster."""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np

from . import _native, writing
from .errors import InputError, SimulationFailed
from .model import Model

Case = dict[str, Any]
Row = dict[str, Any]
_FACTS = ("status", "message", "reached", "steps", "wall_seconds")


def latin_hypercube(
    ranges: Mapping[str, tuple[float, float]], count: int, *, seed: int = 0, logarithmic: Sequence[str] = ()
) -> list[Case]:
    """Cases that fill ranges evenly: each range is cut into ``count`` parts, and each part is used once.

    Of the keys in ``logarithmic``, ratios count and not differences. The same seed gives the same cases.
    """
    for key in logarithmic:
        if key not in ranges or min(ranges[key]) <= 0:
            raise InputError(f"{key} cannot be logarithmic", key=key, remedy="give it a range of positive numbers")
    axes = [(key, float(low), float(high), key in logarithmic) for key, (low, high) in ranges.items()]
    cases = _native.latin_hypercube(axes, count, seed)
    return [{key: float(value) for key, value in case} for case in cases]


def sweep(
    model: Model,
    over: Mapping[str, Sequence[Any]] | Sequence[Case],
    *,
    read: Sequence[str] | None = None,
    client: Any = None,
    directory: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    **solve: Any,
) -> Sweep:
    """Runs a model once per case and gives a table with a row for each.

    ``over`` is a grid, ``{"parameters.L": [1, 2, 3], "body.rod.mass": numpy.linspace(1, 2, 5)}``, of which
    the last key runs fastest; or a list of cases, ``[{"parameters.L": 1}, …]``, such as
    :func:`latin_hypercube` gives. Of each curve in ``read`` the last, least and greatest value is kept;
    without it, of all sensors or outputs. Further keywords are keys of ``[solve]``.

    Runs are made by threads, or by a Dask cluster if ``client`` is one. A run that fails is a row like
    any other. With a ``directory``, finished runs are kept there, and the same sweep goes on where it
    was stopped.
    """
    cases = _cases(over)
    shared = {f"solve.{key}": value for key, value in solve.items()}
    job = _Job(model, shared, None if read is None else list(read))
    for case in cases[:1]:
        # a typing error in a key is one in every run
        job.refuse(case)
    rows: list[Row | None] = [None] * len(cases)
    journal = _Journal(directory, job) if directory is not None else None
    if journal is not None:
        rows = [journal.row(case) for case in cases]
    missing = [k for k, row in enumerate(rows) if row is None]
    bar = _Progress(len(cases), len(cases) - len(missing), sys.stderr.isatty() if progress is None else progress)
    results = _on_cluster(client, job, cases, missing) if client is not None else _here(job, cases, missing, workers)
    for k, row in results:
        if rows[k] is not None:
            raise RuntimeError(f"case {k} came twice")
        rows[k] = row
        if journal is not None:
            journal.add(cases[k], row)
        bar.step()
    bar.end()
    return Sweep(cases, [row for row in rows if row is not None])


class _Job:
    """What all runs of a sweep have in common."""

    def __init__(self, model: Model, shared: Case, read: list[str] | None) -> None:
        self.model = model
        self.shared = shared
        self.read = read

    def refuse(self, case: Case) -> None:
        """Refuses values that no run could have."""
        for key, value in case.items():
            writing.value(value, key)
        try:
            self.model._compile({**self.shared, **case})
        except InputError as error:
            if "has no" in error.message or "unknown section" in error.message:
                raise

    def row(self, case: Case) -> Row:
        """One run. Whatever goes wrong in it becomes part of the row."""
        try:
            compiled = self.model._compile({**self.shared, **case})
            (status, message), numbers, values = compiled.measure(self.read)
        except (InputError, SimulationFailed) as error:
            return dict(zip(_FACTS, ("refused", str(error), math.nan, 0, 0.0), strict=True))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            return dict(zip(_FACTS, ("failed", text, math.nan, 0, 0.0), strict=True))
        return {**dict(zip(_FACTS, (status, message, *numbers), strict=True)), **dict(values)}


def _cases(over: Mapping[str, Sequence[Any]] | Sequence[Case]) -> list[Case]:
    if isinstance(over, Mapping):
        for key, values in over.items():
            if isinstance(values, str) or not isinstance(values, (Sequence, np.ndarray)):
                raise InputError(f"{key} runs over {values!r}", key=key, remedy="give a list of values")
        return [dict(zip(over, values, strict=True)) for values in itertools.product(*over.values())]
    return [dict(case) for case in over]


def _here(job: _Job, cases: list[Case], missing: list[int], workers: int | None) -> Iterator[tuple[int, Row]]:
    # threads are enough: a run does not hold the interpreter
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures = {pool.submit(job.row, cases[k]): k for k in missing}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _on_cluster(client: Any, job: _Job, cases: list[Case], missing: list[int]) -> Iterator[tuple[int, Row]]:
    from distributed import as_completed as completed

    # each run carries its model, which a dying worker could take with it otherwise; runs of such a worker
    # are given to another, and a result counts once, by its number
    pending = {client.submit(job.row, cases[k], pure=False, retries=3): k for k in missing}
    for future in completed(list(pending)):
        yield pending[future], future.result()


class _Journal:
    """Finished runs on disk, a line of JSON each."""

    def __init__(self, directory: str | os.PathLike[str], job: _Job) -> None:
        os.makedirs(directory, exist_ok=True)
        self._path = os.path.join(os.fspath(directory), "runs.jsonl")
        self._rows: dict[str, Row] = {}
        self._lock = threading.Lock()
        heading = json.dumps(
            {"model": job.model.to_toml(), "set": _plain({**job.model._overrides, **job.shared}), "read": job.read}
        )
        lines: list[str] = []
        if os.path.exists(self._path):
            with open(self._path, encoding="utf-8") as file:
                lines = [line for line in file if line.endswith("\n")]
        if lines and lines[0].rstrip("\n") != heading:
            remedy = "choose another directory, or remove it"
            raise InputError("this directory holds another sweep", file=os.fspath(directory), remedy=remedy)
        for line in lines[1:]:
            case, row = json.loads(line)
            self._rows[case] = row
        # what was cut off when the program was killed is run again
        with open(self._path, "w", encoding="utf-8") as file:
            file.writelines(lines or [heading + "\n"])

    def row(self, case: Case) -> Row | None:
        return self._rows.get(json.dumps(_plain(case)))

    def add(self, case: Case, row: Row) -> None:
        with self._lock, open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps([json.dumps(_plain(case)), row]) + "\n")


def _plain(case: Case) -> dict[str, str]:
    return {key: writing.value(value, key) for key, value in case.items()}


class _Progress:
    """A line with the time that is left."""

    def __init__(self, total: int, done: int, shown: bool) -> None:
        self._total, self._done, self._first, self._shown = total, done, done, shown
        self._start = time.monotonic()

    def step(self) -> None:
        self._done += 1
        if self._shown:
            spent = time.monotonic() - self._start
            left = spent / (self._done - self._first) * (self._total - self._done)
            print(f"\r{self._done} of {self._total} runs, {left:.0f} s left ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print(file=sys.stderr)


class Sweep:
    """A table with a row per run: the values of the case, how it ended, and what was read."""

    def __init__(self, cases: list[Case], rows: list[Row]) -> None:
        self.cases = cases
        self.rows = [{**case, **row} for case, row in zip(cases, rows, strict=True)]

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    @property
    def failures(self) -> list[Row]:
        """The rows of runs that did not reach their end."""
        return [row for row in self.rows if row["status"] != "done"]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self.columns:
            raise KeyError(f"there is no column `{name}`; `columns` lists all")
        return np.array([row.get(name, math.nan) for row in self.rows])

    def to_pandas(self) -> Any:
        """A pandas data frame."""
        import pandas

        return pandas.DataFrame(self.rows, columns=self.columns)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes a table of comma-separated values."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="nan")
            writer.writeheader()
            writer.writerows(self.rows)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes a Parquet file."""
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({name: self[name] for name in self.columns}), path)

    def plot(self, x: str, y: str, *, ax: Any = None) -> Any:
        """Plots one column against another with matplotlib, and gives the axes."""
        from matplotlib import pyplot

        if ax is None:
            _, ax = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
        rows = [row for row in self.rows if x in row and y in row]
        ax.plot([row[x] for row in rows], [row[y] for row in rows], "o")
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        ax.grid(alpha=0.3)
        return ax

    def __repr__(self) -> str:
        return f"<rotula.Sweep: {len(self)} runs, {len(self.failures)} failed>"

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas()._repr_html_())
        except ImportError:
            return repr(self).replace("<", "&lt;")
