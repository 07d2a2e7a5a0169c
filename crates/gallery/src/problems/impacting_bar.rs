//! An elastic bar of 200 linear elements that flies against a wall. [Brüls et al. 2018, sheet §6.3]

use rotula_dae::*;

const ELEMENTS: usize = 200;
const MODULUS: f64 = 900.0;
const LENGTH: f64 = 10.0;

/// How the mass of an element is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassKind {
    /// Half of it at each node.
    Lumped,
    /// By the shape functions.
    Consistent,
}

/// See the [module](self).
#[derive(Clone)]
pub struct ImpactingBar {
    pattern: Pattern,
    mass: Vec<f64>,
    stiffness: Vec<f64>,
    contacts: Vec<Contact>,
}

impl ImpactingBar {
    /// A bar of unit density and section.
    pub fn new(kind: MassKind) -> Self {
        let nodes = ELEMENTS + 1;
        let l = LENGTH / ELEMENTS as f64;
        let elements = (0..ELEMENTS).map(|i| (i, i + 1));
        let entries: Vec<_> =
            elements.clone().flat_map(|(i, j)| [(i, i), (i, j), (j, i), (j, j)]).collect();
        let pattern = Pattern::from_entries(nodes, nodes, &entries);
        let (mut mass, mut stiffness) =
            (vec![0.0; pattern.entries()], vec![0.0; pattern.entries()]);
        let [own, other] = match kind {
            MassKind::Lumped => [l / 2.0, 0.0],
            MassKind::Consistent => [l / 3.0, l / 6.0],
        };
        for (i, j) in elements {
            for (a, b) in [(i, i), (j, j), (i, j), (j, i)] {
                let place = pattern.position(a, b).expect("an entry of the element");
                mass[place] += if a == b { own } else { other };
                stiffness[place] += MODULUS / l * if a == b { 1.0 } else { -1.0 };
            }
        }
        ImpactingBar { pattern, mass, stiffness, contacts: vec![Contact::smooth(0.0)] }
    }

    /// The start: 5 m from the wall, at 10 m/s.
    pub fn start(&self) -> State {
        let mut state = State::zeros(self.sizes());
        state.v.fill(-10.0);
        state
    }

    /// Velocity of the centre of mass.
    pub fn mean_velocity(&self, v: &[f64]) -> f64 {
        let mut momentum = vec![0.0; v.len()];
        self.pattern.multiply_add(&self.mass, 1.0, v, &mut momentum);
        momentum.iter().sum::<f64>() / LENGTH
    }
}

impl System for ImpactingBar {
    fn sizes(&self) -> Sizes {
        Sizes::vector(ELEMENTS + 1)
    }

    fn patterns(&self) -> Patterns {
        Patterns { dynamics: self.pattern.clone(), ..Patterns::dense(self.sizes()) }
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out.fill(0.0);
        if terms.inertia {
            self.pattern.multiply_add(&self.mass, 1.0, at.vdot, out);
        }
        if terms.forces {
            self.pattern.multiply_add(&self.stiffness, 1.0, at.q, out);
        }
    }

    fn tangent(&mut self, _at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        let mass = if terms.inertia { weights.mass } else { 0.0 };
        let stiffness = if terms.forces { weights.stiffness } else { 0.0 };
        for (i, value) in values.iter_mut().enumerate() {
            *value = mass * self.mass[i] + stiffness * self.stiffness[i];
        }
    }

    rotula_dae::hand_out!(Description, Contacts, Energetics);
}

impl Description for ImpactingBar {
    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => format!("node {i}"),
            Component::Contact(_) => "wall".into(),
            other => format!("{other:?}"),
        }
    }
}

impl Contacts for ImpactingBar {
    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn contact_patterns(&self) -> ContactPatterns {
        let nodes = ELEMENTS + 1;
        ContactPatterns {
            rows: Pattern::from_entries(1, nodes, &[(0, 0)]),
            curvature: Pattern::empty(nodes, nodes),
        }
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        out[0] = match level {
            Level::Position => at.q[0] + 5.0,
            Level::Velocity => at.v[0],
            Level::Acceleration => at.vdot[0],
        };
    }

    fn contact_gradient(&mut self, _at: &Point, values: &mut [f64]) {
        values[0] = 1.0;
    }

    fn contact_tangent(&mut self, level: Level, _at: &Point, w: Weights, values: &mut [f64]) {
        values[0] = match level {
            Level::Position => w.stiffness,
            Level::Velocity => w.damping,
            Level::Acceleration => w.mass,
        };
    }
}

impl Energetics for ImpactingBar {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        let half = |values: &[f64], x: &[f64]| {
            let mut product = vec![0.0; x.len()];
            self.pattern.multiply_add(values, 0.5, x, &mut product);
            product.iter().zip(x).map(|(a, b)| a * b).sum()
        };
        Some(Energy { kinetic: half(&self.mass, at.v), potential: half(&self.stiffness, at.q) })
    }
}
