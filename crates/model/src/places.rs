//! Bodies, frames and joints by name.

use crate::fields::Fields;
use crate::import::Imported;
use crate::orientation::{ORIENTATION, orientation};
use crate::placed::Placed;
use crate::reading::keys::{Key, join};
use crate::reading::{Item, ModelError, Scope, did_you_mean};
use crate::table::{Direction, Name, Vector, table};
use nalgebra::Vector3;
use rotula_formula::FastMap;
use rotula_lie::Frame;
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::quantity::Acting;
use rotula_mechanics::{BodyId, GROUND, JointId, Marker, Model};

table! {
    /// A frame on a body.
    FrameWords {
        /// The body it is fixed to.
        needed on: Name;
        /// Its origin, body axes. Default zero.
        optional at: Vector, "m";
        /// Its origin and axes in the world at the start, instead of `at`.
        optional world: Vector, "m";
        /// Where its z axis points, the axis of joints.
        optional along: Direction;
    }
}

/// All keys of a frame.
pub(crate) const FRAME: &[Key] =
    &join::<{ FrameWords::KEYS.len() + ORIENTATION.len() }>(FrameWords::KEYS, &ORIENTATION);

/// What a name in the file stands for.
#[derive(Clone, Copy)]
enum Thing {
    Body(BodyId),
    Frame(BodyId, Marker),
}

/// A frame itself, or the own frame of a body.
fn marker_of(thing: Thing, model: &Model) -> Marker {
    match thing {
        Thing::Body(body) => model.marker(body, Frame::identity()),
        Thing::Frame(_, marker) => marker,
    }
}

/// Everything that was named so far, in the order of the file.
#[derive(Default)]
pub(crate) struct Names {
    places: Vec<(String, Thing)>,
    /// Where each name stands in that list.
    place_of: FastMap<String, usize>,
    joints: Vec<(String, JointId)>,
    joint_of: FastMap<String, JointId>,
    beams: Vec<(String, Vec<Marker>)>,
    /// Inputs, with the values they have at first.
    inputs: FastMap<String, f64>,
    /// What acts, and whether on two bodies.
    acting: FastMap<String, (Acting, bool)>,
}

impl Names {
    pub(crate) fn add_body(&mut self, name: &str, body: BodyId) {
        self.add_place(name.to_owned(), Thing::Body(body));
    }

    /// The first thing of a name keeps it.
    fn add_place(&mut self, name: String, thing: Thing) {
        self.place_of.entry(name.clone()).or_insert(self.places.len());
        self.places.push((name, thing));
    }

    /// Adds the nodes of a beam or cable by number, the ends also as `start` and `end`. An end that is
    /// held is a place on the body that holds it; other nodes are bodies of their own.
    pub(crate) fn add_line(
        &mut self,
        name: &str,
        nodes: &[Marker],
        held: [bool; 2],
        model: &Model,
    ) {
        let last = nodes.len() - 1;
        for (k, marker) in nodes.iter().enumerate() {
            let body = model.body_id(marker.node);
            let held = (k == 0 && held[0]) || (k == last && held[1]);
            let thing = || if held { Thing::Frame(body, *marker) } else { Thing::Body(body) };
            for (word, here) in [("start", k == 0), ("end", k == last)] {
                if here {
                    self.add_place(format!("{name}.{word}"), thing());
                }
            }
            self.add_place(format!("{name}.{k}"), thing());
        }
    }

    /// Adds a beam as a whole, by its nodes.
    pub(crate) fn add_beam(&mut self, name: &str, nodes: &[Marker]) {
        self.beams.push((name.to_owned(), nodes.to_vec()));
    }

    /// The nodes of the beam of this name, if it is one.
    pub(crate) fn beam(&self, item: &Item) -> Option<&[Marker]> {
        let name = item.text()?;
        self.beams.iter().find(|(known, _)| known == name).map(|(_, nodes)| nodes.as_slice())
    }

    pub(crate) fn add_joint(&mut self, name: &str, joint: JointId) {
        self.joints.push((name.to_owned(), joint));
        self.joint_of.entry(name.to_owned()).or_insert(joint);
        self.add_acting(name, Acting::Joint, true);
    }

    /// Adds a number that is set from outside.
    pub(crate) fn add_input(&mut self, name: &str, value: f64) {
        self.inputs.insert(name.to_owned(), value);
    }

    /// What the input of this name is at first, if there is one.
    pub(crate) fn input(&self, name: &str) -> Option<f64> {
        self.inputs.get(name).copied()
    }

    /// Adds something that acts, on two bodies or on one.
    pub(crate) fn add_acting(&mut self, name: &str, acting: Acting, two: bool) {
        self.acting.insert(name.to_owned(), (acting, two));
    }

    /// What acts under this name, and whether on two bodies.
    pub(crate) fn acting(&self, item: &Item) -> Result<(Acting, bool), ModelError> {
        let name = item.text().unwrap_or_default();
        self.acting.get(name).copied().ok_or_else(|| {
            let message = format!("there is no joint, force or held end `{name}`");
            let mut known: Vec<&str> = self.acting.keys().map(String::as_str).collect();
            known.sort_unstable();
            ModelError::new(&item.place, message).with_help(did_you_mean(name, known))
        })
    }

