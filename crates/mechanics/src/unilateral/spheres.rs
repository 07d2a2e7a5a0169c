//! Many spheres and planes: near pairs are found with a grid of cells.

use super::pairs::positive;
use super::{CandidateList, ImpactLaw, Unilateral, sphere_on_plane, spheres};
use crate::error::{ModelError, refusal};
use crate::joint::Pair;
use crate::marker::{Marker, frame_along};
use crate::node::Motion;
use crate::passing::{DEEP, FOUND, SHALLOW, struck_at};
use crate::scene::World;
use nalgebra::Vector3;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_lie::Frame;

/// A sphere about the origin of a marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Where its centre is.
    pub marker: Marker,
    /// Its radius.
    pub radius: f64,
}

/// Spheres that touch each other and some planes, all with one law.
///
/// A pair is listed when its gap is below what the two may travel, and stays until the list is made
/// anew. In space, tangents are built about an axis of the first sphere that lies near the normal;
/// when the sphere has turned too far, another axis is taken and the pair keeps its key, so that for
/// one step the history of its friction is seen in turned axes.
#[derive(Clone, Debug)]
pub struct Spheres {
    spheres: Vec<Sphere>,
    planes: Vec<Marker>,
    /// World normal of the plane in which everything moves.
    flat: Option<Vector3<f64>>,
    law: ImpactLaw,
    found: Vec<Found>,
    near: Vec<Found>,
    wide: Vec<Found>,
    places: Vec<Place>,
    cells: Vec<([i64; 3], u32)>,
}

/// A listed pair; the second is a plane if its number is beyond those of the spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    first: u32,
    second: u32,
    /// Which axis of the first sphere the tangents are built about.
    aim: u8,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    at: Vector3<f64>,
    /// How far it may travel.
    reach: f64,
}

/// The least cosine between the normal and the axis about which tangents are built.
const LEAST_COSINE: f64 = 0.2;

/// Gaps below this part of the smallest radius are always listed.
const SLACK: f64 = 0.05;

impl Spheres {
    /// Spheres and planes z = 0 of markers. `flat` is the world normal of the plane in which all
    /// bodies move, if they are planar.
    pub fn new(
        spheres: Vec<Sphere>,
        planes: Vec<Marker>,
        flat: Option<Vector3<f64>>,
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        // one of them may be a point; two points never touch
        let mut points = 0;
        for sphere in &spheres {
            points += usize::from(sphere.radius == 0.0);
            if sphere.radius != 0.0 || points > 1 {
                positive("radius", sphere.radius)?;
            }
        }
        if spheres.is_empty() || spheres.len() + planes.len() < 2 {
            let what = "it needs two spheres, or a sphere and a plane";
            return Err(ModelError::invalid("contact", what));
        }
        let second = spheres.iter().skip(1).position(|s| s.marker.node != spheres[0].marker.node);
        let second = match second {
            Some(k) => k + 1,
            None if !planes.is_empty() => spheres.len(),
            None => {
                let what =
                    refusal!("all spheres belong to the same body"; "name two different bodies");
                return Err(ModelError::invalid("contact", what));
            }
        };
        let found = vec![Found { first: 0, second: second as u32, aim: 5 }];
        let list = Spheres {
            spheres,
            planes,
            flat,
            law,
            found,
            near: Vec::new(),
            wide: Vec::new(),
            places: Vec::new(),
            cells: Vec::new(),
        };
        // says what is wrong with the planes of planar bodies
        for k in 0..list.planes.len() {
            let pair = Found { first: 0, second: (list.spheres.len() + k) as u32, aim: 5 };
            list.build(&pair)?;
        }
        Ok(list)
    }

    fn aims(&self) -> bool {
        self.flat.is_none() && self.law.friction > 0.0
    }

    fn build(&self, found: &Found) -> Result<Unilateral, ModelError> {
        let first = &self.spheres[found.first as usize];
        let plane_of = |marker: &Marker| {
            self.flat.map(|normal| {
                // the z axis of a planar node is the normal of its plane
                let own = if marker.node == 0 { normal } else { Vector3::z() };
                marker.frame.orientation.rotate_back(&own)
            })
        };
        match self.spheres.get(found.second as usize) {
            Some(second) => {
                let mut a = first.marker;
                if self.aims() {
                    a.frame = a.frame * frame_along(Vector3::zeros(), axis(found.aim));
                }
                let pair = Pair { a, b: second.marker, plane: plane_of(&a) };
                spheres(&pair, [first.radius, second.radius], self.law)
            }
            None => {
                let plane = self.planes[found.second as usize - self.spheres.len()];
                let pair = Pair { a: plane, b: first.marker, plane: plane_of(&plane) };
                sphere_on_plane(&pair, first.radius, self.law)
            }
        }
    }

