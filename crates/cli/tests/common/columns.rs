//! Columns of a run, read from its table as a user reads them, and what must hold among them.

use super::Place;

/// Three components.
pub type Vector = [f64; 3];

/// The columns of a run.
pub struct Columns {
    names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Columns {
    /// Runs a model; nothing may fail, stop early or be undefined.
    pub fn of(text: &str, until: f64) -> Columns {
        let place = Place::new();
        place.write("model.toml", text);
        let said = place.rotula(&["run", "model.toml", "-o", "out", "--format", "csv"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let csv = place.read("out/trajectory.csv");
        let mut lines = csv.lines();
        let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let number = |text: &str| text.parse::<f64>().unwrap();
        let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(number).collect()).collect();
        assert!(rows.iter().flatten().all(|value| value.is_finite()));
        assert!(rows.len() > 50, "{} rows", rows.len());
        assert!((rows.last().unwrap()[0] - until).abs() < 1e-9, "it stopped early");
        Columns { names, rows }
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let k = self.names.iter().position(|own| own == name);
        let k = k.unwrap_or_else(|| panic!("no {name} in {:?}", self.names));
        self.rows.iter().map(|row| row[k]).collect()
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
