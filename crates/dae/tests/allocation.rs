//! The marching loop takes no memory after its first step, whatever the formulation.

mod problems;
use problems::chain::Chain;
use problems::*;
use rotula_dae::*;
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

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { SystemAllocator.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations_after_first_step(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
) -> usize {
    let (mut first, mut last) = (None, 0);
    let mut watch = |_: &State, _: &StepRecord| {
        last = ALLOCATIONS.with(Cell::get);
        first.get_or_insert(last);
        true
    };
    let outcome = simulate(system, state, settings, &mut watch).unwrap();
    assert!(outcome.failure.is_none());
    assert!(outcome.trajectory.statistics.steps > 20);
    last - first.unwrap()
}

#[test]
fn marching_allocates_nothing_after_the_first_step() {
    for (name, formulation) in formulations() {
        // short enough for more than twenty steps of any order
        let tolerance = ToleranceControl { tolerance: 1e-5, first: None, min: 1e-10, max: 0.04 };
        let controls = [StepControl::Fixed { h: 0.01 }, StepControl::Tolerance(tolerance)];
        for control in controls {
            let fixed = matches!(control, StepControl::Fixed { .. });
            if fixed && matches!(formulation, Formulation::Bdf { .. }) {
                continue;
            }
            let coefficients = Coefficients::hht(-0.3).unwrap();
            let mut settings = Settings::new(formulation, coefficients, control);
            settings.until = 1.0;
            settings.output = Output::Every(0.1);
            let (mut system, state) = pendulum16();
            let count = allocations_after_first_step(&mut system, &state, &settings);
            assert_eq!(count, 0, "{name}, fixed steps: {fixed}");
            if fixed {
                // Large enough for the sparse solver.
                let mut chain = Chain::new(20);
                let start = chain.start();
                settings.until = 0.05;
                settings.control = StepControl::Fixed { h: 1e-3 };
                let count = allocations_after_first_step(&mut chain, &start, &settings);
                assert_eq!(count, 0, "{name}, sparse");
            }
        }
    }
}
