//! From statements to a model.

use super::function::{Function, Kind, function, markers_in};
use super::statement::Statement;
use super::units::Units;
use super::{Deck, Note, Reason, fail};
use crate::body::{Body, MassProperties};
use crate::error::{ModelError, refusal};
use crate::force::{Formula, Linear, Spring};
use crate::joint::{
    Cylindrical, Distance, Fixed, Joint, Planar, Prismatic, Revolute, Spherical, Universal,
};
use crate::marker::{Marker, frame_along};
use crate::measure::Coordinate;
use crate::model::{GROUND, JointId};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use std::f64::consts::FRAC_PI_2;

const LEFT_OUT: [&str; 5] = ["GRAPHICS", "REQUEST", "OUTPUT", "RESULTS", "VARIABLE"];

/// Builds the model of a deck.
pub(super) fn deck(statements: &[Statement]) -> Result<Deck, Reason> {
    let mut builder = Builder { statements, units: Units::default(), deck: Deck::default() };
    for statement in builder.all("UNITS") {
        builder.units = Units::read(statement)?;
    }
    // markers may come after what refers to them, so things are built kind by kind
    let mut parts: Vec<&Statement> = builder.all("PART").collect();
    parts.sort_by_key(|part| !part.has("GROUND"));
    parts.into_iter().try_for_each(|part| builder.part(part))?;
    builder.all("MARKER").try_for_each(|marker| builder.marker(marker))?;
    for statement in statements {
        match statement.keyword.as_str() {
            "UNITS" | "PART" | "MARKER" => {}
            "JOINT" => builder.joint(statement)?,
            "GCON" => builder.distance(statement)?,
            "SFORCE" => builder.force(statement)?,
            "ACCGRAV" => builder.gravity(statement)?,
            word if LEFT_OUT.contains(&word) => {
                let what = format!("{} has no effect on the motion", statement.name());
                builder.deck.notes.push(Note { line: statement.line, what });
            }
            word => {
                return fail(
                    statement.line,
                    refusal!(
                        "the statement {word} is not read";
                        "UNITS, PART, MARKER, JOINT, GCON, SFORCE and ACCGRAV are, and {} are \
                         left out", LEFT_OUT.join(", ")
                    ),
                );
            }
        }
    }
    Ok(builder.deck)
}

struct Builder<'a> {
    statements: &'a [Statement],
    units: Units,
    deck: Deck,
}

impl<'a> Builder<'a> {
    fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'a Statement> + use<'a> {
        self.statements.iter().filter(move |s| s.keyword == keyword)
    }

