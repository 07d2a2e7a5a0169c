//! An elastic body: a checked mesh, its degrees of freedom and its matrices.

use crate::check::check;
use crate::error::{MeshError, Place};
use crate::factor::{Factor, FactorError};
use crate::freedom::Freedom;
use crate::loose::{Loose, loose};
use crate::matrices::Matrices;
use crate::mesh::Mesh;
use crate::modes::{Modes, ModesError, Wanted, modes};
use nalgebra::DMatrix;

/// Residual that a static solution must have, relative to the sizes of its terms.
const SOLVED: f64 = 1e-8;

/// Part of the products that cancel in the energy of a motion which rounding leaves.
const NO_ENERGY: f64 = 3e-15;

/// An elastic body.
#[derive(Clone, Debug)]
pub struct Body {
    /// The mesh.
    pub mesh: Mesh,
    /// Its degrees of freedom.
    pub freedom: Freedom,
    /// Stiffness and mass of the free components.
    pub matrices: Matrices,
}

/// A force or moment on a component of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Index of the node.
    pub node: usize,
    /// Component: forces 0 to 2, moments 3 to 5.
    pub component: usize,
    /// Newtons or newton metres.
    pub value: f64,
}

impl Body {
    /// Checks a mesh and assembles its matrices. The `kept` nodes are interfaces: their components
    /// stay free.
    pub fn new(mesh: Mesh, kept: &[usize]) -> Result<Body, MeshError> {
        check(&mesh)?;
        let freedom = Freedom::new(&mesh, kept)?;
        if freedom.count() == 0 {
            let help = "leave something to move";
            return Err(mesh.fault(Place::NOWHERE, "supports hold every node of the mesh", help));
        }
        let matrices = Matrices::assemble(&mesh, &freedom)?;
        Ok(Body { mesh, freedom, matrices })
    }

    /// Displacements of all components under loads.
    pub fn displacement(&self, loads: &[Load]) -> Result<Vec<f64>, MeshError> {
        let mut forces = vec![0.0; self.freedom.components()];
        for load in loads {
            let Some(component) = self.freedom.component(load.node, load.component) else {
                let label = self.mesh.nodes[load.node].label;
                let message = format!("the load on node {label} acts on a component it has not");
                let help = "load nodes of elements; solids take forces, not moments";
                return Err(self.mesh.fault(Place::NOWHERE, message, help));
            };
            forces[component] += load.value;
        }
        let gathered = self.freedom.gather(&forces);
        let right = DMatrix::from_column_slice(gathered.len(), 1, &gathered);
        let solution = self.solve(&self.matrices, &right, |unknown| unknown)?;
        Ok(self.freedom.expand(solution.as_slice()))
    }

    /// Solves K x = b for a part of the matrices; `whole` gives the free component of an unknown.
    pub(crate) fn solve(
        &self,
        matrices: &Matrices,
        right: &DMatrix<f64>,
        whole: impl Fn(usize) -> usize,
    ) -> Result<DMatrix<f64>, MeshError> {
        let factor =
            Factor::new(matrices, 0.0).map_err(|error| self.explain(error, matrices, &whole))?;
        let mut solution = right.clone();
        factor.solve(&mut solution);
        let rest = right - matrices.stiffness_times(&solution);
        let mut correction = rest.clone();
        factor.solve(&mut correction);
        solution += &correction;
        for (change, column) in correction.column_iter().zip(solution.column_iter()) {
            if change.norm() > SOLVED * column.norm() {
                let message = "the stiffness is nearly singular: solutions are not reliable";
                let help = "look for parts held by nearly nothing, or stiffnesses of very \
                            different size";
                return Err(self.mesh.fault(Place::NOWHERE, message, help));
            }
        }
        Ok(solution)
    }

    /// Modes of the whole body.
    pub fn modes(&self, wanted: Wanted) -> Result<Modes, MeshError> {
        self.modes_of(&self.matrices, wanted, |unknown| unknown)
    }

    pub(crate) fn modes_of(
        &self,
        matrices: &Matrices,
        wanted: Wanted,
        whole: impl Fn(usize) -> usize,
    ) -> Result<Modes, MeshError> {
        modes(matrices, wanted).map_err(|error| match error {
            ModesError::Singular { unknown } => {
                self.explain(FactorError::Singular { unknown }, matrices, &whole)
            }
            ModesError::TooLarge => self.explain(FactorError::TooLarge, matrices, &whole),
            ModesError::NotConverged => {
                let message = "the modes were not found to full accuracy";
                let help = "ask for fewer modes, and look for stiffnesses of very different size";
                self.mesh.fault(Place::NOWHERE, message, help)
            }
        })
    }

    /// Says what moves freely besides some known motions, if the lowest motion that is left has no
    /// energy.
    pub(crate) fn refuse_loose(
        &self,
        known: Option<&DMatrix<f64>>,
        lowest: &DMatrix<f64>,
    ) -> Result<(), MeshError> {
        let energy = |x: &DMatrix<f64>| {
            let force = self.matrices.stiffness_times(x);
            let size = self.matrices.stiffness_size(x);
            x.dot(&force).abs() / size.max(f64::MIN_POSITIVE)
        };
        // what rounding makes of motions that have none
        let none = known.map_or(0.0, |known| {
            let each = known.column_iter().map(|c| energy(&DMatrix::from_columns(&[c])));
            each.fold(0.0, f64::max)
        });
        if energy(lowest) > (10.0 * none).max(NO_ENERGY) {
            return Ok(());
        }
        match loose(self, &self.matrices, |unknown| unknown, known) {
            Some(found) => Err(self.loose_fault(found)),
            None => Ok(()),
        }
    }

    fn loose_fault(&self, found: Loose) -> MeshError {
        let message = format!("the stiffness is singular: {}", found.words);
        self.mesh.fault(self.mesh.elements[found.element].place, message, found.help)
    }

    fn explain(
        &self,
        error: FactorError,
        matrices: &Matrices,
        whole: &impl Fn(usize) -> usize,
    ) -> MeshError {
        if let FactorError::Singular { .. } = error
            && let Some(found) = loose(self, matrices, whole, None)
        {
            return self.loose_fault(found);
        }
        match error {
            FactorError::Singular { unknown } => {
                let free = whole(unknown);
                let (node, _) = self.freedom.owner(free);
                let message = format!(
                    "the stiffness is singular: nothing holds {}",
                    self.freedom.free_words(&self.mesh, free)
                );
                let help = match self.mesh.supports.is_empty() {
                    true => "the mesh has no supports: hold it against all six rigid motions",
                    false => "add supports, or tie the part that can move freely",
                };
                self.mesh.fault(self.mesh.nodes[node].place, message, help)
            }
            FactorError::TooLarge => {
                let message = format!("{} unknowns do not fit into memory", self.freedom.count());
                self.mesh.fault(Place::NOWHERE, message, "use a coarser mesh")
            }
        }
    }
}
