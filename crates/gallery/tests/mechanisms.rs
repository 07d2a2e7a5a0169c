//! The entries of known mechanisms.

use rotula_gallery::{entries, run};

fn reproduce(name: &str) {
    let entry = entries().into_iter().find(|entry| entry.name == name).expect("a listed entry");
    let finished = run(&entry);
    if std::env::var_os("ROTULA_PRINT").is_some() {
        for table in &finished.findings.tables {
            println!("{}\n{}", table.title, table.columns.join(" | "));
            table.rows.iter().for_each(|row| println!("{}", row.join(" | ")));
        }
    }
    let failing: Vec<_> = finished.checks.iter().filter(|check| !check.ok).collect();
    assert_eq!(finished.error, None, "{name}: {failing:#?}");
    assert!(failing.is_empty(), "{name}: {failing:#?}");
    assert_eq!(finished.status, "pass", "{name} checks nothing");
}

macro_rules! entry_tests {
    ($($function:ident = $name:literal),* $(,)?) => {
        $(#[test] fn $function() { reproduce($name); })*

        #[test]
        fn every_entry_has_a_test() {
            let tested = [$($name),*];
            for entry in entries().iter().filter(|entry| entry.document == "mechanisms") {
                assert!(tested.contains(&entry.name), "{} is not tested", entry.name);
            }
        }
    };
}

entry_tests! {
    squeezer = "mechanism-squeezer",
    heavy_top = "mechanism-heavy-top",
    planar_slider_crank = "mechanism-planar-slider-crank",
    spatial_slider_crank = "mechanism-spatial-slider-crank",
    bricard = "mechanism-bricard",
    double_four_bar = "mechanism-double-four-bar",
    bicycle = "mechanism-bicycle",
    composite_beam = "mechanism-composite-beam",
    static_beams = "mechanism-static-beams",
    flexible_slider_crank = "mechanism-flexible-slider-crank",
    turning_blade = "mechanism-turning-blade",
    princeton_beam = "mechanism-princeton-beam",
    curved_beam = "mechanism-curved-beam",
    elastica = "mechanism-elastica",
    right_angle_frame = "mechanism-right-angle-frame",
    lateral_buckling = "mechanism-lateral-buckling",
    rotating_shaft = "mechanism-rotating-shaft",
    car = "car",
    rotor = "rotor",
    turbine = "turbine",
}