    /// The statement of a marker.
    fn marker_statement(&self, number: usize, by: &Statement) -> Result<&'a Statement, Reason> {
        match self.all("MARKER").find(|marker| marker.number == number) {
            Some(marker) => Ok(marker),
            None => fail(by.line, format!("{}: there is no MARKER/{number}", by.name())),
        }
    }

    /// The frame of a marker in its part.
    fn local_frame(&self, marker: &Statement) -> Result<Frame, Reason> {
        marker.only(&["PART", "QP", "REULER", "ZP", "XP"])?;
        let length = self.units.length;
        let place = |key| marker.vector(key).map(|v| v.map(|v| v * length));
        let position = place("QP")?.unwrap_or_default();
        let Some(z) = place("ZP")? else {
            if marker.has("XP") {
                let what = format!("{}: XP needs ZP as well", marker.name());
                return fail(marker.line, what);
            }
            return Ok(Frame::new(position, euler(marker)?));
        };
        let z = z - position;
        let apart = |v: &Vector3<f64>| v.norm() > 1e-12 * (1.0 + position.norm());
        if !apart(&z) {
            return fail(marker.line, format!("{}: ZP and QP are one point", marker.name()));
        }
        let Some(x) = place("XP")? else { return Ok(frame_along(position, z)) };
        let z = z.normalize();
        let x = x - position;
        let x = x - z * z.dot(&x);
        if !apart(&x) {
            return fail(marker.line, format!("{}: XP lies on the z axis", marker.name()));
        }
        let x = x.normalize();
        let rotation = Matrix3::from_columns(&[x, z.cross(&x), z]);
        Ok(Frame::new(position, Quaternion::from_matrix(&rotation)))
    }

    fn part(&mut self, part: &Statement) -> Result<(), Reason> {
        if part.has("GROUND") {
            part.only(&["GROUND"])?;
            self.deck.parts.insert(part.number, GROUND);
            return Ok(());
        }
        part.only(&["MASS", "CM", "IM", "IP", "QG", "REULER", "VX", "VY", "VZ", "WX", "WY", "WZ"])?;
        let Units { mass: mass_unit, length, time, .. } = self.units;
        let mass = part.number("MASS")?.unwrap_or(0.0) * mass_unit;
        let mut centre_frame = Frame::identity();
        let mut properties = MassProperties::principal(0.0, Vector3::zeros());
        if mass > 0.0 {
            let centre = self.marker_statement(part.needed("CM")?, part)?;
            centre_frame = self.local_frame(centre)?;
            let about = match part.reference("IM")? {
                Some(number) => self.local_frame(self.marker_statement(number, part)?)?,
                None => centre_frame,
            };
            let inertia = inertia(part)? * (mass_unit * length * length);
            properties = MassProperties::about(mass, centre_frame.position, inertia, &about);
        }
        let position = part.vector("QG")?.unwrap_or_default() * length;
        let frame = Frame::new(position, euler(part)?);
        let three = |keys: [&str; 3]| -> Result<Vector3<f64>, Reason> {
            let mut vector = Vector3::zeros();
            for (k, key) in keys.iter().enumerate() {
                vector[k] = part.number(key)?.unwrap_or(0.0);
            }
            Ok(vector)
        };
        // the velocity is that of the centre of mass along the axes of the world, the angular
        // velocity is about the axes of the CM marker
        let velocity = three(["VX", "VY", "VZ"])? * (length / time);
        let spin = three(["WX", "WY", "WZ"])? / time;
        let spin = frame.orientation.rotate(&centre_frame.orientation.rotate(&spin));
        let arm = frame.orientation.rotate(&properties.centre);
        let body =
            Body::rigid(properties).at_frame(frame).moving(velocity - spin.cross(&arm), spin);
        let name = format!("PART_{}", part.number);
        let body = at(part, self.deck.model.body(&name, body))?;
        self.deck.parts.insert(part.number, body);
        Ok(())
    }

    fn marker(&mut self, marker: &Statement) -> Result<(), Reason> {
        let part = marker.needed("PART")?;
        let Some(body) = self.deck.parts.get(&part) else {
            return fail(marker.line, format!("{}: there is no PART/{part}", marker.name()));
        };
        let frame = self.local_frame(marker)?;
        let placed = self.deck.model.marker(*body, frame);
        if self.deck.markers.insert(marker.number, placed).is_some() {
            return fail(marker.line, format!("there are two {}", marker.name()));
        }
        Ok(())
    }

    /// The marker with a number.
    fn find(&self, number: usize, by: &Statement) -> Result<Marker, Reason> {
        match self.deck.markers.get(&number) {
            Some(marker) => Ok(*marker),
            None => fail(by.line, format!("{}: there is no MARKER/{number}", by.name())),
        }
    }

    /// Markers `J` and `I`.
    fn markers(&self, statement: &Statement) -> Result<(Marker, Marker), Reason> {
        let (i, j) = (statement.needed("I")?, statement.needed("J")?);
        Ok((self.find(j, statement)?, self.find(i, statement)?))
    }

    fn joint(&mut self, statement: &Statement) -> Result<(), Reason> {
        let kinds: [(&str, &dyn Joint); 8] = [
            ("REVOLUTE", &Revolute),
            ("TRANSLATIONAL", &Prismatic),
            ("CYLINDRICAL", &Cylindrical),
            ("SPHERICAL", &Spherical),
            ("HOOKE", &Universal),
            ("UNIVERSAL", &Universal),
            ("PLANAR", &Planar),
            ("FIXED", &Fixed),
        ];
        let words = kinds.map(|(word, _)| word);
        let Some((word, kind)) = kinds.into_iter().find(|(word, _)| statement.has(word)) else {
            let (name, words) = (statement.name(), words.join(", "));
            return fail(statement.line, format!("{name}: give one of {words}"));
        };
        statement.only(&["I", "J", word])?;
        let (mut j, mut i) = self.markers(statement)?;
        match word {
            // the arms of the cross are x of I and y of J
            "HOOKE" => {
                j = turned(j, Vector3::z() * FRAC_PI_2);
                i = turned(i, Vector3::z() * -FRAC_PI_2);
            }
            // they are the z axes
            "UNIVERSAL" => {
                j = turned(j, Vector3::y() * -FRAC_PI_2);
                i = turned(i, Vector3::x() * FRAC_PI_2);
            }
            _ => {}
        }
        let id = self.connect(statement, "JOINT", kind, j, i)?;
        self.deck.joints.insert(statement.number, id);
        Ok(())
    }

    fn connect(
        &mut self,
        statement: &Statement,
        word: &str,
        joint: &dyn Joint,
        a: Marker,
        b: Marker,
    ) -> Result<JointId, Reason> {
        let name = format!("{word}_{}", statement.number);
        at(statement, self.deck.model.joint(&name, joint, a, b))
    }

    fn distance(&mut self, statement: &Statement) -> Result<(), Reason> {
        statement.only(&["I", "FUNCTION"])?;
        let wrong = || format!("{}: FUNCTION must be DM(i, j) - length", statement.name());
        let Some((i, j)) = markers_in(statement)? else { return fail(statement.line, wrong()) };
        let read = function(statement, Kind::Distance, (i, j), self.units)?;
        let Function::Affine(affine) = read else { return fail(statement.line, wrong()) };
        if affine.by_value == 0.0 || affine.by_rate != 0.0 {
            return fail(statement.line, wrong());
        }
        let length = -affine.constant / affine.by_value * self.units.length;
        let (j, i) = (self.find(j, statement)?, self.find(i, statement)?);
        let id = self.connect(statement, "GCON", &Distance { length }, j, i)?;
        self.deck.distances.insert(statement.number, id);
        Ok(())
    }

    fn force(&mut self, statement: &Statement) -> Result<(), Reason> {
        statement.only(&["TRANSLATIONAL", "ROTATIONAL", "I", "J", "FUNCTION"])?;
        let (j, i) = self.markers(statement)?;
        let numbers = (statement.needed("I")?, statement.needed("J")?);
        let Units { force, length, time, .. } = self.units;
        let (kind, coordinate, per, out) = match statement.has("ROTATIONAL") {
            true => (Kind::Angle, Coordinate::angle(&j, &i), 1.0, force * length),
            false => (Kind::Distance, Coordinate::length(&j, &i), length, force),
        };
        let spring = match function(statement, kind, numbers, self.units)? {
            Function::Affine(affine) => {
                let law = Linear {
                    stiffness: -affine.by_value * out / per,
                    damping: -affine.by_rate * out / per * time,
                    free: 0.0,
                    preload: affine.constant * out,
                };
                Spring::new(coordinate, law)
            }
            Function::Formula(text) => {
                let law = at(statement, Formula::new(&format!("({text})*{out:e}"), &[]))?;
                Spring::new(coordinate, law)
            }
        };
        let name = format!("SFORCE_{}", statement.number);
        at(statement, self.deck.model.force(&name, spring))
    }

    fn gravity(&mut self, statement: &Statement) -> Result<(), Reason> {
        statement.only(&["IGRAV", "JGRAV", "KGRAV"])?;
        let scale = self.units.length / self.units.time.powi(2);
        for (k, key) in ["IGRAV", "JGRAV", "KGRAV"].iter().enumerate() {
            self.deck.model.gravity[k] = statement.number(key)?.unwrap_or(0.0) * scale;
        }
        Ok(())
    }
}

