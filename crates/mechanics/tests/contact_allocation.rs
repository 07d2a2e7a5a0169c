//! Rigid contacts take no memory while their list stays the same.

#[path = "../../dae/tests/automatic/memory.rs"]
mod memory;

use memory::taken_by;
use nalgebra::Vector3;
use rotula_dae::{Contacts, Level, Weights, contact_rows};
use rotula_lie::Frame;
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::Shape;
use rotula_mechanics::unilateral::{ImpactLaw, Sphere, Spheres};
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

#[test]
fn contacts_that_stay_take_no_memory() {
    let mut model = Model::new();
    let law = ImpactLaw { restitution: 0.5, friction: 0.3 };
    let mass = MassProperties::principal(1.0, Vector3::repeat(0.01));
    let mut spheres = Vec::new();
    let floor = model.marker(GROUND, Frame::identity());
    for k in 0..4 {
        let place = Vector3::new(0.21 * k as f64, 0.0, 0.1);
        let body = model.body(&format!("ball {k}"), Body::rigid(mass).at(place)).unwrap();
        let marker = model.marker(body, Frame::identity());
        spheres.push(Sphere { marker, radius: 0.1 });
        let cube: Surface = Shape::Box { size: Vector3::repeat(0.1) }.into();
        model.collide(&format!("cube {k}"), (floor, Surface::Plane), (marker, cube), law).unwrap();
    }
    model.touch_some("balls", Spheres::new(spheres, vec![floor], None, law).unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let state = system.start();
    let at = state.point();
    assert!(system.renew_contacts(&at, 1e-3));
    assert!(!system.renew_contacts(&at, 1e-3));
    let patterns = system.contact_patterns();
    let mut rows = vec![0.0; contact_rows(system.contacts())];
    let forces = vec![1.0; rows.len()];
    let mut values = vec![0.0; patterns.rows.entries()];
    let mut curvature = vec![0.0; patterns.curvature.entries()];
    let weights = Weights { mass: 1.0, damping: 0.1, stiffness: 0.01 };
    // a changed list finds the places of its curvature when it is first asked for
    system.contact_curvature(&at, &forces, &mut curvature);
    let taken = taken_by(|| {
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            system.contact(level, &at, &mut rows);
            system.contact_tangent(level, &at, weights, &mut values);
        }
        system.contact_gradient(&at, &mut values);
        system.contact_curvature(&at, &forces, &mut curvature);
        assert!(!system.renew_contacts(&at, 1e-3));
    });
    assert_eq!(taken, 0);
    assert!(rows.iter().chain(&values).chain(&curvature).all(|x| x.is_finite()));
}
