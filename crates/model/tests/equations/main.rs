//! Model files of equations, from texts to results.

mod bad_input;
mod contacts;
mod damped_bounces;
mod derivatives;
mod functions;
mod impact;
mod jumps;
mod model;
mod siconos;
mod siconos_events;
mod simulate;
