//! `rotula new`: a folder with a model to begin with.

use crate::Ending;
use crate::args;
use crate::args::Template;
use crate::files::write_text;
use crate::messages::{Fault, say};
use std::path::Path;

/// Makes the folder and says what to do next.
pub(crate) fn new(options: &args::New) -> Result<Ending, Fault> {
    let folder = options.folder.as_path();
    let name = folder.file_name().and_then(|name| name.to_str()).filter(|name| good(name));
    let Some(name) = name else {
        return Err(Fault::new(
            format!("{}: this is no name for a model", folder.display()),
            "use letters, digits, `-` and `_`, as in `rotula new crane`",
        ));
    };
    if folder.exists() {
        return Err(Fault::new(
            format!("{}: this exists already", folder.display()),
            "choose another name, or remove it first",
        ));
    }
    let files = files(options.template, name);
    for (file, text) in &files {
        write_text(&folder.join(file), text)?;
    }
    say(&story(options.template, folder, name, &files));
    Ok(Ending::Done)
}

fn good(name: &str) -> bool {
    !name.starts_with('-') && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// Names and texts of the files of a template.
fn files(template: Template, name: &str) -> Vec<(String, String)> {
    macro_rules! example {
        ($file:literal) => {
            include_str!(concat!("../../../examples/models/", $file))
        };
    }
    let text = match template {
        Template::Pendulum => include_str!("../templates/pendulum.toml"),
        Template::SliderCrank => example!("slider_crank.toml"),
        Template::Contact => example!("bouncing_ball.toml"),
        Template::Beam => example!("flexible_pendulum.toml"),
        Template::Equations => example!("pendulum.toml"),
        Template::Robot => example!("robot_arm.toml"),
        Template::Python => {
            let script = include_str!("../templates/script.py").replace("NAME", name);
            return vec![(format!("{name}.py"), script)];
        }
    };
    let mut files = vec![(format!("{name}.toml"), named(text, name))];
    if template == Template::Robot {
        files.push(("robot_arm.urdf".into(), example!("robot_arm.urdf").into()));
    }
    files
}

/// A model with a title and a name of its own.
fn named(text: &str, name: &str) -> String {
    let own = |line: &str| match line {
        line if line.starts_with("title = ") => format!("title = \"{name}\"\n"),
        line if line.contains("rotula run ") => format!("#     rotula run {name}.toml\n"),
        line => format!("{line}\n"),
    };
    text.lines().map(own).collect()
}

fn story(template: Template, folder: &Path, name: &str, files: &[(String, String)]) -> String {
    let mut lines: Vec<String> =
        files.iter().map(|(file, _)| format!("Made {}.", folder.join(file).display())).collect();
    lines.push("Next:".into());
    if template == Template::Python {
        lines.push(format!("  cd {}", folder.display()));
        lines.push(format!("  python {name}.py"));
        return lines.join("\n");
    }
    let model = folder.join(format!("{name}.toml"));
    lines.push(format!("  rotula check {}     says what it is made of", model.display()));
    lines.push(format!("  rotula run {}       simulates it and writes a report", model.display()));
    lines.join("\n")
}
