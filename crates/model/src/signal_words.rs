//! The words for states and controllers.

use rotula_reading::keys::{Key, Kind, key, needed};

pub(crate) static STATE: [Key; 3] = [
    needed("at", Kind::Number, "Initial value."),
    key("rate", Kind::Formula, "Its rate, a formula of signals."),
    key(
        "residual",
        Kind::Formula,
        "A formula of NAME and NAME' that is held at zero, instead of `rate`.",
    ),
];

static PID: [Key; 8] = [
    needed("input", Kind::Formula, "What is controlled, a formula of signals."),
    needed("setpoint", Kind::Formula, "What the input shall be."),
    key("proportional", Kind::Number, "Gain of the error. Default 0."),
    key("integral", Kind::Number, "Gain of its integral. Default 0."),
    key("derivative", Kind::Number, "Gain of its derivative. Default 0."),
    key("filter_time", Kind::Number, "Time constant of the filter of the derivative."),
    key("limits", Kind::Numbers(2), "Lowest and highest command."),
    key("tracking_time", Kind::Number, "How fast the integral gives way at a limit."),
];

static TRANSFER: [Key; 3] = [
    needed("input", Kind::Formula, "A formula of signals."),
    needed("numerator", Kind::List, "Coefficients from the highest power of s down."),
    needed("denominator", Kind::List, "Coefficients from the highest power of s down."),
];

pub(crate) static CONTROLLER: [Key; 2] = [
    key("pid", Kind::Table(&PID), "Proportional, integral and derivative control."),
    key("transfer_function", Kind::Table(&TRANSFER), "A transfer function."),
];
