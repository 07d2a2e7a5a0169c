//! Which curves the report shows, in which panels.

use crate::columns::RESIDUALS;
use crate::run::Run;
use rotula_dae::{StepControl, StepRecord, Table};

/// Most curves of one panel; a page with more could not be read, and all are in the tables.
pub(crate) const MAX_CURVES: usize = 200;

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
    /// Its values over the grid of the panel.
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
}

impl Panel {
    fn new(id: &str, title: &str, grid: Grid) -> Self {
        let (note, style) = (String::new(), Style::Line);
        let (id, title) = (id.to_owned(), title.to_owned());
        Panel { id, title, note, log: false, style, grid, curves: Vec::new() }
    }

    fn log(mut self) -> Self {
        self.log = true;
        for curve in &mut self.curves {
            // A logarithm has no place for zero: leave a gap.
            for value in &mut curve.values {
                *value = if *value != 0.0 { value.abs() } else { f64::NAN };
            }
        }
        self
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
        self.curves.push(Curve { name: name.into(), unit: unit.into(), values });
        self
    }

    fn table(mut self, names: &[String], table: &Table, unit: impl Fn(&str) -> String) -> Self {
        for (j, name) in names.iter().enumerate().take(MAX_CURVES) {
            let values = table.column(j).collect();
            self.curves.push(Curve { name: name.clone(), unit: unit(name), values });
        }
        if names.len() > MAX_CURVES {
            self.note = format!(
                "The first {MAX_CURVES} of {} curves; all are in the table of the trajectory.",
                names.len()
            );
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
    let mut panels = motion(run);
    panels.extend(energies(run));
    panels.extend(residuals(run));
    panels.extend(steps(run));
    panels.retain_mut(Panel::worth_showing);
    panels
}

fn motion(run: &Run) -> Vec<Panel> {
    let (trajectory, names, units) = (run.trajectory, &run.trajectory.names, &run.units);
    let unit = |name: &str| units.columns.get(name).cloned().unwrap_or_default();
    let rate = |name: &str, order: &str| match unit(name) {
        unit if unit.is_empty() || units.time.is_empty() => String::new(),
        unit => format!("{unit}/{}{order}", units.time),
    };
    let panel = |id: &str, title: &str| Panel::new(id, title, Grid::Recorded);
    let mut panels =
        vec![panel("extra", "Outputs").table(&run.extra.names, &run.extra.table, unit)];
    for (k, curves) in run.curves.iter().enumerate() {
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

fn energies(run: &Run) -> Vec<Panel> {
    let energy = &run.trajectory.energy;
    let unit = run.units.energy.as_str();
    let column = |j| energy.column(j).collect::<Vec<f64>>();
    let (kinetic, potential, work) = (column(0), column(1), column(2));
    let total: Vec<f64> = kinetic.iter().zip(&potential).map(|(t, v)| t + v).collect();
    let start = total.first().zip(work.first()).map_or(f64::NAN, |(e, w)| e - w);
    let defect = total.iter().zip(&work).map(|(e, w)| e - w - start).collect();
    vec![
        Panel::new("energy", "Energy", Grid::Recorded)
            .curve("kinetic", unit, kinetic)
            .curve("potential", unit, potential)
            .curve("kinetic + potential", unit, total)
            .curve("work of loads, dampers and drives", unit, work),
        Panel::new("defect", "Energy defect", Grid::Recorded)
            .note("E(t) − E(0) − work: zero for the exact solution.")
            .curve("defect", unit, defect),
    ]
}

fn residuals(run: &Run) -> Vec<Panel> {
    let mut panel = Panel::new("residuals", "Constraint residuals", Grid::Recorded)
        .note("Largest violation at each level; a gap means exactly zero.");
    for (j, level) in RESIDUALS.iter().enumerate() {
        panel = panel.curve(level, "", run.trajectory.residuals.column(j).collect());
    }
    vec![panel.log()]
}

fn steps(run: &Run) -> Vec<Panel> {
    let column = |f: fn(&StepRecord) -> f64| run.trajectory.steps.iter().map(f).collect::<Vec<_>>();
    let panel = |id: &str, title: &str| Panel::new(id, title, Grid::Steps);
    let rejected = column(|s| if s.rejected > 0 { s.rejected as f64 } else { f64::NAN });
    let mut panels = vec![
        panel("steps", "Step size").curve("step size", &run.units.time, column(|s| s.h)).log(),
        panel("error", "Local error")
            .note(error_note(run))
            .curve("local error", "", column(|s| s.error))
            .log(),
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
