//! Unilateral constraints: what may touch, bounce and rub, but never overlap.
//!
//! They need a formulation with impacts (`nonsmooth`, `moreau-jean`). Soft contact is a force:
//! [`force::Contact`](crate::force::Contact).
//!
//! | file | content |
//! |---|---|
//! | `add` | contacts in a model |
//! | `law` | restitution and friction |
//! | `pairs` | gaps and slips of points, spheres and planes, exact at every level |
//! | `slip` | sliding velocities |
//! | `clearance` | a pin in a hole, a ball in a socket |
//! | `between` | contacts of two surfaces |
//! | `candidates` | lists of contacts that change on the way |
//! | `chain`, `piece`, `nearest` | a beam's surface between its nodes, with spheres and other beams |
//! | `spheres` | many spheres and planes with a broad phase |
//! | `solids` | boxes, cylinders, capsules and meshes with each other |
//! | `skeleton`, `features` | their corners, edges and faces, and which of them meet |
//! | `manifold`, `solid`, `rim` | cylinders, by the collision library, and their rims on planes |
//! | `found`, `edges` | what touches at a place, and its contact |
//!
//! A contact is a [`Constraint`] whose first row is the gap and whose further rows are sliding
//! velocities; so its derivatives along body variations are those of any other constraint.

mod add;
mod between;
mod candidates;
mod chain;
mod clearance;
mod edges;
mod features;
mod found;
mod law;
mod manifold;
mod nearest;
mod pairs;
mod piece;
mod rim;
mod skeleton;
mod slip;
mod solid;
mod solids;
mod spheres;

pub use between::{Contacts, between};
pub use candidates::CandidateList;
pub use chain::Chain;
pub use clearance::{Clearance, Hole};
pub use law::ImpactLaw;
pub(crate) use nearest::{Nearest, nearest};
pub use pairs::{sphere_in_sphere, sphere_on_plane, spheres};
pub(crate) use piece::Piece;
pub(crate) use solid::Solid;
pub use solids::Solids;
pub use spheres::{Sphere, Spheres};

use crate::constraint::Constraint;
use crate::error::{ModelError, Refusal, refusal};
use crate::measure::Measure;
use crate::passing::Passing;
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::{Contact, Level};

/// One contact: a gap that stays open or closes, and how the bodies slide while it is closed.
#[derive(Clone, Debug)]
pub struct Unilateral {
    normal: Box<dyn Constraint>,
    slip: Option<Box<dyn Constraint>>,
    law: ImpactLaw,
    /// The sphere of the second body that touches, if it is one.
    sphere: Option<Sphere>,
    /// The solids, if they might pass through each other unseen.
    passing: Option<Passing>,
}

impl Unilateral {
    /// A contact from its gap, a holonomic row, and its sliding velocities, one or two nonholonomic
    /// rows at right angles on the same nodes. Without friction the slip is not needed.
    pub fn new(
        normal: Box<dyn Constraint>,
        slip: Option<Box<dyn Constraint>>,
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        let invalid = |what: Refusal| Err(ModelError::invalid("contact", what));
        if normal.rows() != 1 || !normal.holonomic() {
            return invalid("its gap must be one equation between positions".into());
        }
        if law.friction == 0.0 {
            return Ok(Unilateral { normal, slip: None, law, sphere: None, passing: None });
        }
        let Some(slip) = slip else {
            return invalid(refusal!("friction needs a sliding velocity"; "set the friction to 0"));
        };
        if slip.nodes() != normal.nodes() || !(1..=2).contains(&slip.rows()) {
            return invalid(
                "its one or two sliding velocities must be of the nodes of its gap".into(),
            );
        }
        Ok(Unilateral { normal, slip: Some(slip), law, sphere: None, passing: None })
    }

    /// The same, with the sphere of the second body that touches, by which the place is known.
    pub(crate) fn touching_with(self, sphere: Sphere) -> Self {
        Unilateral { sphere: Some(sphere), ..self }
    }

    /// The same between two solids that might pass through each other.
    pub(crate) fn of_solids(self, passing: Option<Passing>) -> Self {
        Unilateral { passing, ..self }
    }

    /// The solids, if they might pass through each other unseen.
    pub(crate) fn passing(&self) -> Option<&Passing> {
        self.passing.as_ref()
    }

    /// The law as the integrators know it.
    pub fn contact(&self) -> Contact {
        let directions = self.slip.as_ref().map_or(0, |slip| slip.rows());
        let ImpactLaw { restitution, friction } = self.law;
        Contact { restitution, friction, tangential_restitution: 0.0, directions }
    }
}

impl Constraint for Unilateral {
    fn nodes(&self) -> &[usize] {
        self.normal.nodes()
    }

    fn rows(&self) -> usize {
        1 + self.slip.as_ref().map_or(0, |slip| slip.rows())
    }

    fn position_rows(&self) -> usize {
        1
    }

    fn works(&self) -> bool {
        true
    }

    fn describe(&self, row: usize) -> String {
        match (&self.slip, row) {
            (Some(slip), 1..) => slip.describe(row - 1),
            _ => self.normal.describe(0),
        }
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        let (gap, rest) = out.split_at_mut(1);
        self.normal.residual(level, scene, gap);
        if let (Some(slip), Level::Velocity | Level::Acceleration) = (&self.slip, level) {
            slip.residual(level, scene, rest);
        }
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (gap, rest) = out.split_at_mut(scene.nodes.len());
        self.normal.gradient(scene, gap);
        if let Some(slip) = self.slip.as_ref().filter(|_| !rest.is_empty()) {
            slip.gradient(scene, rest);
        }
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (gap, rest) = out.split_at_mut(scene.nodes.len());
        self.normal.rate_gradient(scene, gap);
        if let Some(slip) = &self.slip {
            slip.rate_gradient(scene, rest);
        }
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (gap, rest) = out.split_at_mut(scene.nodes.len());
        self.normal.acceleration_gradient(scene, gap);
        if let Some(slip) = &self.slip {
            slip.acceleration_gradient(scene, rest);
        }
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (gap, rest) = out.split_at_mut(scene.nodes.len());
        self.normal.acceleration_velocity(scene, gap);
        if let Some(slip) = &self.slip {
            slip.acceleration_velocity(scene, rest);
        }
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        self.normal.reaction(scene, &multipliers[..1], out);
        if let Some(slip) = &self.slip {
            slip.reaction(scene, &multipliers[1..], out);
        }
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        self.normal.curvature(scene, &multipliers[..1], blocks);
        // open contacts, the most of all, have no friction
        if let Some(slip) =
            self.slip.as_ref().filter(|_| multipliers[1..].iter().any(|m| *m != 0.0))
        {
            slip.curvature(scene, &multipliers[1..], blocks);
        }
    }

    fn touching(&self) -> Option<&Sphere> {
        self.sphere.as_ref()
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        let slip = self.slip.iter_mut().flat_map(|slip| slip.measures_mut());
        Box::new(self.normal.measures_mut().chain(slip))
    }
}
