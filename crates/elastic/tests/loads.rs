//! Loads on reduced bodies against resultants and full finite element solutions.

mod common;

use common::{SOLIDS, hold, plane, solid_box};
use nalgebra::Vector3;
use rotula_elastic::mesh::Shape;
use rotula_elastic::{
    Attachment, BodyLoad, Damping, FlexibleBody, Load, Method, Wanted, flexible_body, read_flex,
    reduce, write_flex,
};

const SIZE: [f64; 3] = [0.5, 0.1, 0.08];

fn bar(shape: Shape, method: Method, held: bool) -> (FlexibleBody, rotula_elastic::Reduction) {
    let mut mesh = solid_box(shape, SIZE, [4, 2, 1]);
    for (name, axis, value) in [("RIGHT", 0, SIZE[0]), ("TOP", 2, SIZE[2])] {
        let nodes = plane(&mesh, axis, value);
        mesh.add_to_set(name, &nodes);
    }
    if held {
        let nodes = plane(&mesh, 0, 0.0);
        hold(&mut mesh, &nodes, [true, true, true, false, false, false]);
    }
    let at = [Attachment { name: "end".into(), at: "RIGHT".into(), rigid: true }];
    let reduction = reduce(mesh, &at, method).unwrap();
    (flexible_body(&reduction, "bar", Damping::Ratio(0.0)).unwrap(), reduction)
}

fn set<'a>(body: &'a FlexibleBody, name: &str) -> &'a [usize] {
    &body.surface.sets[name]
}

#[test]
fn pressure_has_its_resultants() {
    for shape in SOLIDS {
        let (body, _) = bar(shape, Method::Free(Wanted::Lowest(3)), false);
        let BodyLoad { force, moment, .. } = body.pressure_load(set(&body, "TOP"), 2e5).unwrap();
        let exact = Vector3::new(0.0, 0.0, -2e5 * SIZE[0] * SIZE[1]);
        assert!((force - exact).norm() < 1e-9 * exact.norm(), "{shape:?}: {force}");
        assert!(moment.norm() < 1e-9 * exact.norm(), "{shape:?}: {moment}");
        // from all sides nothing is left
        let all: Vec<usize> = (0..body.surface.nodes()).collect();
        let BodyLoad { force, moment, .. } = body.pressure_load(&all, 2e5).unwrap();
        assert!(force.norm() + moment.norm() < 1e-8 * exact.norm(), "{shape:?}: {force} {moment}");
        // a line of nodes has no face
        let edge = [set(&body, "TOP")[0], set(&body, "TOP")[1]];
        assert!(body.pressure_load(&edge, 1.0).is_none());
    }
}

/// Amplitudes in equilibrium under a load.
fn still(body: &FlexibleBody, load: &BodyLoad) -> Vec<f64> {
    load.shapes.iter().zip(&body.stiffness).map(|(force, stiffness)| force / stiffness).collect()
}

/// Guyan's shapes are exact for loads on the interface.
#[test]
fn pressure_on_an_interface_is_the_full_solution() {
    for shape in SOLIDS {
        let (body, reduction) = bar(shape, Method::Guyan, true);
        let load = body.pressure_load(set(&body, "RIGHT"), 3e6).unwrap();
        let moved = body.surface.displacement(&still(&body, &load));
        let node = reduction.interfaces[0].node;
        let push = Load { node, component: 0, value: -3e6 * SIZE[1] * SIZE[2] };
        let full = reduction.body.displacement(&[push]).unwrap();
        for corner in set(&body, "RIGHT") {
            let component = reduction.body.freedom.component(*corner, 0).unwrap();
            let (found, exact) = (moved[3 * corner], full[component]);
            assert!((found / exact - 1.0).abs() < 1e-8, "{shape:?}: {found} {exact}");
        }
    }
}

/// With many modes a force at nodes comes to the full solution, and one spread like the mass as well.
#[test]
fn forces_at_nodes_come_to_the_full_solution() {
    let (body, reduction) =
        bar(Shape::Hexahedron20, Method::CraigBampton(Wanted::Lowest(60)), true);
    let top = set(&body, "TOP");
    let force = Vector3::new(300.0, -200.0, -1000.0);
    let share = force / top.len() as f64;
    let load = body.nodal_load(top.iter().map(|node| (*node, share)));
    assert!((load.force - force).norm() < 1e-9);
    let moved = body.surface.displacement(&still(&body, &load));
    let loads: Vec<Load> = top
        .iter()
        .flat_map(|&node| (0..3).map(move |i| Load { node, component: i, value: share[i] }))
        .collect();
    let full = reduction.body.displacement(&loads).unwrap();
    let (mut error, mut size) = (0.0_f64, 0.0_f64);
    for node in 0..body.surface.nodes() {
        for i in 0..3 {
            let Some(component) = reduction.body.freedom.component(node, i) else { continue };
            error = error.max((moved[3 * node + i] - full[component]).abs());
            size = size.max(full[component].abs());
        }
    }
    assert!(error < 0.01 * size, "{error:e} of {size:e}");
    // gravity is a force spread like the mass
    let q = nalgebra::DVector::zeros(body.shapes());
    let weight = body.inertia.gravity(&q, Vector3::new(0.0, 0.0, -9.81));
    let spread = body.spread_load(Vector3::new(0.0, 0.0, -9.81 * body.inertia.mass));
    assert!((weight.rows(6, body.shapes()) - &spread.shapes).norm() < 1e-12 * weight.norm());
}

/// Nodes of solids cannot take a moment, the reference of an interface can.
#[test]
fn moments_need_rotations() {
    let (body, reduction) = bar(Shape::Hexahedron8, Method::Guyan, true);
    let moment = Vector3::new(5.0, 4.0, 3.0);
    assert!(body.nodal_moments([(set(&body, "TOP")[0], moment)]).is_none());
    let load = body.nodal_moments([(reduction.interfaces[0].node, moment)]).unwrap();
    let frame = body.frame_load(0, Vector3::zeros(), moment);
    assert!((&frame.shapes - load.shapes).amax() < 1e-9 * frame.shapes.amax());
    assert_eq!(load.moment, moment);
}

#[test]
fn sets_are_in_the_file() {
    let (body, _) = bar(Shape::Tetrahedron4, Method::Guyan, true);
    let path = std::env::temp_dir().join(format!("rotula-sets-{}.flex", std::process::id()));
    write_flex(&path, &body).unwrap();
    let back = read_flex(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(body.surface.sets, back.surface.sets);
    assert_eq!(body, back);
}
