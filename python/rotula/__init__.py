"""Rotula: flexible multibody dynamics.

``load`` reads a model file, ``Model`` builds one with the same words, ``Model.run`` simulates it, and
its results are NumPy arrays.
"""

from . import _processor

_processor.choose()

from ._native import Moment, Motion, SavedRun, Simulation, __version__
from .analyses import (
    Assembled,
    Campbell,
    Check,
    Drawing,
    Equilibrium,
    Floquet,
    FrequencyResponse,
    Modes,
    StateSpace,
)
from .comparing import Comparison, compare
from .errors import Diagnosis, InputError, Interrupted, SimulationFailed
from .model import Model, load, loads
from .reading import read_results
from .reducing import Reduced, reduce
from .results import Kinematics, Run, Shown, Verification
from .running import resume
from .sweeping import Sweep, latin_hypercube, sweep

__all__ = [
    "Assembled",
    "Campbell",
    "Check",
    "Comparison",
    "Diagnosis",
    "Drawing",
    "Equilibrium",
    "Floquet",
    "FrequencyResponse",
    "InputError",
    "Interrupted",
    "Kinematics",
    "Model",
    "Modes",
    "Moment",
    "Motion",
    "Reduced",
    "Run",
    "SavedRun",
    "Shown",
    "Simulation",
    "SimulationFailed",
    "StateSpace",
    "Sweep",
    "Verification",
    "__version__",
    "compare",
    "latin_hypercube",
    "load",
    "loads",
    "read_results",
    "reduce",
    "resume",
    "sweep",
]
