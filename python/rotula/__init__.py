"""Rotula: flexible multibody dynamics.

``load`` reads a model file, ``Model`` builds one with the same words, ``Model.run`` simulates it, and
its results are NumPy arrays.
"""

from ._native import Moment, Motion, SavedRun, Simulation, __version__
from .errors import Diagnosis, InputError, Interrupted, SimulationFailed
from .model import Model, load, loads
from .reading import read_results
from .results import Assembled, Check, Equilibrium, Floquet, Kinematics, Modes, Run, Verification
from .running import resume
from .sweeping import Sweep, latin_hypercube, sweep

__all__ = [
    "Assembled",
    "Check",
    "Diagnosis",
    "Equilibrium",
    "Floquet",
    "InputError",
    "Interrupted",
    "Kinematics",
    "Model",
    "Modes",
    "Moment",
    "Motion",
    "Run",
    "SavedRun",
    "Simulation",
    "SimulationFailed",
    "Sweep",
    "Verification",
    "__version__",
    "latin_hypercube",
    "load",
    "loads",
    "read_results",
    "resume",
    "sweep",
]
