//! What else a mechanism in joint coordinates knows: names, energies, a history; asked of the bodies.

use super::TreeSystem;
use super::link::{Freedom, GROUND};
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_dae::{
    AuxiliaryRows, Component, Contact, Contacts, Description, Energetics, Energy, Explanation,
    History, Level, Part, Point, Sentence, Touch, TouchingContact, Weights,
};
use rotula_lie::{Frame, Quaternion};

impl TreeSystem {
    /// The joint or body whose motion a velocity is, and which of its motions.
    fn coordinate_name(&self, column: usize) -> String {
        let behind = self.layout.riders.partition_point(|rider| {
            let link = &self.layout.links[rider.link];
            link.v + link.freedom.count() <= column
        });
        let rider = &self.layout.riders[behind];
        let first = self.layout.links[rider.first].v;
        let owner = match rider.joint {
            Some(joint) => self.branches[joint].name.as_str(),
            None => self.inner.node_name(rider.node),
        };
        let links = &self.layout.links[rider.first..=rider.link];
        let link = links.iter().rev().find(|link| link.v <= column);
        let word = match link.map(|link| link.freedom) {
            Some(Freedom::Slide(_)) => "displacement",
            Some(Freedom::Ball) => "rotation",
            _ => "angle",
        };
        format!("{owner}: {word} {}", column - first + 1)
    }
}

impl Description for TreeSystem {
    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => self.coordinate_name(i),
            Component::Constraint(i) => self.inner.name(Component::Constraint(self.kept[i])),
            other => self.inner.name(other),
        }
    }

    fn scale(&self, coordinate: usize) -> f64 {
        self.scales[coordinate]
    }

    fn scales_grow(&self) -> bool {
        false
    }

    fn parts(&self) -> Option<Vec<Part>> {
        let part = |rider: &super::layout::Rider| {
            let last = &self.layout.links[rider.link];
            let coordinates = self.layout.links[rider.first].v..last.v + last.freedom.count();
            Part { name: self.inner.node_name(rider.node).to_owned(), coordinates }
        };
        Some(self.layout.riders.iter().map(part).collect())
    }

    fn fastest_turn(&self, v: &[f64]) -> Option<(usize, f64)> {
        let balls = self.layout.links.iter().filter(|link| matches!(link.freedom, Freedom::Ball));
        let rate = |first: usize| v[first..first + 3].iter().map(|x| x * x).sum::<f64>().sqrt();
        balls.map(|link| (link.v, rate(link.v))).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl Explanation for TreeSystem {
    fn explain_change(&mut self, from: &Point, to: &Point) -> Vec<Sentence> {
        self.ask_between([from, to], |inner, from, to| inner.explain_change(from, to))
    }

    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.ask(at, |inner, at| inner.explain_not_finite(at))
    }

    fn explain_beyond(&mut self, at: &Point) -> Option<String> {
        self.ask(at, Explanation::explain_beyond)
    }
}

/// Contacts by penalty, which are forces; there are no others.
impl Contacts for TreeSystem {
    fn contacts(&self) -> &[Contact] {
        &[]
    }

    fn contact(&mut self, _level: Level, _at: &Point, out: &mut [f64]) {
        out.fill(0.0);
    }

    fn contact_gradient(&mut self, _at: &Point, values: &mut [f64]) {
        values.fill(0.0);
    }

    fn contact_tangent(&mut self, _: Level, _at: &Point, _: Weights, values: &mut [f64]) {
        values.fill(0.0);
    }

    fn soft_contact_count(&self) -> usize {
        self.inner.soft_contact_count()
    }

    fn describe_soft_contact(&self, contact: usize) -> TouchingContact {
        self.inner.describe_soft_contact(contact)
    }

    fn soft_touches(&mut self, at: &Point, out: &mut Vec<Touch>) {
        self.ask(at, |inner, at| inner.soft_touches(at, out));
    }

    fn longest_step_from(&mut self, at: &Point, h: f64, part: f64) -> f64 {
        if !self.inner.watches() {
            return f64::INFINITY;
        }
        self.ask(at, |inner, at| inner.longest_step_from(at, h, part))
    }

    fn longest_step_to(&mut self, from: &Point, to: &Point, part: f64) -> f64 {
        if !self.inner.watches() {
            return f64::INFINITY;
        }
        self.ask_between([from, to], |inner, from, to| inner.longest_step_to(from, to, part))
    }
}

impl Energetics for TreeSystem {
    /// Everything that acts on the bodies above a link, with the way from them to it as lever: forces that cancel count.
    fn loads(&mut self, at: &Point, _scratch: &mut [f64], out: &mut [f64]) {
        self.place(at);
        let TreeSystem { inner, state, layout, stations, residual, .. } = self;
        let point = state.point();
        Energetics::loads(inner, &point, &mut [], residual);
        let mut acting = vec![[0.0; 2]; layout.links.len()];
        for rider in &layout.riders {
            let own = inner.nodes()[rider.node].embed(residual);
            let (force, moment) = (own.fixed_rows::<3>(0).norm(), own.fixed_rows::<3>(3).norm());
            let [forces, moments] = &mut acting[rider.link];
            *forces += force;
            *moments += moment + rider.arm.norm() * force;
        }
        for l in (0..layout.links.len()).rev() {
            let [force, moment] = acting[l];
            for k in layout.columns(l) {
                out[k] = match layout.links[l].freedom {
                    Freedom::Slide(_) => force,
                    _ => moment,
                };
            }
            let parent = layout.links[l].parent;
            if parent != GROUND {
                let way = stations.links[l].position - stations.links[parent].position;
                let [forces, moments] = &mut acting[parent];
                *forces += force;
                *moments += moment + way.norm() * force;
            }
        }
    }

    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.ask(at, Energetics::energy)
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        self.ask(at, Energetics::power)
    }

    fn is_conservative(&mut self) -> bool {
        Energetics::is_conservative(&mut self.inner)
    }
}

impl History for TreeSystem {
    fn save(&mut self, out: &mut Writer) {
        let place = |link: &super::link::Link| {
            let Frame { position, orientation } = link.place;
            (<[f64; 3]>::from(position), orientation.to_array())
        };
        out.put(&self.layout.links.iter().map(place).collect::<Vec<_>>());
        History::save(&mut self.inner, out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let places: Vec<([f64; 3], [f64; 4])> = from.get()?;
        if places.len() != self.layout.links.len() {
            return Err(Unreadable);
        }
        for (link, (position, turn)) in self.layout.links.iter_mut().zip(places) {
            link.place = Frame::new(position.into(), Quaternion::from_array(turn));
        }
        self.recursion = super::recursion(&self.inner, &self.layout);
        History::load(&mut self.inner, from)
    }
}

impl AuxiliaryRows for TreeSystem {
    fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]) {
        self.ask(at, |inner, at| AuxiliaryRows::auxiliary_rows(inner, at, rows, out));
    }
}
