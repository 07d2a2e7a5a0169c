//! Beams and cables: tubes whose rings are carried by joints along the line.

use super::document::Document;
use crate::film::solid::Solid;
use nalgebra::{Matrix4, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::picture::{Film, Tube};
use serde_json::json;
use std::f64::consts::{PI, TAU};

/// Sides of a tube.
const SIDES: usize = 10;
/// Most joints of a tube; of a finer one every second, third, … point carries a ring.
const MOST: usize = 96;

/// Adds all tubes: nodes with the surfaces, which must stand alone, and the joints that carry them.
pub(super) fn tubes(film: &Film, document: &mut Document) -> (Vec<usize>, Vec<usize>) {
    let (mut surfaces, mut carriers) = (Vec::new(), Vec::new());
    for tube in film.tubes.iter().filter(|tube| tube.count > 1) {
        let frames = frames(tube, film.times.len());
        let joints: Vec<usize> = (0..frames[0].len())
            .map(|k| {
                let joint = document.node(json!({}));
                let way: Vec<Frame> = frames.iter().map(|ring| ring[k]).collect();
                document.carry(joint, &way, true);
                joint
            })
            .collect();
        // at the first time, the surface is as it is written
        let (solid, rings) = surface(&frames[0], tube.outline.reach());
        let mut shape = document.shape(&solid);
        let [owners, weights] = document.carriers(&rings);
        shape["attributes"]["JOINTS_0"] = owners.into();
        shape["attributes"]["WEIGHTS_0"] = weights.into();
        let back = frames[0].iter().flat_map(|frame| matrix(&frame.inverse()));
        let back = document.floats(&back.collect::<Vec<_>>(), "MAT4", None);
        document.skins.push(json!({ "joints": joints, "inverseBindMatrices": back }));
        let skin = document.skins.len() - 1;
        let mesh = document.mesh(&shape, tube.body);
        let actor = &film.bodies[tube.body];
        let name = actor.part_of.as_ref().map_or(&actor.name, |(_, whole)| whole);
        surfaces.push(document.node(json!({ "name": name, "mesh": mesh, "skin": skin })));
        carriers.extend(joints);
    }
    (surfaces, carriers)
}

/// The frames of the rings at all times: z along the line, without twist along it.
fn frames(tube: &Tube, times: usize) -> Vec<Vec<Frame>> {
    let stride = (tube.count - 1).div_ceil(MOST - 1);
    let last = tube.count - 1;
    let shown: Vec<usize> = (0..last).step_by(stride).chain([last]).collect();
    let mut first: Option<Quaternion> = None;
    let mut all = Vec::with_capacity(times);
    for time in 0..times {
        let point = |k: usize| tube.points[time * tube.count + shown[k]];
        let end = shown.len() - 1;
        let mut ring = match first {
            Some(before) => before,
            None => match (point(end) - point(0)).norm() > 0.0 {
                true => frame_along(point(0), point(end) - point(0)).orientation,
                false => Quaternion::identity(),
            },
        };
        let mut frames = Vec::with_capacity(shown.len());
        for k in 0..shown.len() {
            let along = point((k + 1).min(end)) - point(k.saturating_sub(1));
            if let Some(along) = along.try_normalize(0.0) {
                ring = (shortest_turn(ring.rotate(&Vector3::z()), along) * ring).normalised();
            }
            if k == 0 {
                first = Some(ring);
            }
            frames.push(Frame::new(point(k), ring));
        }
        all.push(frames);
    }
    all
}

/// The shortest rotation that takes a unit vector to another.
fn shortest_turn(from: Vector3<f64>, to: Vector3<f64>) -> Quaternion {
    let (axis, cosine) = (from.cross(&to), from.dot(&to));
    match axis.norm() > 1e-12 {
        true => Quaternion::exp(&(axis.normalize() * axis.norm().atan2(cosine))),
        false if cosine > 0.0 => Quaternion::identity(),
        // any axis at right angles does
        false => {
            let across = frame_along(Vector3::zeros(), from).orientation.rotate(&Vector3::x());
            Quaternion::exp(&(across * PI))
        }
    }
}

/// A closed tube around frames, and the ring to which each of its corners belongs.
fn surface(frames: &[Frame], radius: f64) -> (Solid, Vec<usize>) {
    let (mut solid, mut rings) = (Solid::default(), Vec::new());
    let mut corner = |solid: &mut Solid, ring: usize, at: Vector3<f64>, normal: Vector3<f64>| {
        solid.corners.push(frames[ring].transform_point(&at));
        solid.normals.push(frames[ring].orientation.rotate(&normal));
        rings.push(ring);
        solid.corners.len() - 1
    };
    let out = |side: usize| {
        let (s, c) = (TAU * side as f64 / SIDES as f64).sin_cos();
        Vector3::new(c, s, 0.0)
    };
    for ring in 0..frames.len() {
        (0..SIDES).for_each(|side| {
            corner(&mut solid, ring, out(side) * radius, out(side));
        });
    }
    for ring in 0..frames.len() - 1 {
        for side in 0..SIDES {
            let [a, b] = [side, (side + 1) % SIDES].map(|side| ring * SIDES + side);
            solid.triangles.extend([[a, b, b + SIDES], [a, b + SIDES, a + SIDES]]);
        }
    }
    for (ring, way) in [(0, -1.0), (frames.len() - 1, 1.0)] {
        let normal = Vector3::z() * way;
        let middle = corner(&mut solid, ring, Vector3::zeros(), normal);
        let edge: Vec<usize> =
            (0..SIDES).map(|side| corner(&mut solid, ring, out(side) * radius, normal)).collect();
        for side in 0..SIDES {
            let pair = [edge[side], edge[(side + 1) % SIDES]];
            let [a, b] = if way > 0.0 { pair } else { [pair[1], pair[0]] };
            solid.triangles.push([middle, a, b]);
        }
    }
    (solid, rings)
}

/// A frame as a matrix in the order of the format, column by column.
fn matrix(frame: &Frame) -> Vec<f32> {
    let mut matrix = Matrix4::identity();
    matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&frame.orientation.to_matrix());
    matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&frame.position);
    matrix.iter().map(|number| *number as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rotula_mechanics::picture::Outline;

    #[test]
    fn rings_stand_across_the_line_and_do_not_spin() {
        // a helix that turns about its axis as time goes on
        let count = 41;
        let at = |t: f64, k: usize| {
            let s = k as f64 / 20.0;
            Vector3::new((3.0 * s + t).cos(), (3.0 * s + t).sin(), s)
        };
        let times = [0.0, 0.05, 0.1];
        let points = times.iter().flat_map(|t| (0..count).map(|k| at(*t, k))).collect();
        let (outline, across, fields) = (Outline::Round(0.1), Vec::new(), Vec::new());
        let tube = Tube { body: 1, outline, count, points, across, fields };
        let all = frames(&tube, times.len());
        for (time, rings) in all.iter().enumerate() {
            for (k, pair) in rings.windows(2).enumerate() {
                let along = (at(times[time], k + 1) - at(times[time], k)).normalize();
                let z = pair[0].orientation.rotate(&Vector3::z());
                assert!(z.dot(&along) > 0.98, "{}", z.dot(&along));
                let turn = pair[1].seen_from(&pair[0]).orientation.angle();
                assert!(turn < 0.2, "{turn}");
            }
        }
        for k in 0..count {
            let turn = all[1][k].seen_from(&all[0][k]).orientation.angle();
            assert!(turn < 0.1, "ring {k} turns by {turn} in a twentieth of a second");
        }
        // the surface encloses about the volume of the tube
        let (solid, rings) = surface(&all[0], tube.outline.reach());
        assert_eq!(rings.len(), solid.corners.len());
        let corner = |k: usize| solid.corners[k];
        let part = |[a, b, c]: &[usize; 3]| corner(*a).dot(&corner(*b).cross(&corner(*c))) / 6.0;
        let volume: f64 = solid.triangles.iter().map(part).sum();
        let length = 2.0 * (9.0f64 + 1.0).sqrt();
        let expected = length * 0.5 * SIDES as f64 * (TAU / SIDES as f64).sin() * 0.01;
        assert!((volume / expected - 1.0).abs() < 0.02, "{volume} of {expected}");
    }

    #[test]
    fn opposite_directions_are_half_a_turn_apart() {
        let turned = shortest_turn(Vector3::z(), -Vector3::z()).rotate(&Vector3::z());
        assert!((turned + Vector3::z()).norm() < 1e-12);
    }
}
