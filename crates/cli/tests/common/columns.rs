//! Columns of a run, read from its table as a user reads them, and what must hold among them.

use super::Place;
use super::table::Table;

/// Three components.
pub type Vector = [f64; 3];

/// The columns of a run, all of them numbers.
pub struct Columns {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Columns {
    /// Runs a model; nothing may fail, stop early or be undefined.
    pub fn of(text: &str, until: f64) -> Columns {
        let place = Place::new();
        place.run(text, &[], "out");
        let found = Columns::read(&place, "out", until);
        assert!(found.rows() > 50, "{} rows", found.rows());
        found
    }

    /// The columns of a run that reached `until`.
    pub fn read(place: &Place, directory: &str, until: f64) -> Columns {
        let table = Table::read(place, &format!("{directory}/trajectory.csv"));
        let names = table.headings().to_vec();
        let columns = names.iter().map(|name| table.numbers(name)).collect();
        assert!(table.len() > 20, "{} rows", table.len());
        assert!((table.last("t") - until).abs() < 1e-9, "it stopped early");
        Columns { names, columns }
    }

    pub fn rows(&self) -> usize {
        self.columns[0].len()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let k = self.names.iter().position(|own| own == name);
        let k = k.unwrap_or_else(|| panic!("no {name} in {:?}", self.names));
        self.columns[k].clone()
    }

    pub fn at(&self, name: &str, row: usize) -> f64 {
        self.column(name)[row]
    }

    /// The largest absolute value of a column.
    pub fn largest(&self, name: &str) -> f64 {
        self.column(name).iter().fold(0.0, |most, value| most.max(value.abs()))
    }

    pub fn vectors(&self, name: &str, parts: [&str; 3]) -> Vec<Vector> {
        let [x, y, z] = parts.map(|part| self.column(&format!("{name}.{part}")));
        (0..x.len()).map(|i| [x[i], y[i], z[i]]).collect()
    }

    pub fn sensor(&self, name: &str) -> Vec<Vector> {
        self.vectors(name, ["x", "y", "z"])
    }

    pub fn force(&self, name: &str) -> Vec<Vector> {
        self.vectors(name, ["fx", "fy", "fz"])
    }

    pub fn moment(&self, name: &str) -> Vec<Vector> {
        self.vectors(name, ["mx", "my", "mz"])
    }
}

/// Terms of a balance, row by row, with the sign with which they count.
#[derive(Default)]
pub struct Balance {
    sum: Vec<Vector>,
    largest: f64,
}

impl Balance {
    pub fn add(mut self, sign: f64, terms: &[Vector]) -> Self {
        self.sum.resize(terms.len(), [0.0; 3]);
        for (sum, term) in self.sum.iter_mut().zip(terms) {
            for k in 0..3 {
                sum[k] += sign * term[k];
                self.largest = self.largest.max(term[k].abs());
            }
        }
        self
    }

    /// The rest is judged beside moments of these forces at a lever arm, of which the terms are a small part.
    pub fn beside(mut self, arm: f64, forces: &[Vector]) -> Self {
        for force in forces.iter().flatten() {
            self.largest = self.largest.max(arm * force.abs());
        }
        self
    }

    /// The largest rest, relative to the largest term.
    pub fn close(self, what: &str, bound: f64) {
        let rest = self.sum.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        assert!(self.largest > 1.0, "{what}: nothing acts");
        let relative = rest / self.largest;
        assert!(relative < bound, "{what}: {rest} is left of {}", self.largest);
    }
}

pub fn moments(places: &[Vector], about: &[Vector], forces: &[Vector]) -> Vec<Vector> {
    let cross = |i: usize| {
        let f = forces[i];
        let r = [0, 1, 2].map(|k| places[i][k] - about[i][k]);
        [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]]
    };
    (0..forces.len()).map(cross).collect()
}

/// `m (a − g)`.
pub fn inertia(mass: f64, accelerations: &[Vector]) -> Vec<Vector> {
    let felt = |a: &Vector| [a[0], a[1], a[2] + 9.81].map(|x| mass * x);
    accelerations.iter().map(felt).collect()
}

pub fn near(what: &str, left: &[f64], right: &[f64], bound: f64) {
    assert_eq!(left.len(), right.len());
    let size = left.iter().fold(1e-9, |most: f64, value| most.max(value.abs()));
    for (a, b) in left.iter().zip(right) {
        assert!((a - b).abs() <= bound * size, "{what}: {a} is not {b}");
    }
}

pub fn times(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}
