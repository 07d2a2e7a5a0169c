//! Beams against exact solutions and published ones.

mod cantilevers;
mod dynamics;
mod energy;
mod frames;
mod published;
mod spinning;
mod strands;
mod support;
mod turning;
