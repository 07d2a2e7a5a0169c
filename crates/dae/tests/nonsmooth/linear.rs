//! Linear bodies with linear gaps: masses, springs, constant forces and contact rows `G q + g₀`.

use rotula_dae::*;

#[derive(Clone)]
pub struct Linear {
    pub motion: usize,
    /// Entries `(row, column, value)` of mass and stiffness.
    pub mass: Vec<(usize, usize, f64)>,
    pub stiffness: Vec<(usize, usize, f64)>,
    pub force: Vec<f64>,
    /// Contact rows, each with its entries; `offset` belongs to normal rows.
    pub rows: Vec<Vec<(usize, f64)>>,
    pub offset: Vec<f64>,
    pub contacts: Vec<Contact>,
}

impl Linear {
    /// Point masses under constant forces.
    pub fn points(masses: &[f64], force: Vec<f64>) -> Self {
        Linear {
            motion: masses.len(),
            mass: masses.iter().enumerate().map(|(i, &m)| (i, i, m)).collect(),
            stiffness: Vec::new(),
            force,
            rows: Vec::new(),
            offset: Vec::new(),
            contacts: Vec::new(),
        }
    }

    /// Adds a contact: its rows (normal first) and the constant of its gap.
    pub fn with(mut self, contact: Contact, rows: Vec<Vec<(usize, f64)>>, offset: f64) -> Self {
        assert_eq!(contact.rows(), rows.len());
        self.contacts.push(contact);
        for (k, row) in rows.into_iter().enumerate() {
            self.rows.push(row);
            self.offset.push(if k == 0 { offset } else { 0.0 });
        }
        self
    }

    pub fn state(&self, q: &[f64], v: &[f64]) -> State {
        let mut state = State::zeros(self.sizes());
        state.q.copy_from_slice(q);
        state.v.copy_from_slice(v);
        state
    }

    fn pattern(&self) -> Pattern {
        let entries: Vec<_> = self.mass.iter().chain(&self.stiffness).map(|e| (e.0, e.1)).collect();
        Pattern::from_entries(self.motion, self.motion, &entries)
    }

    fn row_pattern(&self) -> Pattern {
        // All rows of one contact share their columns.
        let mut entries = Vec::new();
        let mut first = 0;
        for contact in &self.contacts {
            let range = first..first + contact.rows();
            first = range.end;
            for row in range.clone() {
                for other in range.clone() {
                    entries.extend(self.rows[other].iter().map(|&(j, _)| (row, j)));
                }
            }
        }
        Pattern::from_entries(self.rows.len(), self.motion, &entries)
    }

    fn fill_rows(&self, factor: f64, values: &mut [f64]) {
        let pattern = self.row_pattern();
        values.fill(0.0);
        for (i, row) in self.rows.iter().enumerate() {
            for &(j, value) in row {
                values[pattern.position(i, j).unwrap()] += factor * value;
            }
        }
    }
}

impl System for Linear {
    fn sizes(&self) -> Sizes {
        Sizes::vector(self.motion)
    }

    fn patterns(&self) -> Patterns {
        Patterns { dynamics: self.pattern(), ..Patterns::dense(self.sizes()) }
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out.fill(0.0);
        if terms.inertia {
            self.mass.iter().for_each(|&(i, j, m)| out[i] += m * at.vdot[j]);
        }
        if terms.forces {
            self.stiffness.iter().for_each(|&(i, j, k)| out[i] += k * at.q[j]);
            (0..self.motion).for_each(|i| out[i] -= self.force[i]);
        }
    }

    fn tangent(&mut self, _at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        let pattern = self.pattern();
        values.fill(0.0);
        if terms.inertia {
            for &(i, j, m) in &self.mass {
                values[pattern.position(i, j).unwrap()] += weights.mass * m;
            }
        }
        if terms.forces {
            for &(i, j, k) in &self.stiffness {
                values[pattern.position(i, j).unwrap()] += weights.stiffness * k;
            }
        }
    }

    rotula_dae::hand_out!(Contacts, Energetics);
}

impl Contacts for Linear {
    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn contact_patterns(&self) -> ContactPatterns {
        ContactPatterns {
            rows: self.row_pattern(),
            curvature: Pattern::empty(self.motion, self.motion),
        }
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let mut first = 0;
        for contact in &self.contacts {
            for k in 0..contact.rows() {
                let row = first + k;
                let dot = |x: &[f64]| self.rows[row].iter().map(|&(j, g)| g * x[j]).sum::<f64>();
                out[row] = match level {
                    Level::Position if k > 0 => 0.0,
                    Level::Position => dot(at.q) + self.offset[row],
                    Level::Velocity => dot(at.v),
                    Level::Acceleration => dot(at.vdot),
                };
            }
            first += contact.rows();
        }
    }

    fn contact_gradient(&mut self, _at: &Point, values: &mut [f64]) {
        self.fill_rows(1.0, values);
    }

    fn contact_tangent(&mut self, level: Level, _at: &Point, w: Weights, values: &mut [f64]) {
        let factor = match level {
            Level::Position => w.stiffness,
            Level::Velocity => w.damping,
            Level::Acceleration => w.mass,
        };
        self.fill_rows(factor, values);
        if level == Level::Position {
            let pattern = self.row_pattern();
            let mut first = 0;
            for contact in &self.contacts {
                for (entry, (row, _)) in pattern.iter().enumerate() {
                    if row > first && row < first + contact.rows() {
                        values[entry] = 0.0;
                    }
                }
                first += contact.rows();
            }
        }
    }
}

impl Energetics for Linear {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        let kinetic = self.mass.iter().map(|&(i, j, m)| 0.5 * m * at.v[i] * at.v[j]).sum();
        let elastic: f64 =
            self.stiffness.iter().map(|&(i, j, k)| 0.5 * k * at.q[i] * at.q[j]).sum();
        let weight: f64 = self.force.iter().zip(at.q).map(|(f, q)| f * q).sum();
        Some(Energy { kinetic, potential: elastic - weight })
    }
}
