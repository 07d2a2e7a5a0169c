//! Supports and ties as linear conditions between components of nodes.

use crate::error::MeshError;
use crate::freedom::{Condition, Freedom};
use crate::mesh::{Mesh, Tie, TieKind};
use nalgebra::{Matrix3, Vector3};

/// The components of a node, in words.
pub(crate) const COMPONENTS: [&str; 6] =
    ["along x", "along y", "along z", "about x", "about y", "about z"];

/// Nodes of a mean count as lying on a line below this ratio of their moments of inertia.
const ON_A_LINE: f64 = 1e-9;

/// All conditions of a mesh: supports first, since ties may lead to supported nodes.
pub(crate) fn conditions(mesh: &Mesh, freedom: &Freedom) -> Result<Vec<Condition>, MeshError> {
    let mut conditions = Vec::new();
    let mut held = vec![false; freedom.components()];
    for support in &mesh.supports {
        for i in (0..6).filter(|&i| support.components[i]) {
            // Supports often hold rotations of solids, which have none, or a component twice.
            let Some(component) = freedom.component(support.node, i) else { continue };
            if std::mem::replace(&mut held[component], true) {
                continue;
            }
            conditions.push(Condition {
                terms: vec![(component, 1.0)],
                dependent: component,
                name: format!("the support of node {}", mesh.nodes[support.node].label),
                place: support.place,
            });
        }
    }
    for tie in &mesh.ties {
        match &tie.kind {
            TieKind::Rigid { reference, followers, components } => {
                for &follower in followers {
                    rigid(mesh, freedom, tie, *reference, follower, *components, &mut conditions);
                }
            }
            TieKind::Mean { reference, components, followers } => {
                mean(mesh, freedom, tie, *reference, *components, followers, &mut conditions)?;
            }
            TieKind::Sum { terms } => conditions.push(sum(mesh, freedom, tie, terms)?),
        }
    }
    Ok(conditions)
}

/// Rows of the displacement at `arm` from a point that turns by a small rotation: θ × arm.
fn turning(arm: Vector3<f64>) -> Matrix3<f64> {
    -arm.cross_matrix()
}

fn rigid(
    mesh: &Mesh,
    freedom: &Freedom,
    tie: &Tie,
    reference: usize,
    follower: usize,
    components: [bool; 6],
    conditions: &mut Vec<Condition>,
) {
    let lead = |i| freedom.component(reference, i).expect("references have rotations");
    let arm = mesh.nodes[follower].position - mesh.nodes[reference].position;
    let turning = turning(arm);
    for i in (0..6).filter(|&i| components[i]) {
        let Some(component) = freedom.component(follower, i) else { continue };
        let mut terms = vec![(component, 1.0), (lead(i), -1.0)];
        if i < 3 {
            terms.extend((0..3).map(|k| (lead(3 + k), -turning[(i, k)])));
            terms.retain(|(_, c)| *c != 0.0);
        }
        conditions.push(Condition {
            terms,
            dependent: component,
            name: tie.name.clone(),
            place: tie.place,
        });
    }
}

/// The reference has the translation and rotation that fit those of the followers best, in the
/// sense of weighted least squares.
fn mean(
    mesh: &Mesh,
    freedom: &Freedom,
    tie: &Tie,
    reference: usize,
    components: [bool; 6],
    followers: &[(usize, f64)],
    conditions: &mut Vec<Condition>,
) -> Result<(), MeshError> {
    let total: f64 = followers.iter().map(|(_, weight)| weight).sum();
    if followers.iter().any(|(_, weight)| *weight < 0.0) || total <= 0.0 {
        let message = format!("{} has weights that are negative or all zero", tie.name);
        return Err(mesh.fault(tie.place, message, "give positive weights"));
    }
    let at = |node: usize| mesh.nodes[node].position;
    let centre: Vector3<f64> =
        followers.iter().map(|&(node, weight)| at(node) * (weight / total)).sum();
    let mut inertia = Matrix3::zeros();
    for &(node, weight) in followers {
        let arm = at(node) - centre;
        inertia += (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * weight;
    }
    let moments = inertia.symmetric_eigenvalues();
    let turns = components[3..].contains(&true) || (at(reference) - centre).norm() > 0.0;
    let inverse = match inertia.try_inverse() {
        Some(inverse) if moments.min() > ON_A_LINE * moments.max() => inverse,
        _ if !turns => Matrix3::zeros(),
        _ => {
            let message =
                format!("the nodes of {} lie on one line: they give no rotation", tie.name);
            let help = "add a node off the line, or tie the translations 123 at their centre only";
            return Err(mesh.fault(tie.place, message, help));
        }
    };
    let carried = turning(at(reference) - centre);
    for i in (0..6).filter(|&i| components[i]) {
        let Some(component) = freedom.component(reference, i) else { continue };
        let mut terms = vec![(component, 1.0)];
        for &(node, weight) in followers {
            // θ = J⁻¹ Σ w r × u,  u_ref = ū + θ × (x_ref − x̄)
            let rotation = inverse * (at(node) - centre).cross_matrix() * weight;
            let translation = Matrix3::identity() * (weight / total) + carried * rotation;
            for k in 0..3 {
                let value = if i < 3 { translation[(i, k)] } else { rotation[(i - 3, k)] };
                if value != 0.0 {
                    let Some(follower) = freedom.component(node, k) else {
                        return Err(unused(mesh, tie, node));
                    };
                    terms.push((follower, -value));
                }
            }
        }
        conditions.push(Condition {
            terms,
            dependent: component,
            name: tie.name.clone(),
            place: tie.place,
        });
    }
    Ok(())
}

fn sum(
    mesh: &Mesh,
    freedom: &Freedom,
    tie: &Tie,
    terms: &[(usize, usize, f64)],
) -> Result<Condition, MeshError> {
    let mut numbered = Vec::with_capacity(terms.len());
    for &(node, i, coefficient) in terms {
        let Some(component) = freedom.component(node, i) else {
            return Err(match i {
                0..3 => unused(mesh, tie, node),
                _ => {
                    let label = mesh.nodes[node].label;
                    let message = format!(
                        "{} uses node {label} {}, but the node has no rotations",
                        tie.name, COMPONENTS[i]
                    );
                    mesh.fault(tie.place, message, "use its translations, components 1 to 3")
                }
            });
        };
        numbered.push((component, coefficient));
    }
    let dependent = numbered.first().filter(|(_, c)| *c != 0.0).map(|(component, _)| *component);
    let Some(dependent) = dependent else {
        let message = format!("the first coefficient of {} is zero or missing", tie.name);
        return Err(mesh.fault(tie.place, message, "its first component depends on the others"));
    };
    Ok(Condition { terms: numbered, dependent, name: tie.name.clone(), place: tie.place })
}

fn unused(mesh: &Mesh, tie: &Tie, node: usize) -> MeshError {
    let label = mesh.nodes[node].label;
    let message = format!("{} uses node {label}, which belongs to no element", tie.name);
    mesh.fault(tie.place, message, "use nodes of the mesh")
}
