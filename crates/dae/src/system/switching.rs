//! Forces that switch, as a facet of a system.

use super::words::Point;

/// What a system says of the places at which its forces jump or bend.
///
/// Conditions on the motion are *modes*. A march holds them over a step, so that forces go on smoothly beyond the place where
/// one changes, finds that place, ends the step there and crosses. Whoever evaluates a system at a single point, such as an
/// analysis, has them free: every condition is then what the point makes of it.
pub trait Switching {
    /// The first instant after one time, up to another, at which forces jump because of time alone, beside
    /// [`discontinuities`](super::System::discontinuities).
    fn next_instant(&mut self, _after: f64, _until: f64) -> Option<f64> {
        None
    }

    /// How far a step from one time towards another may go, so that it does not step over what forces do because of time
    /// alone.
    fn resolved(&mut self, _from: f64, to: f64) -> f64 {
        to
    }

    /// How many rooms there are: functions of the motion that stay positive while a mode lasts.
    fn rooms(&mut self) -> usize;

    /// What a room is about, for reports.
    fn name(&mut self, room: usize) -> String;

    /// Whether forces may jump where a room is left; otherwise only their slopes do.
    fn jumps(&mut self, room: usize) -> bool;

    /// Holds from now on the modes of a point.
    fn hold(&mut self, at: &Point);

    /// Lets modes follow every point again.
    fn release(&mut self);

    /// How much is left of every room; negative where one was left.
    fn room(&mut self, at: &Point, out: &mut [f64]);

    /// Crosses into the mode beyond a room that is left; `beyond` is a point there.
    fn cross(&mut self, room: usize, beyond: &Point);
}
