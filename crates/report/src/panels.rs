//! Which curves the report shows, in which panels.

use crate::columns::RESIDUALS;
use crate::decimate::decimate;
use crate::run::Run;
use rotula_dae::{StepControl, StepRecord, Table};

/// Points of all curves together: with 16 characters each, about 6 MB of the page.
const POINTS: usize = 400_000;
/// Most points of a curve: more than a screen has columns, for zooming and for spectra.
const MOST: usize = 16_000;
/// Fewest points of a curve: what a small plot can show.
const FEWEST: usize = 40;

/// The horizontal axis of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grid {
    /// Recorded times.
    Recorded,
    /// Ends of the accepted steps.
    Steps,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Straight lines between the values.
    Line,
    /// The value holds for the step before it.
    Stairs,
    /// Only values above zero, as marks.
    Marks,
}

impl Style {
    /// The word of the page's script.
    pub fn word(self) -> &'static str {
        match self {
            Style::Line => "line",
            Style::Stairs => "stairs",
            Style::Marks => "marks",
        }
    }
}

/// One curve.
pub(crate) struct Curve {
    /// Its name.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
    /// Rows of the panel's grid that it keeps; all if none.
    pub kept: Option<Vec<usize>>,
    /// Its values in these rows.
    pub values: Vec<f64>,
}

/// One plot.
pub(crate) struct Panel {
    /// Word for links.
    pub id: String,
    /// Heading.
    pub title: String,
    /// One sentence below the heading.
    pub note: String,
    /// Logarithmic values.
    pub log: bool,
    /// Drawing.
    pub style: Style,
    /// Times.
    pub grid: Grid,
    /// Curves.
    pub curves: Vec<Curve>,
    /// Most points of a curve.
    limit: usize,
}

impl Panel {
    fn new(id: &str, title: &str, grid: Grid, limit: usize) -> Self {
        let (note, style) = (String::new(), Style::Line);
        let (id, title) = (id.to_owned(), title.to_owned());
        Panel { id, title, note, log: false, style, grid, curves: Vec::new(), limit }
    }

    /// For curves that are added later.
    fn log(self) -> Self {
        Panel { log: true, ..self }
    }

    /// Adds a curve, thinned at once: all curves of a long run together would fill the memory.
    fn push(&mut self, name: &str, unit: String, values: impl Iterator<Item = f64>) {
        // A logarithm has no place for zero: leave a gap.
        let size = |value: f64| if value != 0.0 { value.abs() } else { f64::NAN };
        let mut values: Vec<f64> = match self.log {
            true => values.map(size).collect(),
            false => values.collect(),
        };
        let kept = decimate(&values, self.limit);
        if let Some(kept) = &kept {
            values = kept.iter().map(|&row| values[row]).collect();
        }
        self.curves.push(Curve { name: name.into(), unit, kept, values });
    }

    fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    fn curve(mut self, name: &str, unit: &str, values: Vec<f64>) -> Self {
        self.push(name, unit.into(), values.into_iter());
        self
    }

    fn table(mut self, names: &[String], table: &Table, unit: impl Fn(&str) -> String) -> Self {
        for (j, name) in names.iter().enumerate() {
            self.push(name, unit(name), table.column(j));
        }
        self
    }

    /// Drops curves without a single finite value; true if any is left.
    fn worth_showing(&mut self) -> bool {
        self.curves.retain(|curve| curve.values.iter().any(|value| value.is_finite()));
        !self.curves.is_empty()
    }
}

/// All panels that have something to show.
pub(crate) fn panels(run: &Run) -> Vec<Panel> {
    let limit = limit(run);
    let mut panels = motion(run, limit);
    panels.extend(contacts(run, limit));
    panels.extend(energies(run, limit));
    panels.extend(residuals(run, limit));
    panels.extend(steps(run, limit));
    panels.retain_mut(Panel::worth_showing);
    panels
}

/// Most points of a curve, so that the page stays small.
fn limit(run: &Run) -> usize {
    let sizes = run.trajectory.sizes;
    let mut widths = vec![run.extra.names.len()];
    widths.extend(run.curves.iter().map(|curves| curves.names.len()));
    if run.coordinates {
        widths.extend([sizes.configuration, sizes.motion, sizes.motion, sizes.multipliers()]);
        widths.extend([sizes.states, sizes.variables]);
    }
    let contacts = &run.trajectory.contacts;
    widths.extend([contacts.gap.width(), contacts.force.width()]);
    // energies, residuals and steps are a few more
    let curves = 16 + widths.iter().sum::<usize>();
    (POINTS / curves).clamp(FEWEST, MOST)
}

fn motion(run: &Run, limit: usize) -> Vec<Panel> {
    let (trajectory, names, units) = (run.trajectory, &run.trajectory.names, &run.units);
    let unit = |name: &str| units.columns.get(name).cloned().unwrap_or_default();
    let rate = |name: &str, order: &str| match unit(name) {
        unit if unit.is_empty() || units.time.is_empty() => String::new(),
        unit => format!("{unit}/{}{order}", units.time),
    };
    let panel = |id: &str, title: &str| Panel::new(id, title, Grid::Recorded, limit);
    let mut panels =
        vec![panel("extra", "Outputs").table(&run.extra.names, &run.extra.table, unit)];
    let mut groups: Vec<_> = run.curves.iter().enumerate().collect();
    groups.sort_by_key(|(_, curves)| curves.place);
    for (k, curves) in groups {
        let panel = panel(&format!("curves-{}", k + 1), &curves.title);
        panels.push(panel.table(&curves.names, &curves.table, unit));
    }
    if !run.coordinates {
        return panels;
    }
    panels.extend([
        panel("coordinates", "Coordinates").table(&names.configuration, &trajectory.q, unit),
        panel("velocities", "Velocities").table(&names.motion, &trajectory.v, |n| rate(n, "")),
        panel("accelerations", "Accelerations")
            .table(&names.motion, &trajectory.vdot, |n| rate(n, "²")),
        panel("multipliers", "Multipliers").table(
            &names.constraints,
            &trajectory.multipliers,
            unit,
        ),
        panel("states", "First-order states").table(&names.states, &trajectory.x, unit),
        panel("variables", "Algebraic variables").table(&names.variables, &trajectory.y, unit),
    ]);
    panels
}

