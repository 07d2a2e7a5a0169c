"""Finite element meshes as flexible bodies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from . import _native


class Reduced:
    """A flexible body that was written: its ``path``, ``mass`` and ``frequencies`` in hertz, and the ``cut_off`` above which it knows
    no vibrations (``None`` if it has none)."""

    def __init__(self, path: str, mass: float, frequencies: NDArray[np.float64], cut_off: float | None) -> None:
        self.path, self.mass, self.frequencies, self.cut_off = path, mass, frequencies, cut_off

    def __repr__(self) -> str:
        lowest = ", ".join(f"{f:.4g}" for f in self.frequencies[:4])
        return f"<rotula.Reduced {self.path!r}: {self.mass:.4g} kg, {len(self.frequencies)} shapes, {lowest} Hz …>"


def reduce(
    mesh: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    interfaces: Mapping[str, str | int] | None = None,
    mean_interfaces: Mapping[str, str | int] | None = None,
    method: Literal["craig-bampton", "plain-craig-bampton", "guyan", "free"] = "craig-bampton",
    modes: int = 10,
    below: float | None = None,
    damping: float = 0.0,
    units: Literal["si", "mm"] = "si",
    material: tuple[float, float, float] | None = None,
    thickness: float | None = None,
) -> Reduced:
    """Reduces a mesh of Gmsh, Abaqus, CalculiX or Nastran to a flexible body, a ``.flex`` file for ``[flexible.NAME]``.

    ``interfaces`` names frames and the node or set of nodes that moves rigidly with each; frames of ``mean_interfaces`` follow the mean of a
    set. ``modes`` are kept, or all ``below`` a frequency in hertz. ``material`` (Young's modulus, Poisson's ratio, density) and ``thickness`` are
    for elements to which the mesh gives none, in the units of the mesh: metres and pascals, or ``units="mm"``.
    """
    frames = [(name, str(at), True) for name, at in (interfaces or {}).items()]
    frames += [(name, str(at), False) for name, at in (mean_interfaces or {}).items()]
    wish = {
        "interfaces": frames,
        "method": method,
        "modes": modes,
        "below": below,
        "damping": damping,
        "millimetres": units == "mm",
        "material": None if material is None else list(material),
        "thickness": thickness,
    }
    mass, frequencies, cut_off = _native.reduce(os.fspath(mesh), os.fspath(output), wish)
    return Reduced(os.fspath(output), mass, np.array(frequencies), cut_off)
