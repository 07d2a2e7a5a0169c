//! From a reduction to the data of a floating frame.

use crate::element;
use crate::error::MeshError;
use crate::flexible::{FlexibleBody, FlexibleFrame, Inertia, Surface};
use crate::freedom::Freedom;
use crate::given;
use crate::mesh::{Mesh, Shape};
use crate::reduce::{Damping, Reduction};
use crate::round_sections::RoundSections;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Columns that are collected before they are multiplied.
const BATCH: usize = 512;

/// Computes all integrals, shapes and stresses of a reduced body.
pub fn flexible_body(
    reduction: &Reduction,
    title: &str,
    damping: Damping,
) -> Result<FlexibleBody, MeshError> {
    let Reduction { body, shapes, values, .. } = reduction;
    let all = expanded(&body.freedom, shapes);
    let inertia = match &body.mesh.given {
        Some(given) => given::inertia(&body.mesh, given, &body.freedom, &all),
        None => inertia(&body.mesh, &body.freedom, &all)?,
    };
    let frame = |interface: &crate::reduce::Interface| {
        let start = body.freedom.component(interface.node, 0).expect("interfaces are used");
        FlexibleFrame {
            name: interface.name.clone(),
            position: body.mesh.nodes[interface.node].position,
            translation: all.rows(start, 3).into_owned(),
            rotation: all.rows(start + 3, 3).into_owned(),
        }
    };
    Ok(FlexibleBody {
        title: title.to_owned(),
        method: reduction.method.name().to_owned(),
        cut_off: reduction.cut_off,
        floats: reduction.floats,
        inertia,
        stiffness: values.clone(),
        damping: values.iter().map(|value| damping.ratio(value.sqrt())).collect(),
        frames: reduction.interfaces.iter().map(frame).collect(),
        surface: surface(&body.mesh, &body.freedom, &all)?,
    })
}

/// Shapes of all components, dependent ones included.
pub(crate) fn expanded(freedom: &Freedom, shapes: &DMatrix<f64>) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(freedom.components(), shapes.ncols());
    for (k, shape) in shapes.column_iter().enumerate() {
        let column = freedom.expand(shape.into_owned().as_slice());
        all.column_mut(k).copy_from_slice(&column);
    }
    all
}

/// Rows of the shapes that belong to the components of an element.
pub(crate) fn of_element(all: &DMatrix<f64>, components: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(components.len(), all.ncols(), |i, k| all[(components[i], k)])
}

fn inertia(mesh: &Mesh, freedom: &Freedom, all: &DMatrix<f64>) -> Result<Inertia, MeshError> {
    let n = all.ncols();
    let mut sum = Inertia {
        mass: 0.0,
        first: Vector3::zeros(),
        second: Matrix3::zeros(),
        spin: Matrix3::zeros(),
        shape_first: DMatrix::zeros(3, n),
        shape_second: DMatrix::zeros(3, 3 * n),
        shape_product: DMatrix::zeros(3 * n, 3 * n),
        shape_spin: DMatrix::zeros(3, n),
        modal: DMatrix::zeros(n, n),
    };
    let mut batch: Vec<f64> = Vec::with_capacity(3 * n * BATCH);
    let flush = |batch: &mut Vec<f64>, product: &mut DMatrix<f64>| {
        let columns = batch.len() / (3 * n).max(1);
        let points = DMatrix::from_column_slice(3 * n, columns, batch);
        *product += &points * points.transpose();
        batch.clear();
    };
    for element in &mesh.elements {
        let shapes = of_element(all, &freedom.of_element(element));
        for point in element::mass_points(mesh, element)? {
            let (mass, x) = (point.mass, point.position);
            let moved = &point.translation * &shapes;
            sum.mass += mass;
            sum.first += x * mass;
            sum.second += x * x.transpose() * mass;
            sum.shape_first += &moved * mass;
            for k in 0..n {
                let column = Vector3::new(moved[(0, k)], moved[(1, k)], moved[(2, k)]);
                let mut block = sum.shape_second.fixed_view_mut::<3, 3>(0, 3 * k);
                block += x * column.transpose() * mass;
            }
            batch.extend(moved.iter().map(|value| value * mass.sqrt()));
            if batch.len() >= 3 * n * BATCH {
                flush(&mut batch, &mut sum.shape_product);
            }
            if let Some((inertia, rotation)) = &point.spin {
                let turned = rotation * &shapes;
                let weighted = inertia * &turned;
                sum.spin += inertia;
                sum.modal += turned.tr_mul(&weighted);
                sum.shape_spin += weighted;
            }
        }
    }
    flush(&mut batch, &mut sum.shape_product);
    for k in 0..n {
        for l in 0..n {
            sum.modal[(k, l)] += sum.shape_product.fixed_view::<3, 3>(3 * k, 3 * l).trace();
        }
    }
    Ok(sum)
}

