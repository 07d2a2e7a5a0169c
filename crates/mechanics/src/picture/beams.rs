//! Beams, as they bend.

use super::{Form, Part, Sketch};
use crate::assembly::Assembly;
use crate::body::Body;
use crate::marker::Marker;
use rotula_lie::Frame;

/// Turn between two nodes, in radians, that one straight piece may stand for.
const TURN: f64 = 0.1;
/// Most pieces between two nodes.
const MOST_PIECES: f64 = 32.0;

impl Sketch {
    /// Nodes of beams that are not recorded unless they are named: all but the ends.
    pub fn inner_nodes(&self) -> Vec<usize> {
        let inner = |nodes: &Vec<Marker>| nodes[1..nodes.len() - 1].to_vec();
        self.beams.iter().flat_map(|(_, nodes)| inner(nodes)).map(|marker| marker.node).collect()
    }

    /// The body that stands for a beam in pictures: a node that other bodies do not serve as, if there
    /// is one.
    pub fn body_of_beam(nodes: &[Marker]) -> usize {
        match nodes {
            [_, inner, _, ..] => inner.node,
            [first, last] if first.node == 0 => last.node,
            [first, ..] => first.node,
            [] => 0,
        }
    }

    /// Whether a body is but a node of a beam.
    pub(super) fn is_node_of_beam(&self, node: usize, body: &Body) -> bool {
        let own = |marker: &Marker| marker.node == node;
        body.mass.mass == 0.0
            && body.shapes.is_empty()
            && self.beams.iter().any(|(_, nodes)| nodes.iter().any(own))
    }

    /// Draws beams along the helices between their nodes.
    pub(super) fn draw_beams(&self, assembly: &Assembly, q: &[f64], parts: &mut Vec<Part>) {
        for (name, nodes) in &self.beams {
            let body = Sketch::body_of_beam(nodes);
            let frames: Vec<Frame> = nodes
                .iter()
                .map(|marker| assembly.node_frame(marker.node, q) * marker.frame)
                .collect();
            for pair in frames.windows(2) {
                let turn = pair[1].seen_from(&pair[0]).orientation.angle();
                let pieces = (turn / TURN).ceil().clamp(1.0, MOST_PIECES);
                for k in 0..pieces as usize {
                    let at = |k: usize| pair[0].interpolate(&pair[1], k as f64 / pieces).position;
                    parts.push(Part { body, form: Form::Bar([at(k), at(k + 1)]) });
                }
            }
            let middle = frames[frames.len() / 2].position;
            parts.push(Part { body, form: Form::Name(middle, name.clone()) });
        }
    }
}
