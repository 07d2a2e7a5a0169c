//! The problems on which methods are compared: system, start, interval, and positions at its end.

use super::method::method;
use crate::entry::GalleryError;
use crate::problems::andrews::{self, andrews};
use crate::problems::rods::{self, Coordinates};
use crate::problems::spatial_slider_crank::slider_crank;
use crate::study::{largest, run_watched};
use rotula_dae::{Outcome, Output, Settings, State, System};
use rotula_model::equations::Model;

const PENDULUM: &str = include_str!("../../../../gallery/hht-alternating/model.toml");
const PD_LOOP: &str = include_str!("../../../../gallery/pd-loop/model.toml");
const MINIMAL: &str = include_str!("../../../../gallery/hht-orders/model.toml");

/// A problem with known positions at the end of its interval.
pub struct Case {
    /// Name in tables and figures.
    pub name: &'static str,
    /// The equations.
    pub system: Box<dyn System>,
    /// Start.
    pub initial: State,
    /// End of the interval.
    pub until: f64,
    /// Numbers of the configuration that are compared, with their exact values.
    pub positions: Vec<(usize, f64)>,
    /// The same numbers at the instants of [`Case::instants`], once they are needed.
    path: Option<Vec<f64>>,
}

/// Instants at which a whole path is compared.
const INSTANTS: usize = 20;

impl Case {
    fn new(
        name: &'static str,
        (system, initial): (impl System + 'static, State),
        until: f64,
        positions: impl IntoIterator<Item = (usize, f64)>,
    ) -> Self {
        let positions = positions.into_iter().collect();
        Case { name, system: Box::new(system), initial, until, positions, path: None }
    }

    /// Instants at which a whole path is compared.
    pub fn instants(&self) -> Vec<f64> {
        (1..=INSTANTS).map(|i| self.until * i as f64 / INSTANTS as f64).collect()
    }

    /// Largest deviation at [`Case::instants`], at which the outcome must have been recorded. Unlike
    /// the deviation at the end it is not small by chance. The exact path is computed once, by `bdf`
    /// with a tolerance of 1e-12.
    pub fn path_error(&mut self, outcome: &Outcome) -> Result<f64, GalleryError> {
        let path = match self.path.take() {
            Some(path) => path,
            None => {
                let mut settings = method("bdf si2")?.tolerance(1e-12, self.until);
                settings.output = Output::At(self.instants());
                let exact = self.run(&settings)?;
                self.recorded(&exact)
            }
        };
        let pairs = self.recorded(outcome).into_iter().zip(&path);
        let error = largest(pairs.map(|(ours, exact)| (ours - exact).abs()));
        self.path = Some(path);
        Ok(error)
    }

    /// The compared numbers at every recorded instant.
    fn recorded(&self, outcome: &Outcome) -> Vec<f64> {
        let q = &outcome.trajectory.q;
        let rows = (0..outcome.trajectory.len()).map(|row| q.row(row));
        rows.flat_map(|row| self.positions.iter().map(|&(i, _)| row[i])).collect()
    }

    /// Runs the problem; a failure on the way is an error.
    pub fn run(&mut self, settings: &Settings) -> Result<Outcome, GalleryError> {
        run_watched(&mut *self.system, &self.initial, settings, &mut ())
    }

    /// Largest deviation of a position from its exact value.
    pub fn error(&self, state: &State) -> f64 {
        let deviations = self.positions.iter().map(|&(i, exact)| (state.q[i] - exact).abs());
        largest(deviations)
    }
}

/// Andrews' squeezing mechanism.
pub fn andrews_squeezer() -> Case {
    let exact = [
        15.8107711952,
        -15.7563710584,
        0.0408222401196,
        -0.534730116342,
        0.52440996588,
        0.534730116342,
        1.04808074104,
    ];
    Case::new("Andrews", andrews(), andrews::END, exact.into_iter().enumerate())
}

/// The rod pendulum; its exact angle follows from an elliptic integral.
pub fn rod(coordinates: Coordinates) -> Case {
    let angle: f64 = 0.0326973425726;
    let exact = [0.5 * angle.cos(), 0.0, -0.5 * angle.sin()];
    Case::new("rod", rods::rod(coordinates), 2.0, exact.into_iter().enumerate())
}

/// The spatial double pendulum until `t = 2`.
pub fn double_pendulum(coordinates: Coordinates) -> Case {
    let upper = [0.330289544309, 0.0, -0.375378231814];
    let lower = [0.944797493447, -0.254714347215, -1.0737742645];
    let second = if coordinates == Coordinates::Quaternion { 7 } else { 6 };
    let positions = upper.into_iter().enumerate();
    let positions = positions.chain(lower.into_iter().enumerate().map(|(i, x)| (second + i, x)));
    Case::new("double pendulum", rods::double_pendulum(coordinates), 2.0, positions)
}

/// The spatial slider crank until `t = 1`.
pub fn spatial_slider_crank(coordinates: Coordinates) -> Case {
    let slider = if coordinates == Coordinates::Quaternion { 14 } else { 12 };
    Case::new("slider crank", slider_crank(coordinates), 1.0, [(slider, 0.208308704612)])
}

/// The pendulum in Cartesian coordinates until `t = 1`.
pub fn pendulum() -> Result<Case, GalleryError> {
    let exact = [(0, -0.986291751132), (1, -0.165010853125)];
    Ok(Case::new("pendulum", parse(PENDULUM)?, 1.0, exact))
}

/// The double pendulum in minimal coordinates until `t = 1`.
pub fn minimal_double_pendulum() -> Result<Case, GalleryError> {
    let exact = [(0, -0.625087699806), (1, -1.03458508568)];
    Ok(Case::new("minimal double pendulum", parse(MINIMAL)?, 1.0, exact))
}

/// The rod under PD control until `t = 3`; its angle is compared.
pub fn pd_loop() -> Result<Case, GalleryError> {
    Ok(Case::new("PD loop", parse(PD_LOOP)?, 3.0, [(2, -1.99707979496)]))
}

fn parse(text: &str) -> Result<(impl System + 'static, State), GalleryError> {
    let model = Model::parse(text, "model.toml", &[])
        .map_err(|error| GalleryError::Model(error.to_string()))?;
    Ok((model.system(), model.initial_state()))
}