fn contacts(run: &Run, limit: usize) -> Vec<Panel> {
    let contacts = &run.trajectory.contacts;
    if contacts.is_empty() {
        return Vec::new();
    }
    let panel = |id: &str, title: &str| Panel::new(id, title, Grid::Recorded, limit);
    let column = |j| contacts.summary.column(j).collect::<Vec<f64>>();
    // equations have no units
    let si = |unit: &'static str| if run.coordinates { "" } else { unit };
    let (metre, newton) = (|_: &str| si("m").to_owned(), |_: &str| si("N").to_owned());
    let mut panels = vec![
        panel("closed", "Closed contacts").curve("closed contacts", "", column(0)),
        panel("pressing", "All contacts")
            .note("Sum of the normal forces, each the impulse of a step divided by the step.")
            .curve("sum of normal forces", si("N"), column(1)),
        panel("smallest-gap", "Smallest gap").curve("smallest gap", si("m"), column(2)),
    ];
    panels.extend([
        panel("gaps", "Gaps").table(&contacts.names, &contacts.gap, metre),
        panel("contact-forces", "Contact forces").table(&contacts.rows, &contacts.force, newton),
        impacts(run, limit),
    ]);
    panels
}

/// Impulses of the contacts that closed, at the ends of their steps.
fn impacts(run: &Run, limit: usize) -> Panel {
    let steps = &run.trajectory.steps;
    let mut impulses = vec![f64::NAN; steps.len()];
    for impact in &run.trajectory.contacts.impacts {
        let step = steps.partition_point(|step| step.t < impact.t);
        if let Some(sum) = impulses.get_mut(step) {
            *sum = impact.impulse + if sum.is_nan() { 0.0 } else { *sum };
        }
    }
    Panel::new("impacts", "Impacts", Grid::Steps, limit)
        .note("Normal impulses of the contacts that close in a step; each is in events.csv.")
        .curve("impulse", if run.coordinates { "" } else { "N s" }, impulses)
        .style(Style::Marks)
}

fn energies(run: &Run, limit: usize) -> Vec<Panel> {
    let energy = &run.trajectory.energy;
    let unit = run.units.energy.as_str();
    let column = |j| match j < energy.width() {
        true => energy.column(j).collect::<Vec<f64>>(),
        false => Vec::new(),
    };
    let (kinetic, potential, work) = (column(0), column(1), column(2));
    let total: Vec<f64> = kinetic.iter().zip(&potential).map(|(t, v)| t + v).collect();
    let start = total.first().zip(work.first()).map_or(f64::NAN, |(e, w)| e - w);
    let defect = total.iter().zip(&work).map(|(e, w)| e - w - start).collect();
    vec![
        Panel::new("energy", "Energy", Grid::Recorded, limit)
            .curve("kinetic", unit, kinetic)
            .curve("potential", unit, potential)
            .curve("kinetic + potential", unit, total)
            .curve("work of loads, dampers and drives", unit, work),
        Panel::new("defect", "Energy defect", Grid::Recorded, limit)
            .note("E(t) − E(0) − work: zero for the exact solution.")
            .curve("defect", unit, defect),
    ]
}

fn residuals(run: &Run, limit: usize) -> Vec<Panel> {
    let mut panel = Panel::new("residuals", "Constraint residuals", Grid::Recorded, limit)
        .log()
        .note("Largest violation at each level; a gap means exactly zero.");
    for (j, level) in RESIDUALS.iter().enumerate() {
        panel = panel.curve(level, "", run.trajectory.residuals.column(j).collect());
    }
    vec![panel]
}

fn steps(run: &Run, limit: usize) -> Vec<Panel> {
    let column = |f: fn(&StepRecord) -> f64| run.trajectory.steps.iter().map(f).collect::<Vec<_>>();
    let panel = |id: &str, title: &str| Panel::new(id, title, Grid::Steps, limit);
    let rejected = column(|s| if s.rejected > 0 { s.rejected as f64 } else { f64::NAN });
    let mut panels = vec![
        panel("steps", "Step size").log().curve("step size", &run.units.time, column(|s| s.h)),
        panel("error", "Local error").log().note(error_note(run)).curve(
            "local error",
            "",
            column(|s| s.error),
        ),
        panel("iterations", "Newton iterations per step")
            .curve("iterations", "", column(|s| s.iterations as f64))
            .curve("factorised matrices", "", column(|s| s.factorisations as f64)),
        panel("rejected", "Rejected attempts")
            .note("Attempts given up before the step that was accepted.")
            .curve("rejected attempts", "", rejected)
            .style(Style::Marks),
    ];
    if run.trajectory.steps.iter().any(|step| step.order != run.trajectory.steps[0].order) {
        panels.push(panel("order", "Order").curve("order", "", column(|s| s.order as f64)));
    }
    for panel in panels.iter_mut().filter(|panel| panel.style == Style::Line) {
        panel.style = Style::Stairs;
    }
    panels
}

fn error_note(run: &Run) -> &'static str {
    match run.settings.control {
        StepControl::Tolerance(_) => "Estimate divided by the tolerance: accepted below 1.",
        _ => "Estimate; it does not steer runs with fixed steps.",
    }
}
