//! Axes: ranges, ticks and their labels.

use crate::numbers::superscript;

/// One axis of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// Logarithmic.
    pub log: bool,
    /// Limits; chosen from the points if absent.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis of equal distances.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis { label: label.into(), log: false, range: None }
    }

    /// An axis of equal ratios.
    pub fn log(label: impl Into<String>) -> Self {
        Axis { label: label.into(), log: true, range: None }
    }

    /// The same with given limits.
    pub fn between(self, low: f64, high: f64) -> Self {
        Axis { range: Some((low, high)), ..self }
    }

    /// Where a value lies before scaling to the page, if it has a place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        let place = if self.log { value.log10() } else { value };
        place.is_finite().then_some(place)
    }

    /// Limits in the units of [`place`](Self::place) that hold all values with a little air.
    pub(crate) fn limits(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let given = self.range.and_then(|(a, b)| Some((self.place(a)?, self.place(b)?)));
        if let Some((low, high)) = given.filter(|(low, high)| low < high) {
            return (low, high);
        }
        let (low, high) = values
            .filter_map(|value| self.place(value))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        if low > high {
            return (0.0, 1.0);
        }
        // Equal values still need an interval; around large ones it must be wide enough to matter.
        let air = if high > low { 0.04 * (high - low) } else { 0.5 * high.abs().max(1e-3) };
        (low - air, high + air)
    }

    /// Ticks between limits: place, label (empty for a minor one).
    pub(crate) fn ticks(&self, (low, high): (f64, f64)) -> Vec<(f64, String)> {
        if self.log { log_ticks(low, high) } else { linear_ticks(low, high) }
    }
}

fn linear_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let rough = (high - low) / 7.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(10.0 * power);
    let decimals = (-(step.log10().floor())).max(0.0) as usize;
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last)
        .map(|i| {
            let value = i as f64 * step;
            let large = low.abs().max(high.abs());
            let label = if !(1e-4..1e6).contains(&large) {
                power_label(value)
            } else {
                format!("{value:.decimals$}").replace('-', "−")
            };
            (value, label)
        })
        .collect()
}

fn power_label(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let exponent = value.abs().log10().floor();
    let mantissa = (value / 10f64.powf(exponent) * 1e3).round() / 1e3;
    format!("{mantissa}·10{}", superscript(exponent as i32)).replace('-', "−")
}

fn log_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let decades = high - low;
    // Few decades: label the parts between; many: only every few.
    let every = (decades / 9.0).ceil().max(1.0) as i64;
    let labelled: &[i64] = match decades {
        d if d < 0.7 => &[2, 3, 4, 5, 6, 7, 8, 9],
        d if d < 2.0 => &[2, 5],
        _ => &[],
    };
    // numbers of things rather than powers
    let plain = low >= -0.1 && high <= 4.0;
    let label_of = |part: i64, decade: i64| match (plain, part) {
        (true, _) => (part * 10_i64.pow(decade.max(0) as u32)).to_string(),
        (false, 1) => format!("10{}", superscript(decade as i32)),
        (false, _) => format!("{part}·10{}", superscript(decade as i32)),
    };
    let mut ticks = Vec::new();
    for decade in low.floor() as i64..=high.floor() as i64 {
        let label = match decade.rem_euclid(every) {
            0 => label_of(1, decade),
            _ => String::new(),
        };
        ticks.push((decade as f64, label));
        if every > 1 {
            continue;
        }
        for part in 2..=9 {
            let label = match labelled.contains(&part) {
                true => label_of(part, decade),
                false => String::new(),
            };
            ticks.push((decade as f64 + (part as f64).log10(), label));
        }
    }
    ticks.retain(|(place, _)| (low..=high).contains(place));
    ticks
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn labels(axis: Axis, low: f64, high: f64) -> Vec<String> {
        let labels = axis.ticks((low, high)).into_iter().map(|(_, label)| label);
        labels.filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            labels(Axis::linear(""), -0.1, 1.05),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(labels(Axis::log(""), -3.2, -0.9), ["10⁻³", "10⁻²", "10⁻¹"]);
        assert_eq!(labels(Axis::log(""), -1.0, 0.4), ["10⁻¹", "2·10⁻¹", "5·10⁻¹", "10⁰", "2·10⁰"]);
        assert_eq!(labels(Axis::log(""), 0.28, 1.54), ["2", "5", "10", "20"]);
    }

    #[test]
    fn limits_exist_without_points() {
        assert_eq!(Axis::log("").limits([0.0, -1.0, f64::NAN].into_iter()), (0.0, 1.0));
        let (low, high) = Axis::linear("").limits([3.0].into_iter());
        assert!(low < 3.0 && 3.0 < high);
    }
}
