//! Condition number of the iteration matrix of the spatial slider crank: flat in `h` once the
//! constraint rows are divided by `βh²`. [003, after eq. 14]

use super::support::{numbers, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::rods::Coordinates;
use crate::problems::spatial_slider_crank::slider_crank;
use rotula_dae::{
    Coefficients, Formulation, HhtMode, InitialPolicy, Settings, StepControl,
    iteration_matrix_condition, make_consistent,
};

const REFERENCE: &str = include_str!("../../../../../gallery/hht-conditioning/reference.json");
const STEPS: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

pub(super) const ENTRY: Entry = Entry {
    name: "hht-conditioning",
    document: "003",
    title: "HHT-I3: conditioning of the iteration matrix against the step size",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let alpha = Coefficients::hht(-0.3)?;
    let forms = [
        (
            "rows multiplied by βh² (option b)",
            Formulation::Index3 { scaling: false, augmented: false },
        ),
        ("rows divided by βh² (option c)", Formulation::HhtI3(HhtMode::Paper)),
        ("recommended mode, scaled", Formulation::HhtI3(HhtMode::Recommended)),
    ];
    for (name, coordinates) in
        [("euler", Coordinates::Euler), ("quaternions", Coordinates::Quaternion)]
    {
        let (mut system, mut state) = slider_crank(coordinates);
        make_consistent(&mut system, &mut state, InitialPolicy::Project)?;
        let expected = numbers(&data, &format!("/option_c/{name}"))?;
        let mut rows = Vec::new();
        for (form, formulation) in forms {
            let mut found = Vec::new();
            for h in STEPS {
                let settings = Settings::new(formulation, alpha, StepControl::Fixed { h });
                found.push(iteration_matrix_condition(&mut system, &state, &settings, h)?);
            }
            let growth = (found[3] / found[1]).log10() / 2.0;
            let what = format!("{name}, {form}: exponent of 1/h");
            match form.starts_with("rows multiplied") {
                true => findings.near(what, growth, 2.0, 0.05),
                false => findings.near(what, growth, 0.0, 0.01),
            }
            // Quaternion columns depend on how the body axes are laid, which the reference does not tell.
            if form.contains("option c") && name == "euler" {
                for (k, h) in STEPS.iter().enumerate().skip(1) {
                    let what = format!("{name}, {form}, h = {h:e}");
                    findings.close(what, found[k], expected[k], 0.01);
                }
            }
            let mut cells = vec![form.to_string()];
            cells.extend(found.iter().map(|value| format!("{value:.3e}")));
            rows.push(cells);
        }
        let mut cells = vec!["option c, reference".to_string()];
        cells.extend(expected.iter().map(|value| format!("{value:.3e}")));
        rows.push(cells);
        let columns = ["matrix", "h = 1e-2", "1e-3", "1e-4", "1e-5", "1e-6"];
        findings.table(&format!("condition numbers, {name}"), &columns, rows);
    }
    findings.note(
        "With positions as unknowns (option a of the document) the number grows like h^-4; Rotula \
         has no such form.",
    );
    Ok(())
}
