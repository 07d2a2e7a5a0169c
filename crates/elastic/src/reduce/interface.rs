//! Frames at which a body is attached: a node with rotations, or a set of nodes with a new node at
//! its middle.

use crate::error::{MeshError, Place};
use crate::mesh::{Mesh, Tie, TieKind};
use nalgebra::Vector3;

/// Where a body is to be attached.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// What the frame is called.
    pub name: String,
    /// The number of a node, or the name of a set of nodes.
    pub at: String,
    /// True if a set moves rigidly with the frame (RBE2), false if the frame follows the mean of the
    /// set (RBE3).
    pub rigid: bool,
}

/// A frame of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// What it is called.
    pub name: String,
    /// Index of its node.
    pub node: usize,
}

/// Finds the nodes of attachments, and ties new nodes to sets.
pub fn attach(mesh: &mut Mesh, attachments: &[Attachment]) -> Result<Vec<Interface>, MeshError> {
    let mut interfaces: Vec<Interface> = Vec::new();
    for attachment in attachments {
        let name = attachment.name.clone();
        if interfaces.iter().any(|known| known.name == name) {
            let message = format!("two interfaces are called {name}");
            return Err(mesh.fault(Place::NOWHERE, message, "give each its own name"));
        }
        let node = node(mesh, attachment)?;
        if let Some(known) = interfaces.iter().find(|known| known.node == node) {
            let message = format!("interfaces {} and {name} are at one node", known.name);
            return Err(mesh.fault(Place::NOWHERE, message, "one interface serves several joints"));
        }
        interfaces.push(Interface { name, node });
    }
    Ok(interfaces)
}

fn node(mesh: &mut Mesh, attachment: &Attachment) -> Result<usize, MeshError> {
    let at = attachment.at.as_str();
    if let Some(node) = at.parse().ok().and_then(|label| mesh.node(label)) {
        return Ok(node);
    }
    let found = mesh.node_sets.iter().find(|(name, _)| name.eq_ignore_ascii_case(at));
    let Some((_, nodes)) = found else {
        let message = format!("interface {} is at {at}, no node and no set", attachment.name);
        let names: Vec<&str> = mesh.node_sets.keys().map(String::as_str).take(20).collect();
        let help = match names.is_empty() {
            true => "the mesh has no sets of nodes: give the number of a node".to_owned(),
            false => format!("give the number of a node, or one of the sets {}", names.join(", ")),
        };
        return Err(mesh.fault(Place::NOWHERE, message, help));
    };
    let mut nodes = nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    if let [only] = nodes[..] {
        return Ok(only);
    }
    let sum: Vector3<f64> = nodes.iter().map(|&node| mesh.nodes[node].position).sum();
    let label = mesh.unused_label();
    let reference = mesh.add_node(label, sum / nodes.len() as f64, Place::NOWHERE)?;
    let components = [true; 6];
    let kind = match attachment.rigid {
        true => TieKind::Rigid { reference, followers: nodes, components },
        false => {
            let followers = nodes.into_iter().map(|node| (node, 1.0)).collect();
            TieKind::Mean { reference, components, followers }
        }
    };
    let name = format!("interface {}", attachment.name);
    mesh.ties.push(Tie { name, kind, place: Place::NOWHERE });
    Ok(reference)
}