    /// Where everything is and how far it may travel.
    fn place(&mut self, world: &World, horizon: f64) {
        let radii = self.spheres.iter().map(|s| s.radius).filter(|radius| *radius > 0.0);
        let least = radii.reduce(f64::min).unwrap_or(0.0);
        let markers = self.spheres.iter().map(|s| &s.marker).chain(&self.planes);
        self.places.clear();
        self.places.extend(markers.map(|marker| {
            let m = &world.motions[marker.node];
            let arm = marker.frame.position.norm();
            let speed = m.velocity.norm() + m.omega.norm() * arm;
            let gain = m.velocity_rate.norm() + m.omega_rate.norm() * arm;
            Place {
                at: m.position + m.rotation * marker.frame.position,
                reach: horizon * (speed + horizon * gain) + 0.5 * SLACK * least,
            }
        }));
    }

    /// Lists a pair whose gap is small.
    fn consider(&mut self, pair: (usize, usize), gap: f64, aim: u8) {
        let reach = self.places[pair.0].reach + self.places[pair.1].reach;
        if gap <= 2.0 * reach {
            let found = Found { first: pair.0 as u32, second: pair.1 as u32, aim };
            self.wide.push(found);
            if gap <= reach {
                self.near.push(found);
            }
        }
    }

    /// The pairs of spheres in the same cell or in neighbours.
    fn pairs(&mut self, world: &World) {
        let count = self.spheres.len();
        let radius = self.spheres.iter().fold(0.0f64, |most, s| most.max(s.radius));
        let reach = self.places[..count].iter().fold(0.0f64, |most, p| most.max(p.reach));
        let size = 2.0 * radius + 4.0 * reach;
        self.cells.clear();
        for (k, place) in self.places[..count].iter().enumerate() {
            let cell = [0, 1, 2].map(|axis| (place.at[axis] / size).floor() as i64);
            self.cells.push((cell, k as u32));
        }
        self.cells.sort_unstable();
        for k in 0..count {
            let (cell, i) = self.cells[k];
            for dx in -1..=1 {
                for dy in -1..=1 {
                    // three cells along z follow each other in the list
                    let row = |dz: i64| [cell[0] + dx, cell[1] + dy, cell[2] + dz];
                    let start = self.cells.partition_point(|(other, _)| *other < row(-1));
                    let mut next = start;
                    while next < count && self.cells[next].0 <= row(1) {
                        let j = self.cells[next].1;
                        next += 1;
                        if j > i {
                            self.measure(i as usize, j as usize, world);
                        }
                    }
                }
            }
        }
    }

    /// The listed pairs without planes.
    fn pairs_of_spheres(&self) -> impl Iterator<Item = [&Sphere; 2]> {
        self.found.iter().filter_map(|found| {
            let second = self.spheres.get(found.second as usize)?;
            Some([&self.spheres[found.first as usize], second])
        })
    }

    fn measure(&mut self, i: usize, j: usize, world: &World) {
        let (a, b) = (self.spheres[i], self.spheres[j]);
        if a.marker.node == b.marker.node {
            return;
        }
        let way = self.places[j].at - self.places[i].at;
        let distance = way.norm();
        let aim =
            if self.aims() && distance > 0.0 { self.aim(i, &(way / distance), world) } else { 5 };
        self.consider((i, j), distance - a.radius - b.radius, aim);
    }

    /// The axis of a sphere that is nearest to a world direction.
    fn aim(&self, sphere: usize, direction: &Vector3<f64>, world: &World) -> u8 {
        let n = self.seen(sphere, direction, world);
        let k = n.iamax();
        if n[k] > 0.0 { k as u8 + 3 } else { k as u8 }
    }

    /// A world direction in the axes of a sphere's marker.
    fn seen(&self, sphere: usize, direction: &Vector3<f64>, world: &World) -> Vector3<f64> {
        let marker = &self.spheres[sphere].marker;
        marker.frame.orientation.rotate_back(&world.motions[marker.node].into_body(direction))
    }

    fn planes(&mut self, world: &World) {
        for k in 0..self.planes.len() {
            let (marker, place) = (self.planes[k], self.spheres.len() + k);
            let frame: &Frame = &marker.frame;
            let normal =
                world.motions[marker.node].rotation * frame.orientation.rotate(&Vector3::z());
            for i in 0..self.spheres.len() {
                if self.spheres[i].marker.node == marker.node {
                    continue;
                }
                let height = normal.dot(&(self.places[i].at - self.places[place].at));
                self.consider((i, place), height - self.spheres[i].radius, 5);
            }
        }
    }

    /// Every near pair is listed, with tangents about a good axis, and not too many others.
    fn still_good(&self, world: &World) -> bool {
        let listed = |pair: &Found| {
            let key = (pair.first, pair.second);
            let place = self.found.binary_search_by_key(&key, |f| (f.first, f.second));
            place
                .is_ok_and(|k| pair.aim == self.found[k].aim || !self.turned(&self.found[k], world))
        };
        self.found.len() <= 2 * self.wide.len() + 8 && self.near.iter().all(listed)
    }

    fn turned(&self, found: &Found, world: &World) -> bool {
        if !self.aims() || found.second as usize >= self.spheres.len() {
            return false;
        }
        let way = self.places[found.second as usize].at - self.places[found.first as usize].at;
        let n = self.seen(found.first as usize, &way.normalize(), world);
        n.dot(&axis(found.aim)) < LEAST_COSINE
    }
}

