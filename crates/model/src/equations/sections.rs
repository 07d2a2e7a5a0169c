//! The one table of what a model file may contain: read by the checker and by the schema.

use crate::reading::Format;
use crate::reading::keys::{Entries, Key, Kind, Section, key, needed};

/// Keys outside of sections.
static TOP: [Key; 2] = [
    key("title", Kind::Text, "Name of the model in reports."),
    key("description", Kind::Text, "What the model shows and where it comes from."),
];

static COORDINATE: [Key; 4] = [
    needed("at", Kind::Number, "Initial value."),
    needed("velocity", Kind::Number, "Initial velocity."),
    key(
        "acceleration",
        Kind::Number,
        "Initial acceleration, used only with `initial = \"trust\"`.",
    ),
    key("scale", Kind::Number, "Characteristic size: errors are measured against it. Default 1."),
];

static CONSTRAINT: [Key; 3] = [
    needed("formula", Kind::Formula, "What must be zero."),
    key(
        "reaction",
        Kind::Boolean,
        "Whether the multiplier acts along the gradient by itself. Default true; if false, forces must use lambda.NAME.",
    ),
    key("multiplier", Kind::Number, "Initial multiplier, used with `initial = \"trust\"`."),
];

static STATE: [Key; 3] = [
    needed("at", Kind::Number, "Initial value."),
    key(
        "rate",
        Kind::Formula,
        "The rate of the state. Together with `residual`: first guess of the rate, a constant.",
    ),
    key(
        "residual",
        Kind::Formula,
        "An expression of the state and its rate NAME' that must be zero.",
    ),
];

static VARIABLE: [Key; 2] = [
    needed("formula", Kind::Formula, "The value of the variable; it may depend on itself."),
    key("guess", Kind::Number, "First guess of the initial value."),
];

static GAP: [Key; 6] = [
    needed("gap", Kind::Formula, "Distance that may not become negative."),
    key("restitution", Kind::Number, "Newton's coefficient of restitution, 0 to 1. Default 0."),
    key("friction", Kind::Number, "Coulomb's coefficient of friction. Default 0; needs `slip`."),
    key(
        "slip",
        Kind::Formula,
        "A length along the surface, whose rate is the sliding velocity; or that velocity itself.",
    ),
    key("slip2", Kind::Formula, "The same in a second direction, at a right angle to the first."),
    key(
        "tangential_restitution",
        Kind::Number,
        "Restitution of the sliding velocity, -1 to 1. Default 0.",
    ),
];

static ENERGY: [Key; 3] = [
    key("kinetic", Kind::Formula, "Kinetic energy. Default ½ v·M v."),
    key("potential", Kind::Formula, "Potential energy. Default 0."),
    key("power", Kind::Formula, "Power of everything that changes kinetic plus potential energy."),
];

static EVENTS: [Key; 1] =
    [key("times", Kind::List, "Times at which forces jump: steps end there.")];

static SECTIONS: [Section; 16] = [
    Section {
        name: "parameters",
        entry: "parameter",
        about: "Constants: numbers, or formulas of other parameters.",
        example: "m = 2.5",
        entries: Entries::Formulas,
    },
    Section {
        name: "define",
        entry: "definition",
        about: "Abbreviations for use in formulas.",
        example: "r2 = \"x^2 + y^2\"",
        entries: Entries::Formulas,
    },
    Section {
        name: "table",
        entry: "table",
        about: "Functions through points, in place or from a file, which formulas call by name: `road(x)`; `road'(x)` and `road''(x)` are slope and curvature.",
        example: "[table.road] x = [0, 10, 20], y = [0, 0.05, 0], interpolation = \"spline\", beyond = \"hold\"",
        entries: Entries::Tables(&crate::reading::TABLE),
    },
    Section {
        name: "coordinates",
        entry: "coordinate",
        about: "Generalized coordinates x with initial values; x' is the velocity, x'' the acceleration.",
        example: "x = { at = 0, velocity = 1 }",
        entries: Entries::Tables(&COORDINATE),
    },
    Section {
        name: "mass",
        entry: "mass entry",
        about: "Entries of the mass matrix: `x` on the diagonal, `\"x, y\"` beside it, in the equation of x and in that of y alike. Where `\"y, x\"` is given too, `\"x, y\"` stands in the equation of x alone: the matrix need not be symmetric. Others are zero.",
        example: "x = \"m\"",
        entries: Entries::FormulasOf,
    },
    Section {
        name: "force",
        entry: "force",
        about: "Generalized forces by coordinate. Those not given are zero.",
        example: "x = \"-k*x - c*x'\"",
        entries: Entries::FormulasOf,
    },
    Section {
        name: "constraint",
        entry: "constraint",
        about: "Holonomic constraints g(q, t) = 0. The reaction is +Gᵀλ, with λ called lambda.NAME in formulas.",
        example: "rod = \"x^2 + y^2 - L^2\"",
        entries: Entries::FormulasOrTables(&CONSTRAINT),
    },
    Section {
        name: "nonholonomic",
        entry: "nonholonomic constraint",
        about: "Nonholonomic constraints k(q, q', t) = 0. The reaction is +Kᵀψ, with ψ called lambda.NAME in formulas.",
        example: "knife = \"x'*sin(phi) - y'*cos(phi)\"",
        entries: Entries::FormulasOrTables(&CONSTRAINT),
    },
    Section {
        name: "state",
        entry: "state",
        about: "First-order states, given by their rate or by a residual.",
        example: "filter = { at = 0, rate = \"(x - filter)/T\" }",
        entries: Entries::Tables(&STATE),
    },
    Section {
        name: "variable",
        entry: "variable",
        about: "Algebraic variables, solved together with the motion. They may use accelerations, rates and multipliers.",
        example: "u = \"-K*x\"",
        entries: Entries::FormulasOrTables(&VARIABLE),
    },
    Section {
        name: "input",
        entry: "input",
        about: "Numbers that a program sets while a run goes on (`simulation[\"torque\"] = 2` in Python), with the values they have until then. Formulas may use them.",
        example: "torque = 0",
        entries: Entries::Formulas,
    },
    Section {
        name: "gap",
        entry: "gap",
        about: "Unilateral constraints gap(q, t) ≥ 0: contacts with impacts and friction, for the formulations `nonsmooth` and `moreau-jean`.",
        example: "floor = { gap = \"y\", restitution = 0.8 }",
        entries: Entries::FormulasOrTables(&GAP),
    },
    Section {
        name: "energy",
        entry: "energy",
        about: "Energies and power for the audit of a run.",
        example: "potential = \"m*g*y\"",
        entries: Entries::Fixed(&ENERGY),
    },
    Section {
        name: "events",
        entry: "key",
        about: "Instants the integrator must hit.",
        example: "times = [0.5, \"T\"]",
        entries: Entries::Fixed(&EVENTS),
    },
    Section {
        name: "output",
        entry: "output",
        about: "Further curves to be recorded.",
        example: "tip = \"x + L*cos(theta)\"",
        entries: Entries::Formulas,
    },
    Section {
        name: "solve",
        entry: "key",
        about: "How the model is integrated. Analyses (check, statics, modes) need no such section.",
        example: "until = 10.0",
        entries: Entries::Solve,
    },
];

/// All that an equation model may contain.
pub(crate) static FORMAT: Format = Format { top: &TOP, sections: &SECTIONS, parts: &[] };
