//! The one table of what a model file may contain: read by the checker and by the schema.

/// What a value must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    /// A number, or a formula in quotes.
    Formula,
    /// A number, or a formula of parameters in quotes.
    Constant,
    Text,
    Boolean,
    /// A list of numbers or formulas of parameters.
    Constants,
}

pub(crate) struct Key {
    pub name: &'static str,
    pub kind: Kind,
    pub needed: bool,
    pub about: &'static str,
}

pub(crate) enum Entries {
    /// `name = formula` with names chosen by the user.
    Formulas,
    /// `name = { key = …, … }` with names chosen by the user; a plain formula stands for the key `short`.
    Tables { short: Option<&'static str>, keys: &'static [Key] },
    /// `key = value`.
    Fixed(&'static [Key]),
    /// The keys of [`rotula_dae::Solve`].
    Solve,
}

pub(crate) struct Section {
    pub name: &'static str,
    /// What one entry is called in messages.
    pub entry: &'static str,
    pub about: &'static str,
    /// How an entry is written.
    pub example: &'static str,
    pub entries: Entries,
}

const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, needed: false, about }
}

const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, needed: true, about }
}

/// Keys outside of sections.
pub(crate) static TOP: [Key; 2] = [
    key("title", Kind::Text, "Name of the model in reports."),
    key("description", Kind::Text, "What the model shows and where it comes from."),
];

static COORDINATE: [Key; 4] = [
    needed("at", Kind::Constant, "Initial value."),
    needed("velocity", Kind::Constant, "Initial velocity."),
    key(
        "acceleration",
        Kind::Constant,
        "Initial acceleration, used only with `initial = \"trust\"`.",
    ),
    key("scale", Kind::Constant, "Characteristic size: errors are measured against it. Default 1."),
];

static CONSTRAINT: [Key; 3] = [
    needed("formula", Kind::Formula, "What must be zero."),
    key(
        "reaction",
        Kind::Boolean,
        "Whether the multiplier acts along the gradient by itself. Default true; if false, forces must use lambda.NAME.",
    ),
    key("multiplier", Kind::Constant, "Initial multiplier, used with `initial = \"trust\"`."),
];

static STATE: [Key; 3] = [
    needed("at", Kind::Constant, "Initial value."),
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
    key("guess", Kind::Constant, "First guess of the initial value."),
];

static GAP: [Key; 6] = [
    needed("gap", Kind::Formula, "Distance that may not become negative."),
    key("restitution", Kind::Constant, "Newton's coefficient of restitution, 0 to 1. Default 0."),
    key("friction", Kind::Constant, "Coulomb's coefficient of friction. Default 0; needs `slip`."),
    key(
        "slip",
        Kind::Formula,
        "A length along the surface, whose rate is the sliding velocity; or that velocity itself.",
    ),
    key("slip2", Kind::Formula, "The same in a second direction, at a right angle to the first."),
    key(
        "tangential_restitution",
        Kind::Constant,
        "Restitution of the sliding velocity, -1 to 1. Default 0.",
    ),
];

static ENERGY: [Key; 3] = [
    key("kinetic", Kind::Formula, "Kinetic energy. Default ½ v·M v."),
    key("potential", Kind::Formula, "Potential energy. Default 0."),
    key("power", Kind::Formula, "Power of everything that changes kinetic plus potential energy."),
];

static EVENTS: [Key; 1] =
    [key("times", Kind::Constants, "Times at which forces jump: steps end there.")];

pub(crate) static SECTIONS: [Section; 14] = [
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
        name: "coordinates",
        entry: "coordinate",
        about: "Generalized coordinates x with initial values; x' is the velocity, x'' the acceleration.",
        example: "x = { at = 0, velocity = 1 }",
        entries: Entries::Tables { short: None, keys: &COORDINATE },
    },
    Section {
        name: "mass",
        entry: "mass entry",
        about: "Entries of the symmetric mass matrix: `x` on the diagonal, `\"x, y\"` beside it, given once. Others are zero.",
        example: "x = \"m\"",
        entries: Entries::Formulas,
    },
    Section {
        name: "force",
        entry: "force",
        about: "Generalized forces by coordinate. Those not given are zero.",
        example: "x = \"-k*x - c*x'\"",
        entries: Entries::Formulas,
    },
    Section {
        name: "constraint",
        entry: "constraint",
        about: "Holonomic constraints g(q, t) = 0. The reaction is +Gᵀλ, with λ called lambda.NAME in formulas.",
        example: "rod = \"x^2 + y^2 - L^2\"",
        entries: Entries::Tables { short: Some("formula"), keys: &CONSTRAINT },
    },
    Section {
        name: "nonholonomic",
        entry: "nonholonomic constraint",
        about: "Nonholonomic constraints k(q, q', t) = 0. The reaction is +Kᵀψ, with ψ called lambda.NAME in formulas.",
        example: "knife = \"x'*sin(phi) - y'*cos(phi)\"",
        entries: Entries::Tables { short: Some("formula"), keys: &CONSTRAINT },
    },
    Section {
        name: "state",
        entry: "state",
        about: "First-order states, given by their rate or by a residual.",
        example: "filter = { at = 0, rate = \"(x - filter)/T\" }",
        entries: Entries::Tables { short: None, keys: &STATE },
    },
    Section {
        name: "variable",
        entry: "variable",
        about: "Algebraic variables, solved together with the motion. They may use accelerations, rates and multipliers.",
        example: "u = \"-K*x\"",
        entries: Entries::Tables { short: Some("formula"), keys: &VARIABLE },
    },
    Section {
        name: "gap",
        entry: "gap",
        about: "Unilateral constraints gap(q, t) ≥ 0: contacts with impacts and friction, for the formulations `nonsmooth` and `moreau-jean`.",
        example: "floor = { gap = \"y\", restitution = 0.8 }",
        entries: Entries::Tables { short: Some("gap"), keys: &GAP },
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
        about: "How the model is integrated.",
        example: "until = 10.0",
        entries: Entries::Solve,
    },
];

/// The section of this name.
pub(crate) fn section(name: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.name == name)
}
