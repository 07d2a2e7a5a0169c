"""Runs that have ended, and runs that were cut off."""

from __future__ import annotations

import os
from collections.abc import Callable

from ._native import Compiled, Finished, Moment, unfinished
from .errors import InputError, Interrupted, SimulationFailed
from .results import Run


def ended(finished: Finished, check: bool) -> Run:
    """The results of a run, or the exception that it ended with."""
    results = Run._of_native(finished)
    trouble = finished.trouble
    if isinstance(trouble, KeyboardInterrupt):
        raise Interrupted(results) from None
    if trouble is not None:
        trouble.add_note(f"in a function of the model, at t = {results.t[-1]:g}")
        raise trouble
    diagnosis = results.diagnosis
    if check and diagnosis is not None and not finished.stopped:
        raise SimulationFailed(diagnosis, results)
    return results


def resume(
    directory: str | os.PathLike[str],
    *,
    observer: Callable[[Moment], bool | None] | None = None,
    check: bool = True,
    every: str = "10s",
) -> Run:
    """Goes on with a run that was cut off, from the last checkpoint in its directory.

    The directory is what ``Model.run(checkpoint=…)`` was given; the model is read from there. The numbers
    are those of a run that was not cut off, to the last bit. A run with functions of Python is gone on with
    by the same call of ``Model.run``: functions are not on disk.
    """
    name = os.fspath(directory)
    text, model, overrides, functions = unfinished(name)
    if functions:
        listed = ", ".join(f"`{function}`" for function in functions)
        remedy = "go on with it by the same call of `Model.run`, with the same `checkpoint`"
        raise InputError(f"the run has functions of Python, which are not on disk: {listed}", file=name, remedy=remedy)
    return ended(Compiled(text, model, overrides, [], [], []).run(observer, (name, every)), check)
