//! Surfaces of beams between their nodes: gap, slip and all their derivatives against differences.

use crate::check::{Random, battery};
use crate::contacts::LAW;
use crate::touching::check;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{ContactLaw, PieceContact, PieceSide};
use rotula_mechanics::unilateral::{Chain, ImpactLaw, Sphere};
use rotula_mechanics::{Body, BodyId, GROUND, Marker, MassProperties, Model};

const ROUGH: ImpactLaw = ImpactLaw { restitution: 0.5, friction: 0.3 };

/// Bodies at places, turned anyhow, with a marker somewhere on each; in a plane all stay in it. The places
/// are far enough apart that the random motion of the checks leads to no pieces without length.
fn bodies(places: &[[f64; 3]], planar: bool, seed: u64) -> (Model, Vec<BodyId>, Vec<Marker>) {
    let mut random = Random::new(seed);
    let mut model = Model::new();
    let (mut ids, mut markers) = (Vec::new(), Vec::new());
    for (k, place) in places.iter().enumerate() {
        let place = Vector3::from(*place);
        let (mut body, arm) = match planar {
            true => (Body::planar(1.2, 0.3), Vector3::new(random.number(), random.number(), 0.0)),
            false => {
                let inertia = Vector3::new(0.3, 0.5, 0.4) + random.vector() * 0.1;
                (Body::rigid(MassProperties::principal(1.3, inertia)), random.vector())
            }
        };
        let turn = match planar {
            true => Vector3::new(0.0, 0.0, random.number()),
            false => random.vector() * 2.0,
        };
        body.frame = Frame::new(place, Quaternion::exp(&turn));
        let body = model.body(&format!("body {k}"), body).unwrap();
        ids.push(body);
        markers.push(model.marker(body, Frame::new(arm * 0.3, Quaternion::identity())));
    }
    (model, ids, markers)
}

/// A piece of a beam, and a sphere beyond one end, beside it, or beyond the other.
#[test]
fn a_piece_of_a_beam_and_a_sphere() {
    for (seed, along) in [(20, -6.0), (21, -1.0), (22, 0.5), (23, 1.5), (24, 6.0)] {
        for planar in [false, true] {
            let deep = if planar { 0.0 } else { 1.5 };
            let places = [[-3.0, 0.0, 0.0], [3.0, 0.5, 0.0], [along, 2.5, deep]];
            let (mut model, ids, markers) = bodies(&places, planar, seed);
            let ball = Sphere { marker: markers[2], radius: 0.02 };
            let chain = Chain::with_sphere(markers[..2].to_vec(), 0.01, ball, planar, ROUGH);
            model.touch_some("ball", chain.unwrap()).unwrap();
            check("piece and sphere", &model, if planar { &[] } else { &ids });
        }
    }
    // a sphere that stands still
    let (mut model, _, markers) = bodies(&[[-3.0, 0.0, 0.0], [3.0, 0.0, 1.0]], false, 31);
    let place = Frame::new(Vector3::new(0.3, -2.8, 0.4), Quaternion::identity());
    let ball = Sphere { marker: model.marker(GROUND, place), radius: 0.02 };
    let chain = Chain::with_sphere(markers, 0.01, ball, false, ROUGH);
    model.touch_some("ball", chain.unwrap()).unwrap();
    check("piece and a fixed sphere", &model, &[]);
}

/// Two pieces that cross at a distance, of which one ends before the crossing, or both.
#[test]
fn pieces_of_two_beams() {
    for (seed, x, y) in [(40, 0.5, 0.0), (41, 6.0, 0.0), (42, 0.0, 7.0), (43, 6.0, 7.0)] {
        let places =
            [[-3.0, 0.0, 0.0], [3.0, 0.5, 0.0], [x - 0.5, y - 3.0, 2.5], [x + 0.5, y + 3.0, 3.0]];
        let (mut model, ids, markers) = bodies(&places, false, seed);
        let (first, second) = (markers[..2].to_vec(), markers[2..].to_vec());
        let chain = Chain::with_chain(first, second, [0.01, 0.02], false, ROUGH);
        model.touch_some("beams", chain.unwrap()).unwrap();
        check("two pieces", &model, &ids);
    }
}

fn side(ends: &[Marker], radius: f64) -> PieceSide {
    PieceSide { ends: ends.to_vec(), radius, follows: false, next: None }
}

#[test]
fn soft_pieces_of_beams() {
    for (seed, along) in [(60, -6.0), (61, 0.5), (62, 6.0)] {
        for friction in [None, LAW.friction] {
            let law = ContactLaw { friction, ..LAW };
            let places = [[-3.0, 0.0, 0.0], [3.0, 0.5, 0.0], [along, 2.5, 1.5], [9.0, 0.0, 2.0]];
            let (mut model, _, markers) = bodies(&places, false, seed);
            let first = PieceSide { next: Some(markers[3]), ..side(&markers[..2], 3.0) };
            let pair = PieceContact::new(first, side(&markers[2..3], 6.0), law).unwrap();
            model.force("ball", pair).unwrap();
            battery("soft piece and sphere", model);
        }
    }
    let places = [[-3.0, 0.0, 0.0], [3.0, 0.5, 0.0], [0.0, -3.0, 2.5], [1.0, 3.0, 3.0]];
    let (mut model, _, markers) = bodies(&places, false, 70);
    let pair = PieceContact::new(side(&markers[..2], 3.0), side(&markers[2..], 4.0), LAW).unwrap();
    model.force("beams", pair).unwrap();
    battery("soft pieces", model);
}
