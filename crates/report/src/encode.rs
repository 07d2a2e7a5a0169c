//! Panels as data of the page: numbers as base64.

use crate::film;
use crate::floors::Floors;
use crate::panels::{Grid, Panel};
use crate::run::Run;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// The data of the page's script.
pub(crate) fn encode(run: &Run, panels: &[Panel], floors: &Floors) -> Value {
    let steps: Vec<f64> = run.trajectory.steps.iter().map(|step| step.t).collect();
    let mut grids = Grids::default();
    let panels: Vec<Value> = panels
        .iter()
        .map(|panel| {
            let times = match panel.grid {
                Grid::Recorded => &run.trajectory.times,
                Grid::Steps => &steps,
            };
            let curves: Vec<Value> = panel
                .curves
                .iter()
                .map(|curve| {
                    let grid = grids.add(panel.grid, times, curve.kept.as_deref());
                    let values = curve.values.iter().map(|&value| (value as f32).to_le_bytes());
                    json!({
                        "name": curve.name,
                        "group": group(&curve.name),
                        "unit": curve.unit,
                        "grid": grid,
                        "values": base64(values),
                        "thinned": curve.kept.is_some(),
                    })
                })
                .collect();
            json!({
                "id": panel.id,
                "log": panel.log,
                "style": panel.style.word(),
                "curves": curves,
            })
        })
        .collect();
    let range = range(&[&run.trajectory.times, &steps]);
    let scene = run.film.and_then(film::scene);
    json!({
        "name": run.title,
        "time": run.units.time,
        "range": range,
        "grids": grids.encoded,
        "panels": panels,
        "scene": scene,
        "events": events(run),
        "floors": floors.all(),
    })
}

/// Impacts as marks of the time axis; of very many the strongest.
fn events(run: &Run) -> Vec<Value> {
    const MOST: usize = 2_000;
    let contacts = &run.trajectory.contacts;
    let mut impacts: Vec<_> = contacts.impacts.iter().collect();
    impacts.sort_by(|a, b| b.impulse.total_cmp(&a.impulse));
    impacts.truncate(MOST);
    let name = |contact: usize| contacts.touching.contacts.get(contact).map(|own| &own.name);
    let event = |impact: &&rotula_dae::Impact| json!({ "t": impact.t, "name": name(impact.contact), "size": impact.impulse });
    impacts.iter().map(event).collect()
}

/// First and last time of all axes, if they differ.
fn range(axes: &[&[f64]]) -> Option<[f64; 2]> {
    let all = || axes.iter().copied().flatten().copied();
    let (first, last) =
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    (first < last).then_some([first, last])
}

/// Time axes; curves that keep all their rows share one.
#[derive(Default)]
struct Grids {
    encoded: Vec<String>,
    whole: [Option<usize>; 2],
}

impl Grids {
    fn add(&mut self, grid: Grid, times: &[f64], kept: Option<&[usize]>) -> usize {
        let shared = &mut self.whole[(grid == Grid::Steps) as usize];
        if let (None, Some(index)) = (kept, *shared) {
            return index;
        }
        let index = self.encoded.len();
        if kept.is_none() {
            *shared = Some(index);
        }
        // Times keep full precision: neighbours may differ by little late in a long run.
        self.encoded.push(base64(pick(times, kept).iter().map(|t| t.to_le_bytes())));
        index
    }
}

fn pick(values: &[f64], kept: Option<&[usize]>) -> Vec<f64> {
    match kept {
        Some(kept) => kept.iter().map(|&i| values[i]).collect(),
        None => values.to_vec(),
    }
}

/// Numbers as text.
pub(crate) fn base64<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> String {
    STANDARD.encode(numbers.flatten().collect::<Vec<u8>>())
}

/// What a name belongs to: everything before its last point, `crank` of `crank.x`.
fn group(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(group, _)| group)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_grouped_by_what_they_belong_to() {
        assert_eq!(super::group("arm.crank.x"), "arm.crank");
        assert_eq!(super::group("x"), "");
    }
}
