"""Results that the program wrote, read back without copies where the format allows."""

from __future__ import annotations

import csv
import json
import os
import zipfile
from functools import partial
from typing import Any

import numpy as np

from .errors import InputError
from .results import Array, Run

# how the plain names of a table become names of columns
_HEADINGS = {
    "v": "{}'",
    "xdot": "{}'",
    "vdot": "{}''",
    "multipliers": "lambda.{}",
    "residuals": "residual.{}",
    "gap": "gap.{}",
    "contact_force": "force.{}",
    "contact_impulse": "impulse.{}",
    "contacts": "contacts.{}",
}


def read_results(directory: str | os.PathLike[str]) -> Run:
    """Reads what ``rotula run`` or :meth:`Run.write` left in a directory.

    Arrays of ``trajectory.npz`` stay on disk until they are used; ``trajectory.csv`` is read as a whole.
    """
    folder = os.fspath(directory)
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
    except (OSError, ValueError) as error:
        remedy = "name a directory that `rotula run` wrote"
        raise InputError(f"there are no results: {error}", file=folder, remedy=remedy) from None
    title = summary["model"]["title"]
    contacts, events = (partial(_read_long, os.path.join(folder, f"{key}.csv")) for key in ("contacts", "events"))
    archive = os.path.join(folder, "trajectory.npz")
    table = os.path.join(folder, "trajectory.csv")
    if os.path.exists(archive):
        t, tables, steps = _read_npz(archive)
        return Run(t, tables, summary, steps=steps, title=title, contacts=contacts, events=events)
    if os.path.exists(table):
        names, values = _read_csv(table)
        tables = {"trajectory": (names[1:], values[:, 1:])}
        return Run(values[:, 0], tables, summary, title=title, contacts=contacts, events=events)
    raise InputError("there is no trajectory", file=folder, remedy="run the model again with `--format npz`")


def _read_npz(path: str) -> tuple[Array, dict[str, tuple[list[str], Array]], dict[str, Array]]:
    arrays = _members(path)
    tables = {}
    for key, table in arrays.items():
        names = arrays.get(f"{key}_names")
        if names is not None and len(names):
            heading = _HEADINGS.get(key, "{}")
            tables[key] = ([heading.format(name) for name in names.tolist()], table)
    steps = {key.removeprefix("steps_"): array for key, array in arrays.items() if key.startswith("steps_")}
    return arrays["t"], tables, steps


def _read_long(path: str) -> dict[str, Any]:
    """A table of contacts or impacts, by column; nothing if there is none."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        names = next(lines)
        columns = list(zip(*lines, strict=True)) or [()] * len(names)
    texts = {"contact", "first", "second"}
    return {
        name: np.array(values, dtype=str if name in texts else float)
        for name, values in zip(names, columns, strict=True)
    }


def _members(path: str) -> dict[str, Any]:
    """The arrays of an archive: those that are not compressed as maps of the file."""
    arrays: dict[str, Any] = {}
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        for info in archive.infolist():
            name = info.filename.removesuffix(".npy")
            if info.compress_type != zipfile.ZIP_STORED:
                with archive.open(info) as member:
                    arrays[name] = np.lib.format.read_array(member)
                continue
            # the local header: 30 bytes, of which the last four are the lengths of name and extra field
            file.seek(info.header_offset + 26)
            lengths = file.read(4)
            size = int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
            file.seek(info.header_offset + 30 + size)
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, by_columns, kind = read(file)
            if 0 in shape or kind.itemsize == 0:
                arrays[name] = np.empty(shape, kind)
                continue
            start = file.tell()
            array = np.memmap(path, kind, "r", start, shape, "F" if by_columns else "C")
            # a plain view: a map of a file prints and pickles in its own way
            arrays[name] = array.view(np.ndarray)
    return arrays


def _read_csv(path: str) -> tuple[list[str], Array]:
    with open(path, encoding="utf-8", newline="") as file:
        names = next(csv.reader(file))
    try:
        from pyarrow import csv as fast
    except ImportError:
        return names, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    table = fast.read_csv(path)
    return names, np.column_stack([column.to_numpy().astype(float) for column in table.itercolumns()])
