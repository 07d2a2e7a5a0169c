//! Auxiliary equations are evaluated without taking memory.

use crate::support::{NONE, slide};
use nalgebra::Vector3;
use rotula_dae::{StateWeights, System, Weights};
use rotula_mechanics::Model;
use rotula_mechanics::control::Pid;
use rotula_mechanics::force::{Axes, Load};
use rotula_mechanics::quantity::{Part, Side};
use rotula_mechanics::sensor::{ActionSensor, CoordinateSensor, Direction};
use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every request goes to the system's allocator unchanged; only a counter is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { SystemAllocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn evaluation_allocates_nothing() {
    let mut model = Model::new();
    let (block, joint) = slide(&mut model, 1.0);
    let place = model.coordinate(joint, "displacement").unwrap();
    model.sensor("place", CoordinateSensor::value(place.clone())).unwrap();
    let acceleration = CoordinateSensor::acceleration(place);
    let acceleration = model.sensor("acceleration", acceleration).unwrap();
    let reaction = ActionSensor::reaction(
        &model,
        joint,
        (Side::Second, Part::Moment),
        Direction::world(Vector3::y()),
    )
    .unwrap();
    model.sensor("reaction", reaction).unwrap();
    let pid = Pid { proportional: 2.0, integral: 1.0, ..Pid::default() };
    model.pid("controller", "place", "sin(t) + 0.1*acceleration", &pid).unwrap();
    let push = model.variable("push", "controller + 0.01*reaction").unwrap();
    let marker = model.marker(block, Default::default());
    let force = [push.into(), NONE, NONE];
    model.force("push", Load::new(marker, Axes::World, force, [NONE; 3])).unwrap();

    let mut assembly = model.assemble().unwrap();
    let (patterns, sizes) = (assembly.patterns(), assembly.sizes());
    let state = assembly.start();
    let mut residual = vec![0.0; sizes.auxiliary()];
    let mut motion = vec![0.0; patterns.auxiliary_motion.entries()];
    let mut multipliers = vec![0.0; patterns.auxiliary_multipliers.entries()];
    let mut auxiliary = vec![0.0; patterns.auxiliary.entries()];
    let mut commands = vec![0.0; patterns.dynamics_auxiliary.entries()];
    let weights = Weights { mass: 1.0, damping: 0.5, stiffness: 0.25 };
    let states = StateWeights { rate: 1.0, state: 0.5 };

    let before = ALLOCATIONS.with(Cell::get);
    for _ in 0..3 {
        let at = state.point();
        assembly.auxiliary(&at, &mut residual);
        let blocks = (&mut motion, &mut multipliers, &mut auxiliary);
        assembly.auxiliary_tangent(&at, weights, states, blocks.0, blocks.1, blocks.2);
        assembly.dynamics_auxiliary(&at, states, &mut commands);
        assembly.read_sensor(acceleration, &state);
    }
    let taken = ALLOCATIONS.with(Cell::get) - before;
    assert_eq!(taken, 0, "memory was taken");
    assert!(motion.iter().any(|value| *value != 0.0));
}
