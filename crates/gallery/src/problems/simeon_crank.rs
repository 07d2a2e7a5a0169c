//! The planar slider crank with a flexible connecting rod.
//!
//! B. Simeon, *Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs*, Math.
//! Modelling of Systems 2 (1996) 1–18; the case of the public test set for initial value problems
//! with a linear stiffness and without damping or gravity.
//!
//! Coordinates: crank angle φ₁, rod angle φ₂, slider position x₃, and four elastic coordinates of the
//! rod: amplitudes of two bending modes, axial displacements of its middle and its end. With the
//! integrals of the shape functions over the rod (`B`, `c₁`, `c₂`, `c₁₂`, `c₂₁`) and `φ = φ₁ − φ₂`:
//!
//! ```text
//! T = ½(J₁ + m₂l₁²) φ̇₁² + ½(J₂ + qᵀM_q q + 2ρ c₁₂ᵀq) φ̇₂² + ½ m₃ẋ₃² + ½ q̇ᵀM_q q̇
//!     + φ̇₁φ̇₂ (½ l₁l₂m₂ cos φ + ρl₁(c₂ᵀq sin φ + c₁ᵀq cos φ))
//!     + φ̇₁ ρl₁(c₂ cos φ − c₁ sin φ)ᵀq̇ + φ̇₂ ρ(c₂₁ + Bᵀq)ᵀq̇,       V = ½ qᵀK q
//! ```

use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::{Component, Sizes, State, System};

const J1: f64 = 0.002_727;
const J2: f64 = 0.004_533_925_9;
const M2: f64 = 0.151_104;
const M3: f64 = 0.075_552;
const L1: f64 = 0.15;
const L2: f64 = 0.3;
const DENSITY: f64 = 7870.0;
const YOUNG: f64 = 2e11;
const WIDTH: f64 = 0.008;
const HEIGHT: f64 = 0.008;
const OMEGA: f64 = 150.0;
const AREA: f64 = WIDTH * HEIGHT;
/// As in the program that made the reference solution, which this shortened number limits.
#[allow(clippy::approx_constant)]
const PI: f64 = 3.141_592_7;

/// End of the interval of the test set.
pub const END: f64 = 0.1;

const NAMES: [&str; 7] = ["phi1", "phi2", "x3", "bend1", "bend2", "stretch_mid", "stretch_end"];

type Matrix = [[f64; 4]; 4];

/// The mechanism with the integrals of its shape functions.
#[derive(Clone, Copy, Debug)]
pub struct SimeonCrank {
    mass: Matrix,
    stiffness: Matrix,
    coupling: Matrix,
    c1: [f64; 4],
    c2: [f64; 4],
    c12: [f64; 4],
    c21: [f64; 4],
}

impl SimeonCrank {
    fn new() -> Self {
        let (volume, heavy) = (AREA * L2, DENSITY * AREA * L2);
        let stiff = YOUNG * AREA / L2;
        let bending = stiff * PI.powi(4) * (HEIGHT / L2).powi(2);
        let mut mass = [[0.0; 4]; 4];
        mass[0][0] = 0.5 * heavy;
        mass[1][1] = 0.5 * heavy;
        mass[2][2] = 8.0 * heavy;
        mass[2][3] = heavy;
        mass[3][2] = heavy;
        mass[3][3] = 2.0 * heavy;
        let mut stiffness = [[0.0; 4]; 4];
        stiffness[0][0] = bending / 24.0;
        stiffness[1][1] = bending * 2.0 / 3.0;
        stiffness[2][2] = stiff * 16.0 / 3.0;
        stiffness[2][3] = -stiff * 8.0 / 3.0;
        stiffness[3][2] = -stiff * 8.0 / 3.0;
        stiffness[3][3] = stiff * 7.0 / 3.0;
        let mut coupling = [[0.0; 4]; 4];
        for (i, j, value) in
            [(0, 2, -16.0 / PI.powi(3)), (0, 3, 8.0 / PI.powi(3) - 1.0 / PI), (1, 3, 0.5 / PI)]
        {
            coupling[i][j] = volume * value;
            coupling[j][i] = -volume * value;
        }
        SimeonCrank {
            mass,
            stiffness,
            coupling,
            c1: [0.0, 0.0, volume * 2.0 / 3.0, volume / 6.0],
            c2: [volume * 2.0 / PI, 0.0, 0.0, 0.0],
            c12: [0.0, 0.0, L2 * volume / 3.0, L2 * volume / 6.0],
            c21: [L2 * volume / PI, -L2 * volume * 0.5 / PI, 0.0, 0.0],
        }
    }
}

