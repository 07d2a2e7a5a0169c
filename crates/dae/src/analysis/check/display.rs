//! The report in English.

use super::units::owner;
use super::{CheckReport, InitialCheck, NearSingular, Singularity};
use crate::analysis::words::{count, list, names};
use std::fmt;

impl CheckReport {
    /// What was found besides the counts and the initial values, each in a sentence: free motions,
    /// redundancies, reactions that are not determined, singular positions, odd numbers.
    pub fn findings(&self) -> Vec<String> {
        let mut found = Vec::new();
        found.extend(self.free_motions.iter().map(|motion| format!("  free: {}", names(motion))));
        found.extend(self.redundant.iter().map(|redundancy| format!("Redundant: {redundancy}.")));
        found.extend(self.undetermined());
        found.extend(self.singularity.iter().map(Singularity::to_string));
        found.extend(self.near_singular.iter().map(NearSingular::to_string));
        found.extend(self.massless.iter().map(|motion| {
            let motion = names(motion);
            format!("Without mass, and held by nothing: {motion}. Give it mass or a constraint.")
        }));
        if self.in_part {
            found.push(
                "The model is so large that singular positions, reactions that are not determined and \
                 motions without mass were not looked for."
                    .into(),
            );
        }
        found.extend(self.hints.iter().map(|hint| format!("Hint: {hint}.")));
        found
    }

    /// The things whose reactions are not determined, each once.
    fn undetermined(&self) -> Option<String> {
        let mut owners: Vec<&str> = self.indeterminate.iter().map(|name| owner(name)).collect();
        owners.dedup();
        let components = match self.indeterminate.len() {
            0 => return None,
            all if all > owners.len() => format!(" ({all} components)"),
            _ => String::new(),
        };
        let list = list(owners.into_iter());
        Some(format!("The reactions of {list}{components} are not determined; the motion is."))
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let freedoms = match self.freedoms {
            0 => "no freedom is left".to_string(),
            1 => "one degree of freedom".to_string(),
            n => format!("{n} degrees of freedom"),
        };
        write!(
            f,
            "{} and {}: {freedoms}",
            count(self.motion, "motion"),
            count(self.constraints, "constraint")
        )?;
        if self.mobility != self.freedoms {
            write!(f, ", {} of position", self.mobility)?;
        }
        write!(f, ".")?;
        for finding in self.findings() {
            write!(f, "\n{finding}")?;
        }
        write!(f, "\n{}", self.initial)
    }
}

impl fmt::Display for Singularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Singularity::BranchPoint { rank, nearby, constraints, motions } => {
                write!(
                    f,
                    "Singular position: branches of the motion meet here. Of the constraints {rank} \
                     are independent, nearby {nearby}; here {} become dependent.",
                    names(constraints)
                )?;
                for motion in motions {
                    write!(f, "\n  possible: {}", names(motion))?;
                }
                write!(f, "\n  Start a little beside this position.")
            }
            Singularity::DeadPoint { constraints, motions } => {
                write!(f, "Dead point: {} become dependent here.", names(constraints))?;
                for motion in motions {
                    write!(f, "\n  free in first order, blocked beyond: {}", names(motion))?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for NearSingular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Nearly singular (ratio {:.1e}): {} hardly hold {}.",
            self.ratio,
            names(&self.constraints),
            names(&self.motion)
        )
    }
}

impl fmt::Display for InitialCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.violations.is_empty() {
            return write!(f, "The initial values meet all constraints.");
        }
        write!(f, "The initial values do not meet the constraints:")?;
        for violation in &self.violations {
            write!(
                f,
                "\n  `{}` at {} level by {:.3e}",
                violation.name, violation.level, violation.residual
            )?;
        }
        if let Some(diagnosis) = &self.impossible {
            return write!(f, "\n{diagnosis}");
        }
        for change in self.moved.iter().chain(&self.accelerated) {
            write!(f, "\n  projection would change `{}` by {:+.6e}", change.name, change.change)?;
        }
        Ok(())
    }
}