    /// The joint of this name.
    pub(crate) fn joint_named(&self, name: &str) -> Option<JointId> {
        self.joint_of.get(name).copied()
    }

    /// Adds bodies, frames and joints of another file.
    pub(crate) fn add_imported(&mut self, imported: &Imported) {
        for (name, body, frame) in &imported.places {
            let thing = frame.map_or(Thing::Body(*body), |frame| Thing::Frame(*body, frame));
            self.add_place(name.clone(), thing);
        }
        imported.joints.iter().for_each(|(name, id)| self.add_joint(name, *id));
    }

    /// Adds a frame; its name must not be that of a body.
    pub(crate) fn add_frame(
        &mut self,
        fields: &Fields,
        name: &str,
        model: &Model,
        scope: &mut Scope,
    ) -> Result<(), ModelError> {
        if self.place_of.contains_key(name) {
            let message = format!("the name `{name}` is taken already by a body or frame");
            return Err(ModelError::new(fields.place, message).with_help("choose another name"));
        }
        let FrameWords { on, at, world, along, .. } = FrameWords::read(fields.clone(), scope)?;
        let body = self.body(on)?;
        fields.refuse_together(&["at", "world"])?;
        let position = world.or(at).unwrap_or_default();
        let placed = match world {
            Some(_) => Placed::of(fields.place),
            None => Placed::in_axes_of(fields.place, on.text().unwrap_or_default()),
        };
        let frame = match (orientation(fields, scope)?, along) {
            (Some(orientation), _) => placed.frame(Frame::new(position, orientation)),
            // the axis is mirrored as the z axes of other frames are
            (None, Some(z)) if placed.keeps_z() => {
                frame_along(placed.point(position), placed.vector(z))
            }
            (None, Some(z)) => frame_along(placed.point(position), -placed.vector(z)),
            (None, None) => placed.frame(Frame::new(position, Default::default())),
        };
        let marker = match world {
            Some(_) => model.marker_at(body, frame),
            None => model.marker(body, frame),
        };
        self.add_place(name.to_owned(), Thing::Frame(body, marker));
        Ok(())
    }

    /// The frames on bodies that move.
    pub(crate) fn frames(&self) -> impl Iterator<Item = Marker> {
        self.places.iter().filter_map(|(_, thing)| match thing {
            Thing::Frame(body, marker) if *body != GROUND => Some(*marker),
            _ => None,
        })
    }

    /// What a name stands for; else what is wrong and what would be right.
    fn named(&self, name: &str) -> Result<Thing, (String, String)> {
        let found = self.place_of.get(name).map(|place| self.places[*place].1);
        found.ok_or_else(|| {
            let known = self.places.iter().map(|(name, _)| name.as_str()).collect();
            (format!("there is no body or frame `{name}`"), did_you_mean(name, known))
        })
    }

    fn find(&self, item: &Item) -> Result<Thing, ModelError> {
        self.named(item.text().unwrap_or_default())
            .map_err(|(message, help)| ModelError::new(&item.place, message).with_help(help))
    }

    /// The frame of this name, or the body's own frame, for what stands in no file.
    pub(crate) fn marker_named(
        &self,
        name: &str,
        model: &Model,
    ) -> Result<Marker, (String, String)> {
        self.named(name).map(|thing| marker_of(thing, model))
    }

    /// The body of this name, or that of the frame of this name.
    pub(crate) fn body(&self, item: &Item) -> Result<BodyId, ModelError> {
        Ok(match self.find(item)? {
            Thing::Body(body) | Thing::Frame(body, _) => body,
        })
    }

    /// The frame of this name, if it is one and not a body.
    pub(crate) fn frame(&self, item: &Item) -> Result<Option<Marker>, ModelError> {
        Ok(match self.find(item)? {
            Thing::Body(_) => None,
            Thing::Frame(_, marker) => Some(marker),
        })
    }

    /// The frame of this name, or the body's own frame.
    pub(crate) fn marker(&self, item: &Item, model: &Model) -> Result<Marker, ModelError> {
        self.find(item).map(|thing| marker_of(thing, model))
    }

    /// A point of the body or frame of this name, in its own axes.
    pub(crate) fn marker_with(
        &self,
        item: &Item,
        at: Option<Vector3<f64>>,
        model: &Model,
    ) -> Result<Marker, ModelError> {
        let marker = self.marker(item, model)?;
        let at = Frame::new(at.unwrap_or_default(), Default::default());
        Ok(Marker { frame: marker.frame * at, ..marker })
    }

    /// The joint of this name.
    pub(crate) fn joint(&self, item: &Item) -> Result<JointId, ModelError> {
        let name = item.text().unwrap_or_default();
        self.joint_named(name).ok_or_else(|| {
            let error = ModelError::new(&item.place, format!("there is no joint `{name}`"));
            let known: Vec<&str> = self.joints.iter().map(|(name, _)| name.as_str()).collect();
            error.with_help(match known.is_empty() {
                true => "the model has no joints".to_owned(),
                false => did_you_mean(name, known),
            })
        })
    }
}
