//! Panels as data of the page: decimated curves, numbers as base64.

use crate::decimate::decimate;
use crate::panels::{Grid, Panel};
use crate::run::Run;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// Points of all curves together: with 16 characters each, about 6 MB of the page.
const POINTS: usize = 400_000;
/// Most points of a curve: more than a screen has columns, for zooming.
const MOST: usize = 4_000;
/// Fewest points of a curve.
const FEWEST: usize = 200;

/// The data of the page's script.
pub(crate) fn encode(run: &Run, panels: &[Panel]) -> Value {
    let steps: Vec<f64> = run.trajectory.steps.iter().map(|step| step.t).collect();
    let mut grids = Grids::default();
    let curves = panels.iter().map(|panel| panel.curves.len()).sum::<usize>().max(1);
    let limit = (POINTS / curves).clamp(FEWEST, MOST);
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
                    let kept = decimate(&curve.values, limit);
                    let grid = grids.add(panel.grid, times, kept.as_deref());
                    let values = pick(&curve.values, kept.as_deref());
                    json!({
                        "name": curve.name,
                        "group": group(&curve.name),
                        "unit": curve.unit,
                        "grid": grid,
                        "values": base64(values.iter().map(|&value| (value as f32).to_le_bytes())),
                        "thinned": kept.is_some(),
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
    json!({ "time": run.units.time, "range": range, "grids": grids.encoded, "panels": panels })
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

fn base64<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> String {
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
