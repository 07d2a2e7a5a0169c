//! Reduced bodies against the full models they come from.

mod common;

use common::{beam, hold, plane, solid_box};
use nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen, Vector3};
use rotula_elastic::mesh::{Profile, Section, Shape};
use rotula_elastic::{
    Attachment, Body, Damping, FlexibleBody, Load, Mesh, Method, Place, Reduction, Wanted,
    body_stress, flexible_body, reduce, von_mises,
};
use std::f64::consts::PI;

fn attachment(name: &str, rigid: bool) -> Attachment {
    Attachment { name: name.to_owned(), at: name.to_owned(), rigid }
}

/// A plate with an edge and a small patch as sets of nodes.
fn plate() -> Mesh {
    let mut mesh = solid_box(Shape::Hexahedron20, [0.8, 0.5, 0.02], [8, 5, 1]);
    let edge = plane(&mesh, 0, 0.0);
    let far: Vec<usize> = plane(&mesh, 0, 0.8)
        .into_iter()
        .filter(|&node| mesh.nodes[node].position[1] < 0.21)
        .collect();
    mesh.node_sets.insert("edge".into(), edge);
    mesh.node_sets.insert("far".into(), far);
    mesh
}

/// A portal of beams with a crossbar; its feet are nodes 1 and 4.
fn portal() -> Mesh {
    let mut mesh = beam(1.0, 10, Profile::rectangle(0.03, 0.05));
    for i in 0..10 {
        let at = Vector3::new(0.5, 0.08 * (i + 1) as f64, 0.02 * (i + 1) as f64);
        mesh.add_node(100 + i, at, Place::NOWHERE).unwrap();
        let before = if i == 0 { 6 } else { 99 + i };
        mesh.add_element(100 + i, Shape::Beam2, &[before, 100 + i], Place::NOWHERE).unwrap();
    }
    let Section::Beam { material, profile, .. } = mesh.sections[0].clone() else { panic!("beam") };
    mesh.give_section(Section::Beam { material, profile, toward: Vector3::z() });
    mesh
}

fn reduced(mesh: Mesh, attachments: &[Attachment], method: Method) -> (Reduction, FlexibleBody) {
    let reduction = reduce(mesh, attachments, method).unwrap();
    let body = flexible_body(&reduction, "test", Damping::Ratio(0.01)).unwrap();
    (reduction, body)
}

/// Rigid displacement and rotation of the frame at each amplitude while a frame is held, above the
/// amplitudes themselves.
fn clamped(body: &FlexibleBody, frame: usize) -> DMatrix<f64> {
    let (n, frame) = (body.shapes(), &body.frames[frame]);
    // u + θ × x + φ q = 0 and θ + ψ q = 0
    let turn = -&frame.rotation;
    let lever = frame.position.cross_matrix();
    let shift = -&frame.translation + lever * &turn;
    let mut motion = DMatrix::zeros(6 + n, n);
    motion.rows_mut(0, 3).copy_from(&shift);
    motion.rows_mut(3, 3).copy_from(&turn);
    motion.rows_mut(6, n).fill_with_identity();
    motion
}

/// Mass and stiffness of the amplitudes while a frame is held.
fn clamped_matrices(body: &FlexibleBody, frame: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let motion = clamped(body, frame);
    let rest = DVector::zeros(body.shapes());
    let mass = motion.transpose() * body.inertia.mass_matrix(&rest) * &motion;
    (mass, DMatrix::from_diagonal(&DVector::from_column_slice(&body.stiffness)))
}

fn frequencies(mass: DMatrix<f64>, stiffness: &DMatrix<f64>) -> Vec<f64> {
    let factor = mass.cholesky().unwrap().l();
    let half = factor.solve_lower_triangular(stiffness).unwrap();
    let whole = factor.solve_lower_triangular(&half.transpose()).unwrap();
    let mut values: Vec<f64> = SymmetricEigen::new((&whole + whole.transpose()) * 0.5)
        .eigenvalues
        .iter()
        .copied()
        .collect();
    values.sort_by(f64::total_cmp);
    values.iter().map(|value| value.max(0.0).sqrt() / (2.0 * PI)).collect()
}

