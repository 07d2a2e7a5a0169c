//! What can be wrong with settings.

/// A setting that cannot be used, with what would be right.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
pub enum SettingsError {
    /// ρ∞ outside [0, 1].
    #[error("the spectral radius must lie in [0, 1], not {value}; 1 dissipates nothing, 0 most")]
    SpectralRadius {
        /// What was given.
        value: f64,
    },
    /// HHT's α outside [−1/3, 0].
    #[error("HHT's alpha must lie in [-1/3, 0], not {value}; -0.3 is the usual choice")]
    HhtAlpha {
        /// What was given.
        value: f64,
    },
    /// θ outside [½, 1].
    #[error("theta must lie in [0.5, 1], not {value}; 0.5 dissipates nothing, 1 most")]
    Theta {
        /// What was given.
        value: f64,
    },
    /// Activation outside [0, 1].
    #[error("activation must lie in [0, 1], not {value}; 0.5 is usual, 1 makes overlaps smaller")]
    Activation {
        /// What was given.
        value: f64,
    },
    /// Newmark parameters that are not unconditionally stable.
    #[error(
        "Newmark's method needs gamma >= 1/2 and beta >= gamma/2, not beta = {beta}, gamma = {gamma}; \
         beta = 0.25, gamma = 0.5 is the trapezoidal rule"
    )]
    Newmark {
        /// Given β.
        beta: f64,
        /// Given γ.
        gamma: f64,
    },
    /// A number that must be positive is not.
    #[error("{name} must be a positive number, not {value}")]
    NotPositive {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The end lies before the start.
    #[error("the end time {until} must lie after the start time {start}")]
    EmptyInterval {
        /// Start time.
        start: f64,
        /// End time.
        until: f64,
    },
    /// The smallest step is larger than the largest.
    #[error("min_step = {min} exceeds max_step = {max}; make it smaller, or remove it")]
    StepBounds {
        /// Smallest step.
        min: f64,
        /// Largest step.
        max: f64,
    },
    /// Adding the step to the time would not change it as it should.
    #[error(
        "{name} = {step} is too small for times near {time}, which a computer tells apart only by \
         {resolution}; let the run begin near 0, or take larger steps"
    )]
    TimeResolution {
        /// The setting.
        name: &'static str,
        /// What was given.
        step: f64,
        /// The time farthest from 0.
        time: f64,
        /// Distance to the next number.
        resolution: f64,
    },
    /// More rows than a computer should be asked to keep.
    #[error("{name} asks for {rows:.3e} rows, and {most:.0e} are the most; record less often")]
    TooManyRows {
        /// The setting.
        name: &'static str,
        /// How many.
        rows: f64,
        /// How many there may be.
        most: f64,
    },
    /// Neither or both of step and tolerance.
    #[error("{0}")]
    StepChoice(&'static str),
    /// A word that is not one of the allowed ones.
    #[error("`{value}` is not a {what}; choose one of {allowed}")]
    UnknownWord {
        /// What the word should name.
        what: &'static str,
        /// What was given.
        value: String,
        /// The allowed words.
        allowed: String,
    },
    /// An option that the chosen formulation does not have.
    #[error(
        "`{option}` does not apply to the formulation `{formulation}`; it belongs to {belongs}"
    )]
    ForeignOption {
        /// The option's key.
        option: &'static str,
        /// The chosen formulation.
        formulation: &'static str,
        /// Where it belongs.
        belongs: &'static str,
    },
    /// Coefficients that the formulation cannot use.
    #[error("{0}")]
    Coefficients(String),
}
