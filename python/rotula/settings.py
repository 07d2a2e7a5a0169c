"""The keys of ``[solve]``, for type checkers; written by ``crates/model/src/reading/python_types.rs``."""

from typing import Literal, TypedDict

Coefficients = TypedDict(
    "Coefficients",
    {
        "generalized-alpha": float,
        "hht": float,
        "newmark": list[float],
    },
    total=False,
)

Newton = TypedDict(
    "Newton",
    {
        "tolerance": float,
        "max_iterations": int,
        "max_matrices": int,
        "matrix": Literal["each-iteration", "each-step", "reuse"],
        "predictor": Literal["polynomial", "taylor", "euler", "hold"],
        "ladder": bool,
    },
    total=False,
)

Solve = TypedDict(
    "Solve",
    {
        "formulation": Literal["index3", "index2", "index1", "baumgarte", "ggl", "pva", "soi2", "hht-soi2", "hht-i3", "projected", "dae-alpha", "nonsmooth", "moreau-jean", "bdf", "explicit"],
        "coefficients": Coefficients,
        "start": float,
        "until": float,
        "initial": Literal["refuse", "project-velocities", "project", "equilibrium", "trust"],
        "redundant": Literal["refuse", "solve"],
        "coordinates": Literal["redundant", "joint", "auto"],
        "start_acceleration": Literal["initial", "shifted", "clean"],
        "reactions": Literal["raw", "recomputed"],
        "adjustment": Literal["off", "extrapolated", "acceleration-only", "rescaled"],
        "newton": Newton,
        "step": float,
        "repeated": list[float],
        "tolerance": float,
        "first_step": float,
        "min_step": float,
        "max_step": float,
        "output_every": float,
        "output_at": list[float],
        "scaling": bool,
        "augmented": bool,
        "baumgarte": list[float],
        "variant": Literal["73", "74", "star", "printed", 73, 74],
        "mass": Literal["stored", "evaluated"],
        "mode": Literal["paper", "recommended"],
        "iteration": Literal["newton", "cs", "cm", "hybrid", "auto", "split", "monolithic", "sweeps"],
        "multipliers": Literal["acceleration", "velocity"],
        "strategy": Literal["1", "2", "pvv", "pva", "3", 1, 2, 3],
        "located": bool,
        "impact_law": Literal["moreau", "poisson", "reflections", "sequential"],
        "theta": float,
        "activation": float,
        "project": bool,
        "form": Literal["index3", "si2"],
        "max_order": int,
    },
    total=False,
)
