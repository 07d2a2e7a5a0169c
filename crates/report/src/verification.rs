//! A run proved by a stricter one: how far the two differ, column by column.

use crate::atomic;
use crate::compare::compare;
use crate::error::Error;
use crate::run::Run;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Digits of a number in double precision.
const MOST_DIGITS: u32 = 15;
/// A second run with fewer steps than so many times those of the first is not much stricter.
const HARDLY: f64 = 1.2;

/// What was made stricter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stricter {
    /// `tolerance` or `step`.
    pub setting: &'static str,
    /// Its value in the run.
    pub from: f64,
    /// Its value in the second run.
    pub to: f64,
}

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// A position, an angle, an orientation.
    Position,
    /// A force, a moment, a multiplier.
    Force,
    /// Anything else: velocities, sensors, energies.
    Other,
}

/// How far the two runs differ in one column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The column.
    pub column: String,
    /// Its unit, if it is known.
    pub unit: String,
    /// What it is.
    pub quantity: Quantity,
    /// The largest difference at any common time.
    pub difference: f64,
    /// What that is judged against: the largest value of the column or of the vector it belongs to.
    pub scale: f64,
    /// The one over the other.
    pub relative: f64,
    /// The time of the largest difference.
    pub time: Option<f64>,
    /// Root mean square of the differences over all common times, relative: far below `relative`, the
    /// largest is a spike.
    pub rms: f64,
    /// Decimal digits that both have in common, relative to the scale.
    pub digits: u32,
}

impl Difference {
    /// Digits that hold under a relative difference.
    pub(crate) fn digits_of(relative: f64) -> u32 {
        // written so that what is no number has none
        let digits = if relative > 0.0 { (-relative.log10()).floor() } else { f64::INFINITY };
        if relative >= 0.0 { digits.clamp(0.0, f64::from(MOST_DIGITS)) as u32 } else { 0 }
    }
}

/// Positions that drift apart exponentially.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Growth {
    /// Time in which the difference becomes ten times as large.
    pub decade: f64,
    /// From when on this is seen.
    pub from: f64,
    /// From when on fewer than two digits hold.
    pub lost: Option<f64>,
}

/// A run compared with a stricter one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// What was made stricter.
    pub stricter: Stricter,
    /// Steps of the run and of the second.
    pub steps: [usize; 2],
    /// Why the second run stopped early, if it did.
    pub failure: Option<String>,
    /// Time the second run took.
    pub wall_seconds: f64,
    /// How many times were compared.
    pub instants: usize,
    /// The last of them.
    pub until: f64,
    /// Positions that drift apart exponentially.
    pub growth: Option<Growth>,
    /// Every column, worst first.
    pub differences: Vec<Difference>,
    /// Columns that only one of the runs has, or that have no numbers.
    pub uncompared: Vec<String>,
}

impl Verification {
    /// Compares a run with a second one, which was recorded at the same times; without one, says why.
    pub fn new(
        run: &Run,
        stricter: Stricter,
        second: Result<&Run, String>,
    ) -> Result<Verification, Error> {
        let steps = run.trajectory.statistics.steps;
        Ok(match second {
            Ok(again) => {
                let compared = compare(run, again)?;
                Verification {
                    stricter,
                    steps: [steps, again.trajectory.statistics.steps],
                    failure: again.diagnosis.map(|diagnosis| diagnosis.message.to_string()),
                    wall_seconds: again.wall_seconds,
                    instants: compared.instants,
                    until: compared.until,
                    growth: compared.growth,
                    differences: compared.differences,
                    uncompared: compared.uncompared,
                }
            }
            Err(failure) => Verification {
                stricter,
                steps: [steps, 0],
                failure: Some(failure),
                wall_seconds: f64::NAN,
                instants: 0,
                until: f64::NAN,
                growth: None,
                differences: Vec::new(),
                uncompared: Vec::new(),
            },
        })
    }

