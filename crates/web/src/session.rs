//! A model that is run in slices.

use crate::answer;
use rotula_dae::{Diagnosis, Integrator, Outcome, Settings};
use rotula_model::reading::Document;
use rotula_report::{Run, csv, report};
use rotula_study::{Model, film, run};
use serde_json::Value;

pub(crate) struct Session {
    name: String,
    model: Model,
    settings: Settings,
    integrator: Integrator<'static>,
    failure: Option<Diagnosis>,
}

impl Session {
    /// Reads a model and finds its start; else what is wrong.
    pub(crate) fn begin(name: &str, text: &str) -> Result<(Session, Value), Value> {
        let (document, model, settings) = answer::read(name, text)?;
        let facts = answer::facts(&document, &model);
        let integrator = begin(&document, &model, &settings)?;
        let name = name.to_owned();
        Ok((Session { name, model, settings, integrator, failure: None }, facts))
    }

    pub(crate) fn advance(&mut self, steps: u32) -> f64 {
        for _ in 0..steps {
            match self.integrator.step() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(diagnosis) => {
                    self.failure = Some(diagnosis);
                    break;
                }
            }
        }
        if self.failure.is_some() || self.integrator.is_done() {
            return 1.0;
        }
        let Settings { start, until, .. } = self.settings;
        // short of the end even where rounding would reach it
        ((self.reached() - start) / (until - start)).min(1.0 - f64::EPSILON)
    }

    pub(crate) fn reached(&self) -> f64 {
        self.integrator.state().t
    }

    /// Ends the run, here or early.
    pub(crate) fn conclude(self, seconds: f64) -> Concluded {
        let early = !self.integrator.is_done();
        let stopped = || early.then(|| Diagnosis::interrupted(self.reached()));
        let failure = self.failure.clone().or_else(stopped);
        let Session { name, model, settings, integrator, .. } = self;
        Concluded { name, model, settings, outcome: integrator.conclude(failure), seconds }
    }
}

/// A run that has ended.
pub(crate) struct Concluded {
    name: String,
    model: Model,
    settings: Settings,
    outcome: Outcome,
    seconds: f64,
}

impl Concluded {
    /// Its report.
    pub(crate) fn page(&self) -> String {
        let film = film(&self.model, &self.outcome.trajectory);
        let run = Run { film: film.as_ref(), ..self.run() };
        report(&run).unwrap_or_else(|error| error.to_string())
    }

    /// Its table.
    pub(crate) fn table(&self) -> String {
        csv(&self.run()).unwrap_or_else(|error| error.to_string())
    }

    fn run(&self) -> Run<'_> {
        Run {
            model_file: Some(self.name.clone()),
            wall_seconds: self.seconds,
            ..run(&self.model, &self.settings, &self.outcome, None)
        }
    }
}

fn begin(
    document: &Document,
    model: &Model,
    settings: &Settings,
) -> Result<Integrator<'static>, Value> {
    Integrator::new(model.system(), &model.initial_state(), settings)
        .map_err(|diagnosis| answer::refused(document, &diagnosis))
}
