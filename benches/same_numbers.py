#!/usr/bin/env python3
"""Whether two programs give the same numbers: all example models, and the gallery if asked.

    python benches/same_numbers.py OLD NEW [--gallery] [--tolerance 1e-12] [MODEL ...]

OLD and NEW are two builds of `rotula`. Every model of `examples/models` is run by both, and every column of every table is
compared, relative to the largest value of the column. Prints the worst column of each model that differs by more than the
tolerance, or ends otherwise; the exit status is 1 if there is one. For changes that should change nothing.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(program, model, directory):
    """Exit status of a run that writes into the directory."""
    command = [program, "run", str(model), "--quiet", "-o", str(directory)]
    try:
        return subprocess.run(command, capture_output=True, cwd=ROOT, timeout=600).returncode
    except subprocess.TimeoutExpired:
        return "no end after ten minutes"


def columns(file):
    """The columns of a table by name; words stay words."""
    with open(file, newline="") as text:
        rows = list(csv.reader(text))
    if not rows:
        return {}
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def difference(old, new):
    """The largest difference of two columns, relative to their largest value; infinite where they do not match."""
    if len(old) != len(new):
        return float("inf")
    try:
        pairs = [(float(a), float(b)) for a, b in zip(old, new)]
    except ValueError:
        return 0.0 if old == new else float("inf")
    size = max((abs(a) for a, _ in pairs), default=0.0)
    worst = max((abs(a - b) for a, b in pairs if not (a != a and b != b)), default=0.0)
    return worst / size if size > 0.0 else worst


def compare(old, new):
    """The worst column of all tables of two directories."""
    worst = (0.0, "")
    names = {file.name for place in (old, new) for file in place.glob("*.csv")}
    for name in sorted(names):
        if not ((old / name).exists() and (new / name).exists()):
            return float("inf"), f"{name} (only one has it)"
        first, second = columns(old / name), columns(new / name)
        if first.keys() != second.keys():
            return float("inf"), f"{name}: other columns"
        for column in first:
            worst = max(worst, (difference(first[column], second[column]), f"{name}: {column}"))
    return worst


def gallery(old, new, tolerance):
    """Compares every check of the gallery."""
    tables = []
    for program in (old, new):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            subprocess.run([program, "gallery", "run", "--all", "--json", file.name], capture_output=True, cwd=ROOT)
            tables.append(json.loads(Path(file.name).read_text()))
    return 0 if same(tables[0], tables[1], tolerance, "gallery") else 1


def same(a, b, tolerance, path):
    """Whether two values of JSON are the same; says where they are not."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        # times of the clock are never the same
        return all([same(a[key], b[key], tolerance, f"{path}.{key}") for key in a if "seconds" not in key and "time" not in key])
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return all([same(x, y, tolerance, f"{path}[{i}]") for i, (x, y) in enumerate(zip(a, b))])
    if isinstance(a, float) or isinstance(b, float):
        equal = a == b or abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-300)
    else:
        equal = a == b
    if not equal:
        print(f"{path}: {a} became {b}", flush=True)
    return equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--gallery", action="store_true")
    parser.add_argument("--tolerance", type=float, default=1e-12)
    given = parser.parse_args()
    models = [Path(model) for model in given.models] or sorted((ROOT / "examples" / "models").glob("*.toml"))
    old, new = (str(Path(program).resolve()) for program in (given.old, given.new))
    others = 0
    for model in models:
        with tempfile.TemporaryDirectory() as place:
            directories = [Path(place) / name for name in ("old", "new")]
            ends = [run(program, model.resolve(), directory) for program, directory in zip((old, new), directories)]
            if ends[0] != ends[1]:
                others += 1
                print(f"{model.stem}: exit status {ends[0]} became {ends[1]}", flush=True)
                continue
            worst, column = compare(*directories)
            if not worst <= given.tolerance:
                others += 1
                print(f"{model.stem}: {worst:.1e} in {column}", flush=True)
    print(f"{len(models) - others} of {len(models)} models give the same numbers")
    status = gallery(old, new, given.tolerance) if given.gallery else 0
    return 1 if others else status


if __name__ == "__main__":
    sys.exit(main())
