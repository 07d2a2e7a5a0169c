//! Beams, as they bend.

use super::{Cut, Form, Lain, Outline, Part, Sketch, Tube};
use crate::body::Body;
use crate::marker::Marker;
use nalgebra::Vector3;
use rotula_lie::Frame;

/// Turn between two nodes, in radians, that one straight piece may stand for.
const TURN: f64 = 0.1;
/// Most pieces between two nodes.
const MOST_PIECES: f64 = 32.0;
/// Most parts between nodes of a beam in a picture.
const MOST_SHOWN: usize = 64;
/// Pieces of a whole beam in an animation, at least, and the radius of a line without a section as a share of its
/// length.
const PIECES: usize = 24;
const SLENDER: f64 = 0.005;

impl Lain {
    /// Whether a node is one of its own. Bodies may serve as its ends; the others were laid one behind the other.
    fn has(&self, node: usize) -> bool {
        let [first, inner @ .., last] = &self.nodes[..] else { return false };
        [first, last].iter().any(|end| end.node == node)
            || inner.binary_search_by_key(&node, |marker| marker.node).is_ok()
    }

    /// Gaps between nodes that one section serves: all, or those of an element.
    fn gaps_of_cut(&self) -> usize {
        (self.nodes.len() - 1) / self.cuts.len()
    }
}

impl Sketch {
    /// Nodes that are not recorded unless they are named: those of beams but the ends, and amplitudes of
    /// flexible bodies.
    pub fn inner_nodes(&self) -> Vec<usize> {
        let inner = |lain: &Lain| lain.nodes[1..lain.nodes.len() - 1].to_vec();
        let beams = self.beams.iter().flat_map(inner).map(|marker| marker.node);
        beams.chain(self.flexible.iter().flat_map(|body| body.laid.amplitudes.clone())).collect()
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

    /// The beam of which a body is but a node.
    pub fn beam_of_node(&self, node: usize, body: &Body) -> Option<&Lain> {
        // the ground may hold a beam, but is no part of it
        if node == 0 || body.mass.mass != 0.0 || !body.shapes.is_empty() {
            return None;
        }
        self.beams.iter().find(|lain| lain.has(node))
    }

    /// Whether a body is but a node of a beam.
    pub(super) fn is_node_of_beam(&self, node: usize, body: &Body) -> bool {
        self.beam_of_node(node, body).is_some()
    }

    /// Draws beams along the helices between their nodes, bars and cables straight.
    pub(super) fn draw_beams(&self, frame: &impl Fn(usize) -> Frame, parts: &mut Vec<Part>) {
        for lain in &self.beams {
            let body = Sketch::body_of_beam(&lain.nodes);
            let frames = frames_of(lain, frame);
            // of a fine beam every second, third, … node will do
            let stride = (frames.len() - 1).div_ceil(MOST_SHOWN);
            let last = frames.len() - 1;
            let shown: Vec<Frame> =
                (0..last).step_by(stride).chain([last]).map(|k| frames[k]).collect();
            for pair in shown.windows(2) {
                let turn = pair[1].seen_from(&pair[0]).orientation.angle();
                let pieces = (turn / TURN).ceil().clamp(1.0, MOST_PIECES);
                for k in 0..pieces as usize {
                    let at = |k: usize| pair[0].interpolate(&pair[1], k as f64 / pieces).position;
                    parts.push(Part { body, form: Form::Bar([at(k), at(k + 1)]) });
                }
            }
            let middle = frames[frames.len() / 2].position;
            parts.push(Part { body, form: Form::Name(middle, lain.name.clone()) });
        }
    }

    /// The beams of an animation, without points so far.
    pub fn tubes(&self, frame: &impl Fn(usize) -> Frame) -> Vec<Tube> {
        let of_beam = |lain: &Lain| {
            let (nodes, frames) = (&lain.nodes, frames_of(lain, frame));
            let length: f64 =
                frames.windows(2).map(|pair| (pair[1].position - pair[0].position).norm()).sum();
            let tube = |cut: &Cut| Tube {
                body: Sketch::body_of_beam(nodes),
                outline: cut.outline.clone().unwrap_or(Outline::Round(SLENDER * length)),
                count: lain.gaps_of_cut() * pieces(nodes) + 1,
                points: Vec::new(),
                across: Vec::new(),
                fields: cut.fields(lain.piece.is_some()),
            };
            lain.cuts.iter().map(tube).collect::<Vec<_>>()
        };
        self.beams.iter().flat_map(of_beam).collect()
    }

    /// Adds the points of all beams at a time, with the loads there.
    pub fn bend_tubes(&self, frame: &impl Fn(usize) -> Frame, tubes: &mut [Tube]) {
        let stretches = self.beams.iter().flat_map(|lain| {
            let frames = frames_of(lain, frame);
            let gaps = lain.gaps_of_cut();
            let stretch =
                move |(k, cut)| (lain, cut, k * gaps, frames[k * gaps..][..=gaps].to_vec());
            lain.cuts.iter().enumerate().map(stretch)
        });
        for ((lain, cut, first, frames), tube) in stretches.zip(tubes) {
            let pieces = pieces(&lain.nodes);
            let turned = matches!(tube.outline, Outline::Corners(_));
            let add = |tube: &mut Tube, at: &Frame, loads: &[f64]| {
                tube.points.push(at.position);
                if turned {
                    tube.across.push(at.orientation.rotate(&Vector3::y()));
                }
                for (field, load) in tube.fields.iter_mut().zip(loads) {
                    field.values.push(*load);
                }
            };
            let mut loads = Vec::new();
            for (k, pair) in frames.windows(2).enumerate() {
                loads = match lain.piece {
                    Some(piece) => {
                        let length = (pair[1].position - pair[0].position).norm();
                        cut.in_strand(length / piece - 1.0)
                    }
                    None => cut.in_beam(pair, &lain.rest[first + k]),
                };
                for k in 0..pieces {
                    add(tube, &pair[0].interpolate(&pair[1], k as f64 / pieces as f64), &loads);
                }
            }
            if let Some(end) = frames.last() {
                add(tube, end, &loads);
            }
        }
    }
}

/// The frames of the nodes of a beam; those of bars and cables do not turn.
fn frames_of(lain: &Lain, frame: &impl Fn(usize) -> Frame) -> Vec<Frame> {
    let at = |marker: &Marker| {
        let frame = frame(marker.node) * marker.frame;
        match lain.piece {
            Some(_) => Frame::new(frame.position, Default::default()),
            None => frame,
        }
    };
    lain.nodes.iter().map(at).collect()
}

/// Pieces between two nodes of a beam in an animation.
fn pieces(nodes: &[Marker]) -> usize {
    PIECES.div_ceil(nodes.len() - 1)
}
