//! Curves of pages: ours as lines, references as dots of the same colour.

use rotula_report::{Axis, Figure, Marker, Series, Stroke};

/// A quantity over another, ours and that of a reference.
pub(crate) struct Curve {
    name: String,
    ours: Vec<(f64, f64)>,
    reference: Vec<(f64, f64)>,
}

impl Curve {
    /// Our points alone.
    pub fn new(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Curve { name: name.into(), ours: points(x, y), reference: Vec::new() }
    }

    /// The same with points of a reference.
    pub fn beside(self, x: &[f64], y: &[f64]) -> Self {
        Curve { reference: points(x, y), ..self }
    }

    /// The slope of its finest pair of points between logarithmic axes.
    fn slope(&self) -> Option<f64> {
        let [.., a, b] = self.ours[..] else { return None };
        let slope = (b.1 / a.1).ln() / (b.0 / a.0).ln();
        slope.is_finite().then_some(slope)
    }
}

fn points(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    x.iter().copied().zip(y.iter().copied()).collect()
}

/// Curves over any axes; `reference` names what the dots are.
pub(crate) fn comparison(
    title: &str,
    [x, y]: [Axis; 2],
    reference: &str,
    curves: Vec<Curve>,
) -> Figure {
    let mut figure = Figure::new(title, x, y);
    figure.size = (820, 440);
    let mut dotted = false;
    for Curve { name, ours, reference } in curves {
        // a curve without a reference shows where its own points are, if they are few
        let marker = match reference.is_empty() && ours.len() < 30 {
            true => Marker::Automatic,
            false => Marker::None,
        };
        figure = figure.with(Series { marker, ..Series::line(name, ours) });
        if !reference.is_empty() {
            dotted = true;
            figure = figure.with(Series::dots("", reference).paired());
        }
    }
    if dotted {
        let key = Series {
            stroke: Stroke::None,
            marker: Marker::Circle,
            ..Series::guide(reference, vec![])
        };
        figure = figure.with(key);
    }
    figure
}

/// Errors between logarithmic axes, with their slopes, and lines of whole slopes beneath them.
pub(crate) fn convergence(
    title: &str,
    [x, y]: [&str; 2],
    reference: &str,
    mut curves: Vec<Curve>,
) -> Figure {
    let mut guides: Vec<(f64, (f64, f64), f64)> = Vec::new();
    for curve in &mut curves {
        let (Some(slope), Some(&last)) = (curve.slope(), curve.ours.last()) else { continue };
        // no slope of −0.00
        let shown =
            format!("{:.2}", if slope.abs() < 5e-3 { 0.0 } else { slope }).replace('-', "−");
        curve.name = format!("{}: slope {shown}", curve.name);
        let whole = slope.round();
        let first = curve.ours[0].0;
        if whole == 0.0 || (slope - whole).abs() > 0.25 {
            continue;
        }
        // one line of each slope, beneath the lowest curve that has it
        match guides.iter_mut().find(|guide| guide.0 == whole) {
            Some(guide) if guide.1.1 <= last.1 => {}
            Some(guide) => *guide = (whole, last, first),
            None => guides.push((whole, last, first)),
        }
    }
    let mut figure = comparison(title, [Axis::log(x), Axis::log(y)], reference, curves);
    for (whole, (x, y), first) in guides {
        let beneath = 0.5 * y;
        let start = (first, beneath * (first / x).powf(whole));
        let name = format!("slope {whole}").replace('-', "−");
        figure = figure.with(Series::guide(name, vec![start, (x, beneath)]));
    }
    figure
}

/// What is drawn by [`conditions`].
pub(crate) const CONDITION: &str = "condition number";

/// Condition numbers over the step size. Beyond 10¹⁶ they are rounding, and hardly worth the paper.
pub(crate) fn conditions(title: &str, step: &str, curves: Vec<Curve>) -> Figure {
    let axes = [Axis::log(step), Axis::log(CONDITION).between(1.0, 1e18)];
    comparison(title, axes, "sheet", curves)
}

#[cfg(test)]
mod tests {
    use super::{Curve, convergence};

    #[test]
    fn a_curve_of_second_order_says_so() {
        let steps = [0.1, 0.05, 0.025];
        let errors = steps.map(|h| 3.0 * h * h);
        let curves = vec![Curve::new("q", &steps, &errors).beside(&steps, &errors)];
        let figure = convergence("Errors", ["h (s)", "error (m)"], "sheet", curves);
        let names: Vec<&str> = figure.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["q: slope 2.00", "", "sheet", "slope 2"]);
        let guide = &figure.series[3].points;
        let slope = (guide[0].1 / guide[1].1).ln() / (guide[0].0 / guide[1].0).ln();
        assert!((slope - 2.0).abs() < 1e-12);
        assert!(guide[1].1 < errors[2], "the line of orientation lies on the curve");
    }

    #[test]
    fn dots_take_the_colour_of_their_curve() {
        let curve = |name: &str| Curve::new(name, &[1.0, 2.0], &[1.0, 4.0]).beside(&[1.0], &[1.0]);
        let svg = convergence("", ["", ""], "sheet", vec![curve("a"), curve("b")]).to_svg();
        for colour in ["#1f6fb4", "#c8434e"] {
            assert!(svg.contains(&format!("fill=\"{colour}\"")), "no dot has {colour}");
            assert!(svg.contains(&format!("stroke=\"{colour}\"")), "no line has {colour}");
        }
        assert!(!svg.contains("#2e8b57"), "a third colour is in use");
    }
}