/// Full frequencies with the first frame held.
fn full_frequencies(reduction: &Reduction, count: usize) -> Vec<f64> {
    let mut mesh = reduction.body.mesh.clone();
    hold(&mut mesh, &[reduction.interfaces[0].node], [true; 6]);
    let kept = [reduction.interfaces[1].node];
    Body::new(mesh, &kept).unwrap().modes(Wanted::Lowest(count)).unwrap().frequencies()
}

fn assert_near_below_half_the_cut_off(name: &str, found: &[f64], full: &[f64], cut_off: f64) {
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for (found, full) in found.iter().zip(full) {
        if *full < 0.5 * cut_off {
            worst = worst.max((found / full - 1.0).abs());
            compared += 1;
        }
    }
    println!(
        "{name}: {} shapes, {compared} modes below {:.0} Hz, worst error {worst:.2e}",
        found.len(),
        0.5 * cut_off
    );
    assert!(compared >= 3 && worst < 1e-3, "{name}");
}

#[test]
fn clamped_and_free_frequencies_of_a_plate_and_a_portal() {
    let solid = [attachment("edge", true), attachment("far", false)];
    let feet = [attachment("1", true), attachment("109", true)];
    let cases = [("plate", plate(), solid.to_vec(), 20), ("portal", portal(), feet.to_vec(), 14)];
    for (name, mesh, attachments, count) in cases {
        let method = Method::CraigBampton(Wanted::Lowest(count));
        let (reduction, body) = reduced(mesh, &attachments, method);
        let cut_off = body.cut_off.unwrap();
        let (mass, stiffness) = clamped_matrices(&body, 0);
        let full = full_frequencies(&reduction, count);
        let found = frequencies(mass, &stiffness);
        assert_near_below_half_the_cut_off(&format!("{name}, clamped"), &found, &full, cut_off);
        let free = reduction.body.modes(Wanted::Lowest(count + 6)).unwrap().frequencies();
        let found = body.frequencies();
        assert_near_below_half_the_cut_off(&format!("{name}, free"), &found, &free[6..], cut_off);
    }
}

/// Rayleigh's principle: a smaller basis is stiffer.
#[test]
fn guyan_is_stiffer_than_craig_bampton_which_is_stiffer_than_the_body() {
    let attachments = [attachment("edge", true), attachment("far", false)];
    let lowest = |method| reduced(plate(), &attachments, method).1.frequencies()[0];
    let guyan = lowest(Method::Guyan);
    let bampton = lowest(Method::CraigBampton(Wanted::Lowest(10)));
    let full = reduce(plate(), &attachments, Method::Guyan).unwrap().body;
    let full = full.modes(Wanted::Lowest(7)).unwrap().frequencies()[6];
    println!("lowest free frequency: Guyan {guyan:.3}, Craig–Bampton {bampton:.3}, full {full:.3}");
    assert!(guyan > bampton && bampton >= full * (1.0 - 1e-9));
}

#[test]
fn statics_of_interfaces_are_exact_and_stress_is_recovered() {
    let attachments = [attachment("edge", true), attachment("far", false)];
    let methods =
        [Method::Guyan, Method::CraigBampton(Wanted::Lowest(6)), Method::Free(Wanted::Lowest(6))];
    for method in methods {
        let (reduction, body) = reduced(plate(), &attachments, method);
        let mut mesh = reduction.body.mesh.clone();
        hold(&mut mesh, &[reduction.interfaces[0].node], [true; 6]);
        let tip = reduction.interfaces[1].node;
        let full = Body::new(mesh, &[tip]).unwrap();
        let (force, moment) = (Vector3::new(300.0, -200.0, 100.0), Vector3::new(20.0, 10.0, -5.0));
        let loads: Vec<Load> = (0..3)
            .flat_map(|i| [(i, force[i]), (i + 3, moment[i])])
            .map(|(component, value)| Load { node: tip, component, value })
            .collect();
        let exact = full.displacement(&loads).unwrap();
        // the load works on the motion of its frame, rigid and elastic
        let motion = clamped(&body, 0);
        let frame = &body.frames[1];
        let shift = motion.rows(0, 3) - frame.position.cross_matrix() * motion.rows(3, 3);
        let displacement = shift + &frame.translation;
        let rotation = motion.rows(3, 3) + &frame.rotation;
        let loads = displacement.tr_mul(&force) + rotation.tr_mul(&moment);
        let q = DVector::from_fn(body.shapes(), |k, _| loads[k] / body.stiffness[k]);
        let found =
            [(&displacement * &q).as_slice().to_vec(), (&rotation * &q).as_slice().to_vec()];
        for i in 0..6 {
            let exact = exact[full.freedom.component(tip, i).unwrap()];
            let found = found[i / 3][i % 3];
            assert!((found / exact - 1.0).abs() < 1e-7, "{method:?} {i}: {found} {exact}");
        }
        let expected = body_stress(&full, &exact).unwrap();
        let recovered = body.surface.von_mises(q.as_slice());
        let expected: Vec<f64> = expected.chunks(6).map(von_mises).collect();
        let largest = expected.iter().fold(0.0_f64, |a, b| a.max(*b));
        let worst = expected.iter().zip(&recovered).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{method:?}: stress {largest:.4e} Pa, worst difference {:.1e}", worst / largest);
        assert!(worst < 1e-6 * largest);
        let spots = body.surface.hot_spots(&[q.as_slice().to_vec()], 5, 0.05);
        assert!(spots.len() == 5 && (spots[0].stress / largest - 1.0).abs() < 1e-6);
        assert!(spots.windows(2).all(|pair| pair[0].stress >= pair[1].stress));
    }
}