fn surface(mesh: &Mesh, freedom: &Freedom, all: &DMatrix<f64>) -> Result<Surface, MeshError> {
    let (count, n) = (mesh.nodes.len(), all.ncols());
    let mut displacement = DMatrix::zeros(3 * count, n);
    for node in 0..count {
        if let Some(start) = freedom.component(node, 0) {
            displacement.rows_mut(3 * node, 3).copy_from(&all.rows(start, 3));
        }
    }
    let turning: Vec<usize> =
        (0..count).filter(|node| freedom.component(*node, 3).is_some()).collect();
    let mut rotation = DMatrix::zeros(3 * turning.len(), n);
    for (place, &node) in turning.iter().enumerate() {
        if let Some(start) = freedom.component(node, 3) {
            rotation.rows_mut(3 * place, 3).copy_from(&all.rows(start, 3));
        }
    }
    let mut connectivity = Vec::new();
    let mut ends = Vec::new();
    let mut cells: Vec<u8> = mesh.elements.iter().map(|element| element.shape.vtk()).collect();
    for element in &mesh.elements {
        connectivity.extend(&element.nodes);
        ends.push(connectivity.len());
    }
    for (a, b) in mesh.given.iter().flat_map(|given| given.lines(mesh)) {
        connectivity.extend([a, b]);
        ends.push(connectivity.len());
        cells.push(Shape::Beam2.vtk());
    }
    Ok(Surface {
        labels: mesh.nodes.iter().map(|node| node.label).collect(),
        positions: mesh.nodes.iter().flat_map(|node| node.position.data.0[0]).collect(),
        displacement,
        turning,
        rotation,
        stress: nodal_stress(mesh, freedom, all)?,
        sections: RoundSections::of(mesh, freedom, all)?,
        cells,
        connectivity,
        ends,
        sets: mesh.node_sets.clone(),
    })
}

/// Stress at the nodes for displacements of all components, the mean over the elements around a
/// node: six rows per node.
pub(crate) fn nodal_stress(
    mesh: &Mesh,
    freedom: &Freedom,
    all: &DMatrix<f64>,
) -> Result<DMatrix<f64>, MeshError> {
    let mut stress = DMatrix::zeros(6 * mesh.nodes.len(), all.ncols());
    let mut around = vec![0u32; mesh.nodes.len()];
    for element in &mesh.elements {
        let Some(operator) = element::nodal_stress(mesh, element)? else { continue };
        let own = operator * of_element(all, &freedom.of_element(element));
        for (a, &node) in element.nodes.iter().enumerate() {
            let mut rows = stress.rows_mut(6 * node, 6);
            rows += own.rows(6 * a, 6);
            around[node] += 1;
        }
    }
    for (node, &count) in around.iter().enumerate().filter(|(_, count)| **count > 1) {
        stress.rows_mut(6 * node, 6).scale_mut(1.0 / f64::from(count));
    }
    Ok(stress)
}
