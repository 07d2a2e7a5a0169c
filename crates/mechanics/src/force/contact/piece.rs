//! Soft contact of a beam's surface between two of its nodes with a sphere or with such a piece of another beam.
//!
//! Gap and sliding velocities are those of rigid contact ([`unilateral`](crate::unilateral)), with their derivatives; the force is that of
//! [`ContactLaw`]. With the rows `g` of the gap and `s_k` of the slips
//!
//! ```text
//! wrench = gᵀ N(δ, δ̇) + s_kᵀ T_k,   δ = −gap,   T_k = −μ(s)/s N v_k,   s = √(v·v + ε²)
//! ```
//!
//! Where pieces of a beam meet, the place belongs to the piece that it lies within, and at the corner itself to the piece before: so each
//! place pushes once.

use super::ContactLaw;
use crate::constraint::Constraint;
use crate::error::{ModelError, refusal};
use crate::force::{Force, total_power};
use crate::marker::Marker;
use crate::quantity::{Ends, Quantity};
use crate::scene::Scene;
use crate::unilateral::{Nearest, Piece, nearest};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::Level;

/// Most nodes of a piece and what it touches.
const ENDS: usize = 4;
/// Sliding velocities.
const SLIPS: usize = 2;

/// A piece of a beam, or a sphere if it has one end.
#[derive(Clone, Debug)]
pub struct PieceSide {
    /// Its ends.
    pub ends: Vec<Marker>,
    /// The radius about it.
    pub radius: f64,
    /// Whether another piece comes before it.
    pub follows: bool,
    /// The far end of the piece after it.
    pub next: Option<Marker>,
}

/// Soft contact of a straight piece between two nodes of a beam: force and slopes stand at the head of this file.
#[derive(Clone, Debug)]
pub struct PieceContact {
    /// Of the ends, then of what comes after.
    nodes: Vec<usize>,
    arms: Vec<Vector3<f64>>,
    count: usize,
    follows: [bool; 2],
    /// Slots of the ends of the next pieces.
    next: [Option<usize>; 2],
    radii: [f64; 2],
    gap: Piece,
    slip: Piece,
    law: ContactLaw,
    ends: Ends,
}

/// What the surfaces do to each other where they press.
struct Press {
    normal: f64,
    /// Its slopes along gap and rate.
    by_gap: f64,
    by_rate: f64,
    slip: [f64; SLIPS],
    /// Tangential force over normal force and sliding velocity, and the slope of that along the speed, over the speed.
    over: f64,
    over_slope: f64,
}

impl PieceContact {
    /// Contact of a piece of a beam with a sphere or a piece of another beam.
    pub fn new(first: PieceSide, second: PieceSide, law: ContactLaw) -> Result<Self, ModelError> {
        law.validate()?;
        law.refuse_beyond_pieces()?;
        let radii = [first.radius, second.radius];
        let mut markers: Vec<Marker> = first.ends.iter().chain(&second.ends).copied().collect();
        if first.ends.len() != 2 || !(1..=2).contains(&second.ends.len()) {
            return Err(ModelError::invalid("contact", "a piece has two ends, and a sphere one"));
        }
        if !(radii.iter().all(|radius| *radius >= 0.0) && radii[0] + radii[1] > 0.0) {
            let what =
                refusal!("its radii are {} and {} m", radii[0], radii[1]; "give positive ones");
            return Err(ModelError::invalid("contact", what));
        }
        let count = markers.len();
        let piece = |slips| Piece::of(&markers, radii, slips);
        let (gap, slip) = (piece(0), piece(SLIPS));
        let ends = Ends::between(markers[0], markers[2]);
        let mut next = [None; 2];
        for (place, side) in next.iter_mut().zip([&first, &second]) {
            *place = side.next.map(|marker| {
                markers.push(marker);
                markers.len() - 1
            });
        }
        Ok(PieceContact {
            nodes: markers.iter().map(|marker| marker.node).collect(),
            arms: markers.iter().map(|marker| marker.frame.position).collect(),
            count,
            follows: [first.follows, second.follows],
            next,
            radii,
            gap,
            slip,
            law,
            ends,
        })
    }

