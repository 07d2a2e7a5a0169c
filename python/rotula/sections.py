"""The sections of model files, for type checkers; written by ``crates/model/src/reading/section_types.rs``."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Required, TypedDict

from numpy.typing import NDArray

from .settings import Solve

Number = float | str
Numbers = Sequence[Number] | NDArray[Any]
Rows = Sequence[Numbers] | NDArray[Any]

ImportTurned = TypedDict(
    "ImportTurned",
    {
        "about": Required[Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers],
        "by": Required[Number],
    },
    total=False,
)

ImportAxes = TypedDict(
    "ImportAxes",
    {
        "x": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "y": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "z": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

Import = TypedDict(
    "Import",
    {
        "adams": str,
        "urdf": str,
        "base": Literal["fixed", "free"],
        "at": Numbers,
        "positions": Mapping[str, Number],
        "weld": bool,
        "turned": ImportTurned,
        "orientation": Numbers,
        "axes": ImportAxes,
    },
    total=False,
)

Table = TypedDict(
    "Table",
    {
        "x": Numbers,
        "y": Numbers,
        "z": Rows,
        "points": Rows,
        "file": str,
        "columns": Sequence[str],
        "interpolation": Literal["linear", "monotone", "spline"],
        "periodic": bool,
        "beyond": Literal["hold", "extend", "refuse"],
        "description": str,
    },
    total=False,
)

Path = TypedDict(
    "Path",
    {
        "wheels": Required[Rows],
        "pieces": Required[Number],
        "lay": Literal["chords", "tangents"],
        "shift": Number,
        "plane": Literal["xy", "xz", "yz"],
        "description": str,
    },
    total=False,
)

BodySolidCylinder = TypedDict(
    "BodySolidCylinder",
    {
        "radius": Required[Number],
        "length": Required[Number],
        "axis": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

BodySolidHeights = TypedDict(
    "BodySolidHeights",
    {
        "values": Required[Numbers],
        "columns": Required[Number],
        "lengths": Required[Numbers],
        "depth": Number,
    },
    total=False,
)

BodySolidHollow = TypedDict(
    "BodySolidHollow",
    {
        "box": Numbers,
        "cylinder": BodySolidCylinder,
        "sphere": Number,
        "capsule": BodySolidCylinder,
        "mesh": str,
        "hull": str,
        "heights": BodySolidHeights,
        "scale": Number,
        "at": Numbers,
    },
    total=False,
)

BodySolid = TypedDict(
    "BodySolid",
    {
        "box": Numbers,
        "cylinder": BodySolidCylinder,
        "sphere": Number,
        "capsule": BodySolidCylinder,
        "mesh": str,
        "hull": str,
        "heights": BodySolidHeights,
        "scale": Number,
        "at": Numbers,
        "hollow": BodySolidHollow,
        "wall": Number,
        "density": Required[Number],
    },
    total=False,
)

BodyInertia = TypedDict(
    "BodyInertia",
    {
        "xx": Required[Number],
        "yy": Required[Number],
        "zz": Required[Number],
        "xy": Number,
        "xz": Number,
        "yz": Number,
    },
    total=False,
)

Body = TypedDict(
    "Body",
    {
        "kind": Literal["rigid", "planar", "point", "massless"],
        "mass": Number,
        "solid": BodySolid,
        "inertia": Number | Numbers | Rows | BodyInertia,
        "inertia_about": Literal["centre", "origin"],
        "centre": Numbers,
        "at": Numbers,
        "normal": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "velocity": Numbers,
        "angular_velocity": Numbers,
        "shape": BodySolidHollow,
        "colour": str,
        "opacity": Number,
        "description": str,
        "turned": ImportTurned,
        "orientation": Numbers,
        "axes": ImportAxes,
    },
    total=False,
)

BeamC2Def = TypedDict(
    "BeamC2Def",
    {
        "file": Required[str],
        "body": Required[str],
    },
    total=False,
)

BeamSectionI = TypedDict(
    "BeamSectionI",
    {
        "width": Required[Number],
        "height": Required[Number],
        "flange": Required[Number],
        "web": Required[Number],
    },
    total=False,
)

BeamSection = TypedDict(
    "BeamSection",
    {
        "rectangle": Numbers,
        "circle": Number,
        "tube": Numbers,
        "i": BeamSectionI,
        "box": BeamSectionI,
        "stiffness": Numbers,
        "stiffness_matrix": Rows,
        "mass": Number,
        "inertia": Numbers,
        "mass_matrix": Rows,
        "beamdyn": str,
        "hawc2": str,
        "set": Numbers,
    },
    total=False,
)

BeamMaterial = TypedDict(
    "BeamMaterial",
    {
        "young": Required[Number],
        "poisson": Number,
        "shear": Number,
        "density": Required[Number],
    },
    total=False,
)

Beam = TypedDict(
    "Beam",
    {
        "from": Numbers,
        "to": Numbers,
        "along": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "length": Number,
        "curvature": Numbers,
        "points": Rows,
        "axis": Numbers,
        "c2_def": BeamC2Def,
        "up": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "twist": Number,
        "kind": Literal["spatial", "planar"],
        "normal": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "elements": Number,
        "nodes": Number,
        "stations": Mapping[str, Number],
        "section": Required[BeamSection],
        "material": BeamMaterial,
        "damping": Number,
        "mass": Literal["consistent", "lumped"],
        "start": str,
        "end": str,
        "load": Numbers,
        "load_factor": Number,
        "follower": Numbers,
        "velocity": Numbers,
        "angular_velocity": Numbers,
        "sections": Numbers,
        "colour": str,
        "opacity": Number,
        "description": str,
    },
    total=False,
)

FlexibleReduce = TypedDict(
    "FlexibleReduce",
    {
        "interfaces": Required[Mapping[str, Number]],
        "method": Literal["craig-bampton", "plain-craig-bampton", "guyan", "free"],
        "modes": Number,
        "below": Number,
        "damping": Number,
        "damping_above": Rows,
    },
    total=False,
)

FlexibleBeam = TypedDict(
    "FlexibleBeam",
    {
        "length": Required[Number],
        "section": Required[BeamSection],
        "material": BeamMaterial,
        "elements": Number,
        "theory": Literal["bernoulli", "timoshenko"],
        "bends": Literal["y", "z", "both"],
        "frame": Literal["tangent", "chord"],
    },
    total=False,
)

Flexible = TypedDict(
    "Flexible",
    {
        "from": str,
        "reduce": FlexibleReduce,
        "beam": FlexibleBeam,
        "kind": Literal["spatial", "planar"],
        "at": Numbers,
        "velocity": Numbers,
        "angular_velocity": Numbers,
        "damping": Number,
        "modes": Number,
        "below": Number,
        "amplitudes": Numbers,
        "stress": Numbers,
        "colour": str,
        "opacity": Number,
        "description": str,
        "turned": ImportTurned,
        "orientation": Numbers,
        "axes": ImportAxes,
    },
    total=False,
)

Cable = TypedDict(
    "Cable",
    {
        "from": Numbers,
        "to": Numbers,
        "start": str,
        "end": str,
        "elements": Number,
        "stiffness": Required[Number],
        "mass": Number,
        "damping": Number,
        "diameter": Number,
        "tension": Number,
        "length": Number,
        "tensions": Numbers,
        "colour": str,
        "opacity": Number,
        "description": str,
    },
    total=False,
)

Frame = TypedDict(
    "Frame",
    {
        "on": Required[str],
        "at": Numbers,
        "world": Numbers,
        "along": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "turned": ImportTurned,
        "orientation": Numbers,
        "axes": ImportAxes,
    },
    total=False,
)

JointRevolute = TypedDict(
    "JointRevolute",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "about": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

JointPrismatic = TypedDict(
    "JointPrismatic",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "along": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

JointSpherical = TypedDict(
    "JointSpherical",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
    },
    total=False,
)

JointScrew = TypedDict(
    "JointScrew",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "about": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "pitch": Required[Number],
    },
    total=False,
)

JointPlanar = TypedDict(
    "JointPlanar",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "normal": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

JointDistance = TypedDict(
    "JointDistance",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "length": Number,
    },
    total=False,
)

JointRolling = TypedDict(
    "JointRolling",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "radius": Required[Number],
    },
    total=False,
)

JointKnifeEdge = TypedDict(
    "JointKnifeEdge",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
    },
    total=False,
)

JointPointOnCurve = TypedDict(
    "JointPointOnCurve",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "points": Rows,
        "curve": Numbers,
        "from": Number,
        "to": Number,
        "closed": bool,
    },
    total=False,
)

JointRevoluteSpherical = TypedDict(
    "JointRevoluteSpherical",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "about": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "ball": Numbers,
        "length": Number,
    },
    total=False,
)

JointRevoluteTranslational = TypedDict(
    "JointRevoluteTranslational",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "about": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "along": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

JointPerpendicularAxes = TypedDict(
    "JointPerpendicularAxes",
    {
        "between": Sequence[str],
        "frames": Sequence[str],
        "at": Numbers,
        "about": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "second": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

JointSpring = TypedDict(
    "JointSpring",
    {
        "stiffness": Number,
        "damping": Number,
        "free": Number,
        "preload": Number,
        "coordinate": str,
    },
    total=False,
)

JointFriction = TypedDict(
    "JointFriction",
    {
        "coefficient": Required[Number],
        "at_rest": Number,
        "stribeck_velocity": Number,
        "creep": Number,
        "smoothing": Literal["root", "tanh"],
        "normal": Required[Number],
        "radius": Number,
        "viscous": Number,
        "coordinate": str,
    },
    total=False,
)

JointStop = TypedDict(
    "JointStop",
    {
        "from": Number,
        "to": Number,
        "restitution": Number,
        "stiffness": Number,
        "damping": Number,
        "exponent": Number,
        "coordinate": str,
    },
    total=False,
)

Joint = TypedDict(
    "Joint",
    {
        "revolute": JointRevolute,
        "prismatic": JointPrismatic,
        "cylindrical": JointRevolute,
        "spherical": JointSpherical,
        "fixed": JointSpherical,
        "universal": JointRevolute,
        "constant-velocity": JointRevolute,
        "screw": JointScrew,
        "planar": JointPlanar,
        "point-on-line": JointPrismatic,
        "point-on-plane": JointPlanar,
        "parallel-axes": JointRevolute,
        "distance": JointDistance,
        "rolling": JointRolling,
        "knife-edge": JointKnifeEdge,
        "point-on-curve": JointPointOnCurve,
        "revolute-spherical": JointRevoluteSpherical,
        "revolute-translational": JointRevoluteTranslational,
        "perpendicular-axes": JointPerpendicularAxes,
        "orientation": JointSpherical,
        "spring": JointSpring,
        "friction": JointFriction,
        "stop": JointStop,
        "torque": Number,
        "force": Number,
        "description": str,
    },
    total=False,
)

Motion = TypedDict(
    "Motion",
    {
        "joint": str,
        "between": Sequence[str],
        "point": str,
        "within": Number,
        "angle": Number,
        "angle_velocity": Number,
        "angle_acceleration": Number,
        "displacement": Number,
        "displacement_velocity": Number,
        "displacement_acceleration": Number,
        "length": Number,
        "length_velocity": Number,
        "length_acceleration": Number,
        "first": Number,
        "first_velocity": Number,
        "first_acceleration": Number,
        "second": Number,
        "second_velocity": Number,
        "second_acceleration": Number,
        "x": Number,
        "x_velocity": Number,
        "x_acceleration": Number,
        "y": Number,
        "y_velocity": Number,
        "y_acceleration": Number,
        "z": Number,
        "z_velocity": Number,
        "z_acceleration": Number,
    },
    total=False,
)

Spring = TypedDict(
    "Spring",
    {
        "between": Sequence[str],
        "joint": str,
        "coordinate": str,
        "stiffness": Number,
        "damping": Number,
        "free_length": Number,
        "preload": Number,
        "law": Number,
        "table": str | Rows,
    },
    total=False,
)

Force = TypedDict(
    "Force",
    {
        "on": Required[str],
        "at": Numbers,
        "force": Numbers,
        "moment": Numbers,
        "axes": Literal["world", "body"],
    },
    total=False,
)

Load = TypedDict(
    "Load",
    {
        "force": Numbers,
        "moment": Numbers,
        "pressure": Number,
        "spread": Numbers,
        "shapes": Numbers,
        "nodes": Numbers,
        "set": str,
        "interface": str,
        "factor": Number,
        "on": Required[str],
        "per_length": Numbers,
        "moment_per_length": Numbers,
        "axes": Literal["world", "section"],
    },
    total=False,
)

Bushing = TypedDict(
    "Bushing",
    {
        "between": Required[Sequence[str]],
        "at": Numbers,
        "stiffness": Required[Numbers],
        "damping": Numbers,
        "preload": Numbers,
    },
    total=False,
)

Road = TypedDict(
    "Road",
    {
        "on": str,
        "height": Number,
        "mesh": str,
        "scale": Number,
        "grid": Number,
    },
    total=False,
)

TyreBrush = TypedDict(
    "TyreBrush",
    {
        "radius": Required[Number],
        "stiffness": Required[Number],
        "damping": Number,
        "friction": Number,
        "longitudinal": Number,
        "cornering": Number,
        "half_length": Number,
        "relaxation": Numbers,
        "rolling_resistance": Number,
    },
    total=False,
)

Tyre = TypedDict(
    "Tyre",
    {
        "wheel": Required[str],
        "axle": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "road": str,
        "file": str,
        "brush": TyreBrush,
        "relaxation": bool,
        "friction": Number,
        "pressure": Number,
        "side": Literal["left", "right"],
    },
    total=False,
)

ContactFirstSegment = TypedDict(
    "ContactFirstSegment",
    {
        "length": Required[Number],
        "axis": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

ContactFirstLandscape = TypedDict(
    "ContactFirstLandscape",
    {
        "height": Required[Number],
        "from": Numbers,
        "to": Numbers,
    },
    total=False,
)

ContactFirstCam = TypedDict(
    "ContactFirstCam",
    {
        "radius": Required[Number],
        "length": Required[Number],
        "axis": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "zero": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
    },
    total=False,
)

ContactFirst = TypedDict(
    "ContactFirst",
    {
        "box": Numbers,
        "cylinder": BodySolidCylinder,
        "sphere": Number,
        "capsule": BodySolidCylinder,
        "mesh": str,
        "hull": str,
        "heights": BodySolidHeights,
        "plane": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "point": Numbers,
        "bowl": Number,
        "segment": ContactFirstSegment,
        "landscape": ContactFirstLandscape,
        "cam": ContactFirstCam,
        "scale": Number,
        "at": Numbers,
    },
    total=False,
)

ContactFriction = TypedDict(
    "ContactFriction",
    {
        "coefficient": Required[Number],
        "at_rest": Number,
        "stribeck_velocity": Number,
        "creep": Number,
        "smoothing": Literal["root", "tanh"],
    },
    total=False,
)

Contact = TypedDict(
    "Contact",
    {
        "between": Required[Sequence[str]],
        "first": ContactFirst,
        "second": ContactFirst,
        "restitution": Number,
        "stiffness": Number,
        "exponent": Number,
        "dissipation": Number,
        "damping": Number,
        "damping_depth": Number,
        "guide": Number,
        "rolling_resistance": Number,
        "spinning_resistance": Number,
        "friction": Number | ContactFriction,
    },
    total=False,
)

Clearance = TypedDict(
    "Clearance",
    {
        "between": Required[Sequence[str]],
        "at": Numbers,
        "about": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "size": Required[Number],
        "radius": Number,
        "restitution": Required[Number],
        "friction": Number,
    },
    total=False,
)

Swarm = TypedDict(
    "Swarm",
    {
        "spheres": Number,
        "radius": Required[Number],
        "density": Required[Number],
        "filling": Rows,
        "at": Rows,
        "container": Rows,
        "restitution": Required[Number],
        "friction": Number | ContactFriction,
    },
    total=False,
)

CouplingGear = TypedDict(
    "CouplingGear",
    {
        "joints": Required[Sequence[str]],
        "ratio": Required[Number],
    },
    total=False,
)

CouplingRack = TypedDict(
    "CouplingRack",
    {
        "joints": Required[Sequence[str]],
        "radius": Required[Number],
    },
    total=False,
)

CouplingMesh = TypedDict(
    "CouplingMesh",
    {
        "joints": Required[Sequence[str]],
        "radii": Required[Numbers],
        "stiffness": Required[Number],
        "damping": Number,
        "backlash": Number,
        "damping_depth": Number,
        "teeth": Number,
        "harmonics": Numbers,
        "phases": Numbers,
    },
    total=False,
)

Coupling = TypedDict(
    "Coupling",
    {
        "gear": CouplingGear,
        "rack": CouplingRack,
        "mesh": CouplingMesh,
        "sum": Number,
        "equals": Number,
    },
    total=False,
)

Sensor = TypedDict(
    "Sensor",
    {
        "position": str,
        "rotation": str,
        "cardan": str,
        "euler": str,
        "velocity": str,
        "acceleration": str,
        "angular_velocity": str,
        "angular_acceleration": str,
        "reaction_force": str,
        "reaction_moment": str,
        "force": str,
        "moment": str,
        "speed": str,
        "length": Sequence[str],
        "energy": Literal["kinetic", "potential", "total", "power"],
        "formula": Number,
        "along": Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers,
        "on": Literal["first", "second"],
        "axes": str,
    },
    total=False,
)

Sampled = TypedDict(
    "Sampled",
    {
        "every": Required[Number],
        "value": Required[Number],
        "at": Number,
        "first": Number,
    },
    total=False,
)

Latch = TypedDict(
    "Latch",
    {
        "set": Required[Number],
        "reset": Number,
        "at": Number,
    },
    total=False,
)

State = TypedDict(
    "State",
    {
        "at": Required[Number],
        "rate": Number,
        "residual": Number,
    },
    total=False,
)

ControllerPid = TypedDict(
    "ControllerPid",
    {
        "input": Required[Number],
        "setpoint": Required[Number],
        "proportional": Number,
        "integral": Number,
        "derivative": Number,
        "filter_time": Number,
        "limits": Numbers,
        "tracking_time": Number,
    },
    total=False,
)

ControllerTransferFunction = TypedDict(
    "ControllerTransferFunction",
    {
        "input": Required[Number],
        "numerator": Required[Numbers],
        "denominator": Required[Numbers],
    },
    total=False,
)

Controller = TypedDict(
    "Controller",
    {
        "pid": ControllerPid,
        "transfer_function": ControllerTransferFunction,
    },
    total=False,
)

Use = TypedDict(
    "Use",
    {
        "at": Numbers,
        "mirror": Literal["x", "y", "z"],
        "set": Mapping[str, Number],
        "part": Required[str],
        "count": Number,
        "path": str,
        "description": str,
        "turned": ImportTurned,
        "orientation": Numbers,
        "axes": ImportAxes,
    },
    total=False,
)

Output = TypedDict(
    "Output",
    {
        "bodies": bool | str | Sequence[str],
        "joints": bool | str | Sequence[str],
        "reactions": bool | str | Sequence[str],
        "springs": bool | str | Sequence[str],
        "bushings": bool | str | Sequence[str],
        "forces": bool | str | Sequence[str],
        "tyres": bool | str | Sequence[str],
        "contacts": bool | str | Sequence[str],
        "joint_forces": bool | str | Sequence[str],
        "motions": bool | str | Sequence[str],
        "couplings": bool | str | Sequence[str],
        "cables": bool | str | Sequence[str],
        "ends": bool | str | Sequence[str],
        "contact_rows": Number,
    },
    total=False,
)

Coordinates = TypedDict(
    "Coordinates",
    {
        "at": Required[Number],
        "velocity": Required[Number],
        "acceleration": Number,
        "scale": Number,
    },
    total=False,
)

Constraint = TypedDict(
    "Constraint",
    {
        "formula": Required[Number],
        "reaction": bool,
        "multiplier": Number,
    },
    total=False,
)

Variable = TypedDict(
    "Variable",
    {
        "formula": Required[Number],
        "guess": Number,
    },
    total=False,
)

Gap = TypedDict(
    "Gap",
    {
        "gap": Required[Number],
        "restitution": Number,
        "friction": Number,
        "slip": Number,
        "slip2": Number,
        "tangential_restitution": Number,
    },
    total=False,
)

Energy = TypedDict(
    "Energy",
    {
        "kinetic": Number,
        "potential": Number,
        "power": Number,
    },
    total=False,
)

Events = TypedDict(
    "Events",
    {
        "times": Numbers,
    },
    total=False,
)

Sections = TypedDict(
    "Sections",
    {
        "title": str,
        "description": str,
        "gravity": Numbers,
        "retraction": Literal["exponential", "cayley"],
        "import": str | Import,
        "parameters": Mapping[str, Number],
        "define": Mapping[str, Number],
        "table": Mapping[str, Table],
        "path": Mapping[str, Path],
        "body": Mapping[str, Body],
        "beam": Mapping[str, Beam],
        "flexible": Mapping[str, Flexible],
        "cable": Mapping[str, Cable],
        "bar": Mapping[str, Cable],
        "frame": Mapping[str, Frame],
        "joint": Mapping[str, Joint],
        "motion": Mapping[str, Motion],
        "spring": Mapping[str, Spring],
        "force": Mapping[str, Force] | Mapping[str, Number],
        "load": Mapping[str, Load],
        "bushing": Mapping[str, Bushing],
        "road": Mapping[str, Road],
        "tyre": Mapping[str, Tyre],
        "contact": Mapping[str, Contact],
        "clearance": Mapping[str, Clearance],
        "swarm": Mapping[str, Swarm],
        "coupling": Mapping[str, Coupling],
        "sensor": Mapping[str, Sensor],
        "variable": Mapping[str, Number] | Mapping[str, Number | Variable],
        "input": Mapping[str, Number],
        "sampled": Mapping[str, Sampled],
        "latch": Mapping[str, Latch],
        "state": Mapping[str, State],
        "controller": Mapping[str, Controller],
        "part": Mapping[str, Any],
        "use": Mapping[str, Use],
        "output": Output | Mapping[str, Number],
        "solve": Solve,
        "coordinates": Mapping[str, Coordinates],
        "mass": Mapping[str, Number],
        "constraint": Mapping[str, Number | Constraint],
        "nonholonomic": Mapping[str, Number | Constraint],
        "gap": Mapping[str, Number | Gap],
        "energy": Energy,
        "events": Events,
    },
    total=False,
)
