//! `rotula schema`: what a model file may contain, for editors and for readers.

use crate::args::{Kind, Schema};

/// The schema as JSON, or the description as Markdown.
pub(crate) fn text(options: &Schema) -> String {
    match options.markdown {
        true => match options.kind {
            Kind::Mechanism => rotula_model::reference(),
            Kind::Equations => rotula_model::equations::reference(),
            Kind::Solve => rotula_model::reading::solve_reference(),
            Kind::Both => [
                rotula_model::reference(),
                rotula_model::equations::reference(),
                rotula_model::reading::solve_reference(),
            ]
            .join("\n"),
        },
        false => {
            let schema = match options.kind {
                Kind::Mechanism => rotula_model::schema(),
                Kind::Equations => rotula_model::equations::schema(),
                Kind::Solve => rotula_dae::solve_schema(),
                Kind::Both => serde_json::json!({
                    "anyOf": [rotula_model::schema(), rotula_model::equations::schema()],
                }),
            };
            format!("{schema:#}")
        }
    }
}