    fn place(&self, scene: Scene, slot: usize) -> Vector3<f64> {
        let m = scene.motion(slot);
        m.position + m.rotation * self.arms[slot]
    }

    /// The shortest way, if the surfaces overlap and the place is this pair's.
    fn touch(&self, scene: Scene) -> Option<Nearest<f64>> {
        let places: [Vector3<f64>; ENDS] =
            std::array::from_fn(|k| self.place(scene, k.min(self.count - 1)));
        // far away for what both reach
        let middle = |k: usize| 0.5 * (places[k] + places[k + 1]);
        let half = |k: usize| 0.5 * (places[k + 1] - places[k]).norm();
        let reach = self.radii[0] + self.radii[1];
        if (middle(2) - middle(0)).norm() > half(0) + half(2) + reach {
            return None;
        }
        let found = nearest(&places.map(Into::into), self.count == 3);
        let way = Vector3::from(found.way);
        let length = way.norm();
        if length >= reach || length == 0.0 {
            return None;
        }
        let own = [(0, found.first, way), (1, found.second, -way)];
        own.into_iter().all(|(side, at, way)| self.owns(scene, side, at, way)).then_some(found)
    }

    /// Whether a place, by its parameter and the way to the other surface, belongs to the piece of a side.
    fn owns(&self, scene: Scene, side: usize, at: f64, way: Vector3<f64>) -> bool {
        if side == 1 && self.count == 3 {
            return true;
        }
        if at <= 0.0 {
            return !self.follows[side];
        }
        match self.next[side] {
            Some(next) if at >= 1.0 => {
                let corner = self.place(scene, 2 * side + 1);
                way.dot(&(self.place(scene, next) - corner)) <= 0.0
            }
            _ => true,
        }
    }

    /// What they do to each other there; none where they do not press.
    fn press(&self, scene: Scene) -> Option<Press> {
        self.touch(scene)?;
        let (mut gap, mut rate, mut slip) = ([0.0], [0.0], [0.0; SLIPS]);
        self.gap.residual(Level::Position, scene, &mut gap);
        self.gap.residual(Level::Velocity, scene, &mut rate);
        let (normal, by_depth, by_closing) = self.law.normal(-gap[0], -rate[0])?;
        let (mut over, mut over_slope) = (0.0, 0.0);
        if let Some(friction) = &self.law.friction {
            self.slip.residual(Level::Velocity, scene, &mut slip);
            let speed = slip[0].hypot(slip[1]).hypot(friction.offset());
            let (value, slope) = friction.over_speed(speed);
            (over, over_slope) = (value, slope / speed);
        }
        Some(Press { normal, by_gap: -by_depth, by_rate: -by_closing, slip, over, over_slope })
    }
}

impl Press {
    /// The force along each row: gap, then slips.
    fn forces(&self) -> [f64; 1 + SLIPS] {
        let tangential = self.slip.map(|v| -self.over * self.normal * v);
        [self.normal, tangential[0], tangential[1]]
    }
}

/// Rows of the gap and the slips, by end.
struct Rows([[Vector6<f64>; ENDS]; 1 + SLIPS]);

impl Rows {
    fn of(contact: &PieceContact, fill: impl Fn(&Piece, &mut [Vector6<f64>])) -> Self {
        let count = contact.count;
        let mut rows = Rows([[Vector6::zeros(); ENDS]; 1 + SLIPS]);
        fill(&contact.gap, &mut rows.0[0][..count]);
        if contact.law.friction.is_some() {
            let mut slips = [Vector6::zeros(); SLIPS * ENDS];
            fill(&contact.slip, &mut slips[..SLIPS * count]);
            for (row, slip) in rows.0[1..].iter_mut().zip(slips.chunks_exact(count)) {
                row[..count].copy_from_slice(slip);
            }
        }
        rows
    }
}

