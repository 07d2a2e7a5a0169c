//! The bend of 45 degrees of Bathe and Bolourchi.

use super::static_beams::meshes;
use crate::entries::convergence::{Meshes, convergence};
use crate::entries::doc003::support::{numbers, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever::{self, Cantilever};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-curved-beam",
    document: "mechanisms",
    title: "Curved beam of Bathe and Bolourchi",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/mechanism-curved-beam/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let bend = cantilever::bend();
    let fine = bend.deflection(16, 4)?;
    let mut rows = Vec::new();
    // what a mesh like that of the paper leaves open, and half a unit of its last digit
    let coarse = (bend.deflection(8, 2)? - fine).norm() + 0.05;
    let known = numbers(&data, "/paper")?;
    for ((axis, found), paper) in ["x", "y", "z"].iter().zip(fine.abs().iter()).zip(known) {
        findings.near(format!("arc, tip along {axis} beside the paper"), *found, paper, coarse);
        rows.push(vec![(*axis).to_owned(), format!("{found:.6}"), paper.to_string()]);
    }
    findings.table("Tip of the arc (in)", &["axis", "16 elements of 4 nodes", "1979"], rows);
    let [two, three, four] = meshes([2e-2, 1e-4, 1e-6]);
    let four = Meshes { counts: &[1, 2, 4], order: (6.0, 1.0), bound: 5e-5, ..four };
    convergence(
        findings,
        ("arc, to the finest mesh", "in"),
        &[two, three, four],
        |elements, each| Ok((bend.deflection(elements, each)? - fine).norm()),
    )?;
    let exact = numbers(&data, "/three_points")?;
    let exact = Vector3::new(exact[0], exact[1], exact[2]);
    let parabola = Parabola::through([38.2683, -7.61205], [70.7107, -29.2893]);
    let [two, three, _] = meshes([2e-2, 1e-4, 0.0]);
    convergence(findings, ("axis through three points", "in"), &[two, three], |elements, each| {
        Ok((parabola.tip(&bend, elements, each)?.abs() - exact).norm())
    })
}

/// The axis y = ax + bx² of the same beam in other programs, which is not clamped along the tangent of the arc.
struct Parabola {
    a: f64,
    b: f64,
    end: f64,
}

impl Parabola {
    fn through([x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Parabola {
        let b = (y2 / x2 - y1 / x1) / (x2 - x1);
        Parabola { a: y1 / x1 - b * x1, b, end: x2 }
    }

    fn slope(&self, x: f64) -> f64 {
        self.a + 2.0 * self.b * x
    }

    /// Length of its arc from the origin.
    fn arc(&self, x: f64) -> f64 {
        let part = |s: f64| 0.5 * (s * s.hypot(1.0) + s.asinh());
        (part(self.slope(x)) - part(self.a)) / (2.0 * self.b)
    }

    fn place(&self, s: f64) -> Frame {
        let mut x = s;
        for _ in 0..20 {
            x -= (self.arc(x) - s) / self.slope(x).hypot(1.0);
        }
        let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, self.slope(x).atan()));
        Frame::new(Vector3::new(x, self.a * x + self.b * x * x, 0.0), turn)
    }

    /// Displacement of the tip of a beam along it.
    fn tip(
        &self,
        beam: &Cantilever,
        elements: usize,
        each: usize,
    ) -> Result<Vector3<f64>, GalleryError> {
        let (length, nodes) = (self.arc(self.end), elements * (each - 1));
        let mut line = beam.line(elements, each);
        line.frames = (0..=nodes).map(|k| self.place(length * k as f64 / nodes as f64)).collect();
        line.lengths = Some(vec![length / elements as f64; elements]);
        let [from, to] = beam.rest(&line)?[nodes];
        Ok(to - from)
    }
}
