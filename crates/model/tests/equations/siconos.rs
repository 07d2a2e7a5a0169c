//! Time stepping of many impacts against another program.

use rotula_dae::{Output, simulate};
use rotula_model::equations::Model;
use std::fmt::Write;

const BEADS: usize = 10;

/// Beads of radius 0.1 fall upon each other and upon the floor, with restitution 0.9.
fn column(beads: usize) -> String {
    let mut text = String::from("[coordinates]\n");
    for i in 0..beads {
        writeln!(text, "x{i} = {{ at = {}, velocity = 0 }}", 1.0 + 0.25 * i as f64).unwrap();
    }
    text += "[mass]\n";
    (0..beads).for_each(|i| writeln!(text, "x{i} = 1").unwrap());
    text += "[force]\n";
    (0..beads).for_each(|i| writeln!(text, "x{i} = -9.81").unwrap());
    text += "[gap]\nfloor = { gap = \"x0 - 0.1\", restitution = 0.9 }\n";
    for i in 1..beads {
        let gap = format!("x{i} - x{} - 0.2", i - 1);
        writeln!(text, "pair{i} = {{ gap = \"{gap}\", restitution = 0.9 }}").unwrap();
    }
    text + "[solve]\nformulation = \"moreau-jean\"\ntheta = 0.5\nstep = 5e-4\nuntil = 2.0\n"
}

/// Hundreds of impacts, many of them in the same step, until the column rests: the same numbers as
/// those of Siconos, as far as they are printed.
#[test]
fn a_column_of_beads_falls_as_in_siconos() {
    let table = include_str!("data/siconos_beads.csv");
    let rows: Vec<Vec<f64>> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(',').map(|number| number.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 11);
    let model = Model::parse(&column(BEADS), "beads.toml", &[]).unwrap();
    let mut settings = model.settings().unwrap();
    settings.output = Output::EachStep;
    let outcome =
        simulate(&mut model.system(), &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    let path = &outcome.trajectory;
    for row in rows {
        let k = (row[0] / 5e-4).round() as usize;
        assert!((path.times[k] - row[0]).abs() < 1e-9);
        for i in 0..BEADS {
            let found = [path.q.row(k)[i], path.v.row(k)[i]];
            for (found, expected) in found.into_iter().zip(&row[1 + 2 * i..]) {
                assert!((found - expected).abs() < 1e-10, "t = {}, bead {i}: {found}", row[0]);
            }
        }
    }
}

/// A column too tall for sweeps from contact to contact: all are solved at once.
#[test]
fn a_tall_column_comes_to_rest() {
    let model = Model::parse(&column(100), "beads.toml", &[]).unwrap();
    let mut settings = model.settings().unwrap();
    settings.until = 1.2;
    let outcome =
        simulate(&mut model.system(), &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    assert_eq!(outcome.trajectory.statistics.rejected_by_iteration, 0);
    let q = &outcome.state.q;
    // Time stepping sees a contact when the middle of a step is inside: half a step late.
    let late = 0.5 * 5e-4 * 9.81 * 1.2;
    assert!(q[0] > 0.1 - late && q.windows(2).all(|pair| pair[1] - pair[0] > 0.2 - 2.0 * late));
    // The lower beads lie still.
    assert!(outcome.state.v[..10].iter().all(|v| v.abs() < 1e-9), "{:?}", &outcome.state.v[..10]);
}