impl Force for PieceContact {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let Some(press) = self.press(scene) else { return };
        let rows = Rows::of(self, |piece, out| piece.gradient(scene, out));
        for (row, force) in rows.0.iter().zip(press.forces()) {
            out.iter_mut().zip(&row[..self.count]).for_each(|(out, row)| *out += row * force);
        }
    }

    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        let Some(press) = self.press(scene) else { return };
        let (count, nodes) = (self.count, self.nodes.len());
        let rows = Rows::of(self, |piece, out| piece.gradient(scene, out));
        let rates = Rows::of(self, |piece, out| piece.rate_gradient(scene, out));
        let forces = press.forces();
        let mut curved = [Matrix6::zeros(); ENDS * ENDS];
        self.gap.curvature(scene, &forces[..1], &mut curved[..count * count]);
        if self.law.friction.is_some() {
            self.slip.curvature(scene, &forces[1..], &mut curved[..count * count]);
        }
        let Rows([gap, slips @ ..]) = &rows;
        let Rows([gap_rate, slip_rates @ ..]) = &rates;
        for j in 0..count {
            // of the normal force and the sliding velocities along variations, then along velocities
            let of_normal =
                [gap[j] * press.by_gap + gap_rate[j] * press.by_rate, gap[j] * press.by_rate];
            let of_slips = [[slip_rates[0][j], slip_rates[1][j]], [slips[0][j], slips[1][j]]];
            for (kind, blocks) in [&mut *stiffness, &mut *damping].into_iter().enumerate() {
                let [along, across] = of_slips[kind];
                let speeds = along * press.slip[0] + across * press.slip[1];
                let tangential = [0, 1].map(|k| {
                    let v = press.slip[k];
                    -(of_slips[kind][k] * (press.over * press.normal)
                        + of_normal[kind] * (press.over * v)
                        + speeds * (press.over_slope * press.normal * v))
                });
                for i in 0..count {
                    let block = &mut blocks[i * nodes + j];
                    block.ger(1.0, &gap[i], &of_normal[kind], 1.0);
                    for (slip, slope) in slips.iter().zip(&tangential) {
                        block.ger(1.0, &slip[i], slope, 1.0);
                    }
                }
            }
            for i in 0..count {
                stiffness[i * nodes + j] += curved[i * count + j];
            }
        }
    }

    fn energy(&mut self, scene: Scene) -> f64 {
        let length = self.touch(scene).map(|found| Vector3::from(found.way).norm());
        length.map_or(0.0, |length| self.law.energy(length - self.radii[0] - self.radii[1]))
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let all = total_power(self, scene);
        let Some(found) = self.touch(scene) else { return all };
        let depth = self.radii[0] + self.radii[1] - Vector3::from(found.way).norm();
        let mut rate = [0.0];
        self.gap.residual(Level::Velocity, scene, &mut rate);
        all - self.law.elastic(depth).0 * rate[0]
    }

    fn is_contact(&self) -> bool {
        true
    }

    fn touches(&mut self, scene: Scene, see: &mut dyn FnMut(rotula_dae::Touch)) {
        let Some(found) = self.touch(scene) else { return };
        let way = Vector3::from(found.way);
        let (length, reach) = (way.norm(), self.radii[0] + self.radii[1]);
        let outwards = way / length;
        let from = self.place(scene, 0);
        let axis = from + (self.place(scene, 1) - from) * found.first;
        let place = axis + outwards * (self.radii[0] + 0.5 * (length - reach));
        let rows = Rows::of(self, |piece, out| piece.gradient(scene, out));
        // rows push the second surface: their forces on its nodes are the tangents
        let tangent = |row: usize| {
            let linear = |k: usize| {
                let force = Vector3::from(rows.0[row][k].fixed_rows::<3>(0));
                scene.motion(k).rotation * force
            };
            (2..self.count).map(linear).sum::<Vector3<f64>>()
        };
        let press = self.press(scene);
        let forces = press.as_ref().map_or([0.0; 1 + SLIPS], Press::forces);
        let friction = tangent(1) * forces[1] + tangent(2) * forces[2];
        see(rotula_dae::Touch {
            contact: 0,
            place: place.into(),
            gap: length - reach,
            normal: forces[0],
            tangential: [forces[1], forces[2]],
            slip: press.map_or([0.0; SLIPS], |press| press.slip),
            force: (outwards * forces[0] + friction).into(),
        });
    }

    fn quantities(&self) -> &'static [Quantity] {
        // pieces come and go: what they do is in the table of contacts
        &[]
    }

    fn ends(&self) -> Ends {
        self.ends
    }
}
