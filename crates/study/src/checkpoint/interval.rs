//! How often a checkpoint is written.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The distance of checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// Seconds by the clock on the wall.
    Seconds(f64),
    /// Accepted steps.
    Steps(usize),
}

impl FromStr for Interval {
    type Err = String;

    /// Reads `every=10s`, `every=5min`, `every=1h` or `every=1000steps`; `every=` may be left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no interval; write every=10s, every=5min, every=1h or every=1000steps"
            )
        };
        let value = text.strip_prefix("every=").unwrap_or(text).trim();
        let split = value.find(|c: char| c.is_ascii_alphabetic() && c != 'e').ok_or_else(wrong)?;
        let (number, unit) = (value[..split].trim(), value[split..].trim());
        if let "step" | "steps" = unit {
            let steps = number.parse().map_err(|_| wrong())?;
            return if steps > 0 { Ok(Interval::Steps(steps)) } else { Err(wrong()) };
        }
        let factor = match unit {
            "s" => 1.0,
            "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        match number.parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => {
                Ok(Interval::Seconds(number * factor))
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Interval::Seconds(seconds) => write!(f, "every {seconds} s"),
            Interval::Steps(1) => write!(f, "every step"),
            Interval::Steps(steps) => write!(f, "every {steps} steps"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;

    #[test]
    fn intervals_are_read_with_their_units() {
        let read = |text: &str| text.parse::<Interval>();
        assert_eq!(read("every=10s"), Ok(Interval::Seconds(10.0)));
        assert_eq!(read("0.5 s"), Ok(Interval::Seconds(0.5)));
        assert_eq!(read("every=2min"), Ok(Interval::Seconds(120.0)));
        assert_eq!(read("1h"), Ok(Interval::Seconds(3600.0)));
        assert_eq!(read("every=1000steps"), Ok(Interval::Steps(1000)));
        for wrong in
            ["", "every=", "10", "0s", "-1s", "every=0steps", "1.5steps", "3 weeks", "infs"]
        {
            assert!(read(wrong).unwrap_err().contains("write every=10s"), "{wrong}");
        }
    }
}
