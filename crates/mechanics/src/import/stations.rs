//! Sections of a beam at stations along it, as blade files give them.

use crate::element::Section;
use crate::error::Refusal;
use nalgebra::Matrix6;

/// Sections of a beam at stations from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct SectionsAlong {
    stations: Vec<f64>,
    sections: Vec<Section>,
}

impl SectionsAlong {
    /// Adds a section beyond those that are known.
    pub(super) fn push(&mut self, station: f64, section: Section) -> Result<(), Refusal> {
        if self.stations.last().is_some_and(|before| *before >= station) {
            return Err(format!("the station {station} does not lie beyond the one before").into());
        }
        self.stations.push(station);
        self.sections.push(section);
        Ok(())
    }

    /// The first and the last station; there must be one.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.stations[0], self.stations[self.stations.len() - 1]]
    }

    /// With stations from 0 to 1, as parts of the last one.
    pub(super) fn normalised(mut self) -> Self {
        let [_, last] = self.ends();
        self.stations.iter_mut().for_each(|station| *station /= last);
        self
    }

    /// The section at a station, between those that are known.
    pub fn at(&self, station: f64) -> Section {
        let last = self.stations.len() - 1;
        let above = self.stations.partition_point(|known| *known <= station).clamp(1, last);
        let [from, to] = [above - 1, above].map(|k| self.stations[k]);
        let part = ((station - from) / (to - from)).clamp(0.0, 1.0);
        let between = |of: fn(&Section) -> Matrix6<f64>| {
            of(&self.sections[above - 1]) * (1.0 - part) + of(&self.sections[above]) * part
        };
        Section::new(between(|section| section.stiffness), between(|section| section.mass))
    }
}