fn dot<T: Scalar>(a: &[f64; 4], b: &[T]) -> T {
    (0..4).map(|i| b[i] * a[i]).sum()
}

fn times<T: Scalar>(matrix: &Matrix, b: &[T]) -> [T; 4] {
    std::array::from_fn(|i| dot(&matrix[i], b))
}

fn product<T: Scalar>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).map(|(&x, &y)| x * y).sum()
}

impl Equations for SimeonCrank {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 3, ..Sizes::vector(7) }
    }

    fn mass<T: Scalar>(&self, _t: T, q: &[T], m: &mut MassMatrix<T>) {
        let (sin, cos) = (q[0] - q[1]).sin_cos();
        let e = &q[3..];
        let heavy = times(&self.mass, e);
        // qᵀB = −B q, as B is antisymmetric.
        let coupled = times(&self.coupling, e);
        let carried = (sin * dot(&self.c2, e) + cos * dot(&self.c1, e)) * (DENSITY * L1);
        m.set(0, 0, J1 + M2 * L1 * L1);
        m.set(0, 1, cos * (0.5 * L1 * L2 * M2) + carried);
        m.set(1, 1, product(e, &heavy) + dot(&self.c12, e) * (2.0 * DENSITY) + J2);
        m.set(2, 2, M3);
        for i in 0..4 {
            m.set(0, 3 + i, (cos * self.c2[i] - sin * self.c1[i]) * (DENSITY * L1));
            m.set(1, 3 + i, (-coupled[i] + self.c21[i]) * DENSITY);
            for j in 0..=i {
                m.set(3 + i, 3 + j, self.mass[i][j]);
            }
        }
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let (e, rates) = (&at.q[3..], &at.v[3..]);
        let (sin, cos) = (at.q[0] - at.q[1]).sin_cos();
        let (w1, w2) = (at.v[0], at.v[1]);
        let (c1q, c2q) = (dot(&self.c1, e), dot(&self.c2, e));
        let (c1r, c2r) = (dot(&self.c1, rates), dot(&self.c2, rates));
        let heavy = times(&self.mass, e);
        let rigid = sin * (0.5 * L1 * L2 * M2);
        f[0] = -rigid * w2 * w2 + w2 * w2 * (cos * c2q - sin * c1q) * (DENSITY * L1)
            - w2 * (cos * c1r + sin * c2r) * (2.0 * DENSITY * L1);
        f[1] = rigid * w1 * w1 + w1 * w1 * (sin * c1q - cos * c2q) * (DENSITY * L1)
            - w2 * dot(&self.c12, rates) * (2.0 * DENSITY)
            - w2 * product(rates, &heavy) * 2.0;
        let elastic = times(&self.stiffness, e);
        let coupled = times(&self.coupling, rates);
        for i in 0..4 {
            let drag = w2 * w2 * self.c12[i]
                + w1 * w1 * (cos * self.c1[i] + sin * self.c2[i]) * L1
                + w2 * coupled[i] * 2.0;
            f[3 + i] = w2 * w2 * heavy[i] + drag * DENSITY - elastic[i];
        }
    }

    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        let (sin1, cos1) = q[0].sin_cos();
        let (sin2, cos2) = q[1].sin_cos();
        let length = q[6] + L2;
        g[0] = sin1 * L1 + length * sin2;
        g[1] = q[2] - cos1 * L1 - length * cos2;
        g[2] = q[0] - t * OMEGA;
    }

    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => NAMES[i].to_owned(),
            Component::Constraint(i) => ["slider y", "slider x", "drive"][i].to_owned(),
            Component::State(i) | Component::Variable(i) => format!("auxiliary {}", i + 1),
            Component::Contact(i) => format!("contact {}", i + 1),
        }
    }
}

/// The mechanism at its published start.
pub fn simeon_crank() -> (Automatic<SimeonCrank>, State) {
    let system = Automatic::new(SimeonCrank::new());
    let mut state = State::zeros(system.sizes());
    let stretch = 1.693_279_69e-5;
    // Published as 0.450016933 and −74.995767: with all digits, so that the stiff rod starts without a
    // correction of its length.
    let (slider, rod_rate) = (L1 + L2 + stretch, -L1 * OMEGA / (L2 + stretch));
    state.q = vec![0.0, 0.0, slider, 0.0, 0.0, 1.033_398_63e-5, stretch];
    state.v = vec![
        OMEGA,
        rod_rate,
        -2.689_386_72e-6,
        0.444_896_105,
        0.004_634_343_11,
        -1.785_910_76e-6,
        -2.689_386_72e-6,
    ];
    (system, state)
}