/// The axes −x, −y, −z, x, y, z.
fn axis(aim: u8) -> Vector3<f64> {
    let mut axis = Vector3::zeros();
    axis[aim as usize % 3] = if aim < 3 { -1.0 } else { 1.0 };
    axis
}

impl Sphere {
    /// Where its centre is and how fast it moves, in the world.
    fn centre(&self, motions: &[Motion]) -> (Vector3<f64>, Vector3<f64>) {
        let (m, arm) = (&motions[self.marker.node], &self.marker.frame.position);
        (m.position + m.rotation * arm, m.rotation * (m.velocity + m.omega.cross(arm)))
    }
}

impl CandidateList for Spheres {
    fn renew(&mut self, world: &World, horizon: f64) -> bool {
        self.place(world, horizon);
        self.near.clear();
        self.wide.clear();
        self.pairs(world);
        self.planes(world);
        if self.still_good(world) {
            return false;
        }
        if self.wide.is_empty() {
            self.found.truncate(1);
        } else {
            self.wide.sort_unstable();
            std::mem::swap(&mut self.found, &mut self.wide);
        }
        true
    }

    fn count(&self) -> usize {
        self.found.len()
    }

    fn key(&self, contact: usize) -> u64 {
        let Found { first, second, .. } = self.found[contact];
        u64::from(first) << 24 | u64::from(second)
    }

    fn describe(&self, contact: usize) -> String {
        if self.stays() {
            return String::new();
        }
        let Found { first, second, .. } = self.found[contact];
        match (second as usize).checked_sub(self.spheres.len()) {
            None => format!("spheres {} and {}", first + 1, second + 1),
            Some(plane) => format!("sphere {} on plane {}", first + 1, plane + 1),
        }
    }

    fn stays(&self) -> bool {
        self.spheres.len() + self.planes.len() == 2
    }

    fn watched(&self) -> Vec<usize> {
        self.spheres.iter().map(|sphere| sphere.marker.node).collect()
    }

    /// Centres go straight within a step, near enough for those that pass each other.
    fn met(&self, motions: [&[Motion]; 2], h: f64) -> Option<f64> {
        let pairs = self.pairs_of_spheres().filter_map(|pair| {
            let [from, to] = motions.map(|m| pair[1].centre(m).0 - pair[0].centre(m).0);
            let [a, b] = pair.map(|sphere| sphere.radius);
            nearest_within(&from, &to, a + b, a.min(b)).map(|part| part * h)
        });
        pairs.min_by(f64::total_cmp)
    }

    fn struck(&self, motions: &[Motion], h: f64) -> Option<f64> {
        let pairs = self.pairs_of_spheres().filter_map(|pair| {
            let [first, second] = pair.map(|sphere| sphere.centre(motions));
            let (way, velocity) = (second.0 - first.0, second.1 - first.1);
            let [a, b] = pair.map(|sphere| sphere.radius);
            let (distance, thin) = (way.norm(), a.min(b));
            let touch = distance - a - b <= 2.0 * FOUND * thin;
            if touch { struck_at(-way.dot(&velocity) / distance, thin, h) } else { None }
        });
        pairs.min_by(f64::total_cmp)
    }

    fn contact(&self, contact: usize) -> Unilateral {
        self.build(&self.found[contact]).expect("radii, planes and law have been checked")
    }

    fn save(&self, out: &mut Writer) {
        let pairs = self.found.iter().map(|&Found { first, second, aim }| (first, second, aim));
        out.put(&pairs.collect::<Vec<_>>());
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let pairs: Vec<(u32, u32, u8)> = from.get()?;
        let pair = |(first, second, aim)| Found { first, second, aim };
        self.found = pairs.into_iter().map(pair).collect();
        Ok(())
    }
}

/// The part of the straight way from one place to another, the first farther from the origin than `reach`, after which it comes
/// nearer than that, if it leads through there or deep into it by what `thin` solids are; a little later, so that they overlap.
fn nearest_within(from: &Vector3<f64>, to: &Vector3<f64>, reach: f64, thin: f64) -> Option<f64> {
    let way = to - from;
    let length = way.norm();
    let outside = |place: &Vector3<f64>| place.norm_squared() > reach * reach;
    // what does not move is not looked at any further, nor what touches
    let (nearest, square) = (-from.dot(&way) / length, from.norm_squared());
    let within = reach * reach - (square - nearest * nearest);
    let touches = nearest - within.max(0.0).sqrt();
    let speeding = nearest * (length - touches) > SHALLOW * thin * square.sqrt();
    if !(square.sqrt() > reach + FOUND * thin && nearest > 0.0 && within > 0.0 && speeding) {
        return None;
    }
    let deep = length - touches > DEEP * thin;
    let unseen = touches < length && (deep || (outside(to) && nearest < length));
    unseen.then(|| (touches + FOUND * thin).min(nearest) / length)
}
