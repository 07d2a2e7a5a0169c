//! Figures without a browser.

use rotula_report::{Axis, Figure, Series, Stroke, plot_png, plot_svg};
use std::path::Path;

fn figure() -> Figure {
    let mut figure = Figure::new("a < b & c", Axis::log("time [s]"), Axis::log("error"));
    for i in 0..14 {
        let points = (1..6).map(|k| (f64::from(k), f64::from(i + 1) * 0.1f64.powi(k))).collect();
        figure = figure.with(Series::marked(format!("method {i}"), points));
    }
    figure.with(Series::guide("order 2", vec![(1.0, 1.0), (5.0, 0.04)]))
}

#[test]
fn svg_tells_series_apart() {
    let svg = figure().to_svg();
    assert!(svg.contains("a &lt; b &amp; c") && svg.contains("10⁻³"));
    // Each swatch of the legend is a line and a mark: no two alike.
    let looks: Vec<String> = (0..14)
        .map(|i| {
            let end = svg.find(&format!(">method {i}<")).unwrap();
            let entry = &svg[svg[..end].rfind("h28\"").unwrap()..end];
            let shape = &entry[entry.find("<path").unwrap()..];
            let digits = |c: char| c.is_ascii_digit() || c == '.';
            let steps = shape.split('m').skip(1).collect::<String>();
            let colour = &entry[entry.find('#').unwrap()..][..7];
            format!("{colour}{}", steps.split("fill").next().unwrap().trim_matches(digits))
        })
        .collect();
    let mut distinct = looks.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), looks.len(), "{looks:?}");
}

#[test]
fn png_has_pixels_and_text() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figure");
    std::fs::create_dir_all(&directory).unwrap();
    plot_svg(&directory.join("figure.svg"), &figure()).unwrap();
    plot_png(&directory.join("figure.png"), &figure()).unwrap();
    let png = std::fs::read(directory.join("figure.png")).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..24], [0, 0, 7, 8, 0, 0, 4, 96], "1800 × 1120 pixels");
    // A title must change the picture: fonts are there.
    let untitled = Figure { title: " ".into(), ..figure() };
    assert_ne!(untitled.to_png(1.0).unwrap(), figure().to_png(1.0).unwrap());
}

#[test]
fn odd_values_do_no_harm() {
    let points = vec![(0.0, 1.0), (f64::NAN, 2.0), (1.0, -1.0), (2.0, f64::INFINITY)];
    for axis in [Axis::linear("x"), Axis::log("x"), Axis::log("x").between(1.0, 1.0)] {
        let figure = Figure::new("", axis.clone(), axis)
            .with(Series::line("\u{1}", points.clone()).stroke(Stroke::Dotted))
            .with(Series::marked("", vec![(3.0, 3.0)]));
        assert!(!figure.to_svg().contains("NaN"));
        figure.to_png(1.0).unwrap();
    }
    Figure::new("", Axis::default(), Axis::default()).to_png(1.0).unwrap();
}

#[test]
fn labels_of_an_axis_do_not_touch() {
    // less than a decade on a narrow figure: all parts from 2 to 9 would like a label
    let points = vec![(4e-3, 1.0), (1.5e-2, 2.0)];
    let mut figure = Figure::new("", Axis::log("h (s)"), Axis::linear("y"));
    figure.size = (300, 300);
    let svg = figure.with(Series::line("", points)).to_svg();
    let mut places: Vec<(f64, usize)> = svg
        .split("<text x=\"")
        .skip(1)
        .filter(|part| part.contains("·10") || part.contains(">10"))
        .map(|part| {
            let x = part.split('"').next().and_then(|x| x.parse().ok()).expect("a place");
            let label = part.split('>').nth(1).and_then(|rest| rest.split('<').next());
            (x, label.map_or(0, |label| label.chars().count()))
        })
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(places.len() >= 2, "{places:?}");
    for pair in places.windows(2) {
        let room = 0.6 * 13.0 * 0.5 * (pair[0].1 + pair[1].1) as f64;
        assert!(pair[1].0 - pair[0].0 >= room, "{places:?}");
    }
}