/// Numbers between -1 and 1, the same in every run.
fn arbitrary(count: usize, seed: u64) -> DVector<f64> {
    let mut state = seed;
    DVector::from_fn(count, |_, _| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

/// The energy of all nodes with the consistent mass of the mesh, without any tie.
fn energy_of_nodes(
    reduction: &Reduction,
    body: &FlexibleBody,
    q: &DVector<f64>,
    v: &DVector<f64>,
) -> f64 {
    let mut mesh = reduction.body.mesh.clone();
    mesh.ties.clear();
    let loose = Body::new(mesh, &[]).unwrap();
    let (linear, angular) = (v.fixed_rows::<3>(0).into_owned(), v.fixed_rows::<3>(3).into_owned());
    let rates = v.rows(6, body.shapes()).into_owned();
    let moved = &body.surface.displacement * q;
    let moving = &body.surface.displacement * &rates;
    let turning = &reduction.shapes * &rates;
    let velocity = DMatrix::from_fn(loose.freedom.count(), 1, |free, _| {
        let (node, i) = loose.freedom.owner(free);
        if i >= 3 {
            let same = reduction.body.freedom.component(node, i).unwrap();
            return angular[i - 3] + reduction.body.freedom.expand(turning.as_slice())[same];
        }
        let place = loose.mesh.nodes[node].position
            + Vector3::new(moved[3 * node], moved[3 * node + 1], moved[3 * node + 2]);
        (linear + angular.cross(&place))[i] + moving[3 * node + i]
    });
    0.5 * velocity.dot(&loose.matrices.mass_times(&velocity))
}

#[test]
fn kinetic_energy_is_that_of_the_finite_element_nodes() {
    let attachments = [attachment("edge", true), attachment("far", false)];
    let method = Method::CraigBampton(Wanted::Lowest(8));
    let (reduction, body) = reduced(plate(), &attachments, method);
    let n = body.shapes();
    for seed in 1..4 {
        // amplitudes that deform the plate by its own size: the identity is exact, not linearised
        let q = arbitrary(n, seed);
        let v = arbitrary(6 + n, 17 * seed);
        let expected = energy_of_nodes(&reduction, &body, &q, &v);
        let found = body.inertia.kinetic_energy(&q, &v);
        println!("energy {found:.12e}, of the nodes {expected:.12e}");
        assert!((found / expected - 1.0).abs() < 1e-12);
    }
    // beams have rotary inertia in the undeformed axes: the sum is exact where nothing is deformed
    let feet = [attachment("1", true), attachment("109", true)];
    let (reduction, body) = reduced(portal(), &feet, method);
    let (q, v) = (DVector::zeros(body.shapes()), arbitrary(6 + body.shapes(), 5));
    let expected = energy_of_nodes(&reduction, &body, &q, &v);
    let found = body.inertia.kinetic_energy(&q, &v);
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn integrals_of_a_box() {
    let attachments = [attachment("edge", true), attachment("far", false)];
    let (_, body) = reduced(plate(), &attachments, Method::CraigBampton(Wanted::Lowest(8)));
    let inertia = &body.inertia;
    let mass = common::DENSITY * 0.8 * 0.5 * 0.02;
    assert!((inertia.mass / mass - 1.0).abs() < 1e-12);
    assert!((inertia.centre() - Vector3::new(0.4, 0.25, 0.01)).amax() < 1e-12);
    let (a, b, c) = (0.8_f64.powi(2), 0.25, 0.0004);
    let exact = Matrix3::from_diagonal(&Vector3::new(b + c, a + c, a + b)) * (mass / 12.0);
    assert!((inertia.central() - exact).amax() < 1e-12 * mass);
    // shapes are orthonormal, and orthogonal to rigid motions: the frame is that of mean axes
    let n = body.shapes();
    assert!((&inertia.modal - DMatrix::identity(n, n)).amax() < 1e-9);
    let rest = inertia.mass_matrix(&DVector::zeros(n));
    assert!(
        body.floats && rest.view((0, 6), (6, n)).amax() < 1e-9,
        "{}",
        rest.view((0, 6), (6, n)).amax()
    );
    // gravity is the work of the field on the centre of mass
    let q = arbitrary(n, 3);
    let field = Vector3::new(1.0, -2.0, 9.81);
    let forces = inertia.gravity(&q, field);
    let potential = |q: &DVector<f64>| inertia.first_moment(q).dot(&field);
    for k in 0..n {
        let mut moved = q.clone();
        moved[k] += 1.0;
        assert!((potential(&moved) - potential(&q) - forces[6 + k]).abs() < 1e-9);
    }
    assert!((forces.fixed_rows::<3>(0) - field * mass).amax() < 1e-9);
}

/// One beam between two interfaces has nothing inside: its six elastic shapes are exact.
#[test]
fn a_single_beam_between_interfaces() {
    let profile = Profile::rectangle(0.03, 0.05);
    let ends = [attachment("1", true), attachment("2", true)];
    let method = Method::CraigBampton(Wanted::Lowest(4));
    let (reduction, body) = reduced(beam(0.7, 1, profile), &ends, method);
    let identity = DMatrix::identity(12, 12);
    let matrices = &reduction.body.matrices;
    let full = frequencies(matrices.mass_times(&identity), &matrices.stiffness_times(&identity));
    assert_eq!((body.shapes(), body.cut_off), (6, None));
    for (found, full) in body.frequencies().iter().zip(&full[6..]) {
        assert!((found / full - 1.0).abs() < 1e-6, "{found} {full}");
    }
}

#[test]
fn a_limit_of_frequency_is_the_cut_off() {
    let attachments = [attachment("edge", true)];
    let (_, body) = reduced(plate(), &attachments, Method::CraigBampton(Wanted::Below(500.0)));
    assert_eq!(body.cut_off, Some(500.0));
}

#[test]
fn damping_of_modes() {
    assert_eq!(Damping::Ratio(0.02).ratio(100.0), 0.02);
    let rayleigh = Damping::Rayleigh { mass: 2.0, stiffness: 1e-4 };
    assert!((rayleigh.ratio(100.0) - 0.5 * (0.02 + 0.01)).abs() < 1e-15);
}

#[test]
fn unsound_requests_are_refused() {
    let refused = |mesh: Mesh, attachments: &[Attachment], method| {
        reduce(mesh, attachments, method).err().expect("an error").to_string()
    };
    let bampton = Method::CraigBampton(Wanted::Lowest(4));
    let cases = [
        (
            refused(plate(), &[attachment("edeg", true)], bampton),
            "no node and no set; give the number of a node, or one of the sets edge, far",
        ),
        (refused(plate(), &[attachment("3", true)], bampton), "has no rotations"),
        (refused(plate(), &[], bampton), "neither interfaces nor supports"),
        (refused(plate(), &[], Method::Guyan), "no shapes without interfaces"),
        (
            refused(plate(), &[attachment("edge", true), attachment("edge", true)], bampton),
            "two interfaces are called edge",
        ),
        (
            refused(plate(), &[attachment("edge", true)], Method::Guyan),
            "no shape is left besides the rigid motions",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message}");
    }
}