    /// The worst column of a kind.
    pub fn worst(&self, quantity: Quantity) -> Option<&Difference> {
        self.differences.iter().find(|difference| difference.quantity == quantity)
    }

    /// What was found, in a few sentences; `number` writes a number with so many digits.
    pub fn sentences(&self, number: &dyn Fn(f64, usize) -> String) -> Vec<String> {
        let (short, precise) = (|value| number(value, 3), |value| number(value, 6));
        let Stricter { setting, from, to } = self.stricter;
        let part = if setting == "step" { "half" } else { "a tenth" };
        let mut again = format!(
            "Verified by a second run with {part} of the {setting} ({} instead of {}; {} instead of {} steps).",
            short(to),
            short(from),
            self.steps[1],
            self.steps[0]
        );
        if let Some(failure) = &self.failure {
            again = format!(
                "The second run, with {part} of the {setting} ({}), stopped early: {failure}.",
                short(to)
            )
            .replace("..", ".");
        }
        let mut sentences = vec![again];
        if self.instants == 0 {
            sentences.push("There is nothing to compare: the run is not verified.".into());
            return sentences;
        }
        if self.failure.is_some() {
            sentences.push(format!("What follows holds until t = {} s.", precise(self.until)));
        }
        let told = [(Quantity::Position, "Positions"), (Quantity::Force, "Forces")];
        let worst: Vec<(&Difference, &str)> = told
            .into_iter()
            .filter_map(|(quantity, word)| Some((self.worst(quantity)?, word)))
            .collect();
        let worst = match (worst.is_empty(), self.differences.first()) {
            (true, Some(any)) => vec![(any, "Outputs")],
            _ => worst,
        };
        for (difference, word) in worst {
            sentences.push(sentence(difference, word, number));
        }
        if let Some(Growth { decade, from, lost }) = self.growth {
            let lost = lost.map_or(String::new(), |t| {
                format!("; after t = {} s not two digits are left", precise(t))
            });
            sentences.push(format!(
                "From t = {} s on the difference grows tenfold every {} s, as in chaotic motions, where no tolerance \
                 helps for long{lost}.",
                precise(from),
                short(decade)
            ));
        }
        if (self.steps[1] as f64) < HARDLY * self.steps[0] as f64 && self.failure.is_none() {
            sentences.push(
                "The second run took hardly more steps than the first, so that this proves little."
                    .into(),
            );
        }
        sentences
    }
}

fn sentence(worst: &Difference, word: &str, number: &dyn Fn(f64, usize) -> String) -> String {
    let hold = match worst.digits {
        0 => "no digit holds".to_owned(),
        1 => "1 digit holds".to_owned(),
        digits => format!("{digits} digits hold"),
    };
    if worst.relative == 0.0 {
        return format!("{word} do not differ.");
    }
    let at = worst.time.map_or(String::new(), |t| format!(", at t = {} s", number(t, 6)));
    let unit = if worst.unit.is_empty() { String::new() } else { format!(" {}", worst.unit) };
    format!(
        "{word} differ by at most {} of their largest value ({hold}): `{}` by {}{unit}{at}.",
        number(worst.relative, 3),
        worst.column,
        number(worst.difference, 3),
    )
}

/// Writes the differences of all columns as comma-separated values, worst first.
pub fn write_verification(path: &Path, verification: &Verification) -> Result<(), Error> {
    atomic::write(path, |file| {
        writeln!(file, "column,unit,quantity,difference,scale,relative,time,rms,digits")?;
        for row in &verification.differences {
            let quantity = match row.quantity {
                Quantity::Position => "position",
                Quantity::Force => "force",
                Quantity::Other => "other",
            };
            let time = row.time.map_or(String::new(), |t| format!("{t:?}"));
            writeln!(
                file,
                "{},{},{quantity},{:?},{:?},{:?},{time},{:?},{}",
                crate::csv::quoted(&row.column),
                crate::csv::quoted(&row.unit),
                row.difference,
                row.scale,
                row.relative,
                row.rms,
                row.digits
            )?;
        }
        Ok(())
    })
}