/// A marker turned in its own axes.
fn turned(marker: Marker, rotation: Vector3<f64>) -> Marker {
    let turn = Frame::new(Vector3::zeros(), Quaternion::exp(&rotation));
    Marker { frame: marker.frame * turn, ..marker }
}

/// The rotation of `REULER`: about z, then the new x, then the new z.
fn euler(statement: &Statement) -> Result<Quaternion, Reason> {
    let angles = statement.vector("REULER")?.unwrap_or_default();
    let about = |axis: Vector3<f64>, angle: f64| Quaternion::exp(&(axis * angle));
    Ok(about(Vector3::z(), angles.x)
        * about(Vector3::x(), angles.y)
        * about(Vector3::z(), angles.z))
}

/// The inertia matrix of `IP`.
fn inertia(part: &Statement) -> Result<Matrix3<f64>, Reason> {
    let values = part.numbers("IP")?.unwrap_or(vec![0.0; 3]);
    match values[..] {
        [x, y, z] => Ok(Matrix3::from_diagonal(&Vector3::new(x, y, z))),
        [x, y, z, xy, xz, yz] => Ok(Matrix3::new(x, -xy, -xz, -xy, y, -yz, -xz, -yz, z)),
        _ => fail(part.line, format!("{}: IP takes three or six numbers", part.name())),
    }
}

/// A mistake in the model, at the line of its statement.
fn at<T>(statement: &Statement, result: Result<T, ModelError>) -> Result<T, Reason> {
    result.or_else(|error| fail(statement.line, format!("{}: {error}", statement.name())))
}
