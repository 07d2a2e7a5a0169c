//! After the first factorisation nothing allocates memory.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use rotula_linear::{Kind, Options};
use support::Problem;
use support::bodies::{chain, net, scaled};
use support::elastic::{frame, solid};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system allocator with a counter per thread.
struct Counting;

// SAFETY: all requests go to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(problem: &Problem, kind: Kind) -> usize {
    let options = Options { kind, ..Options::default() };
    let (mut matrix, block) = problem.matrix(options);
    let mut b = vec![1.0; problem.size()];
    matrix.add(block, 1.0, &problem.values[0]);
    matrix.factor().unwrap();
    let before = COUNT.get();
    for values in &problem.values {
        matrix.clear();
        matrix.add(block, 1.0, values);
        matrix.factor().unwrap();
        matrix.solve(&mut b);
    }
    COUNT.get() - before
}

#[test]
fn nothing_is_allocated_after_the_first_factorisation() {
    let times = [0.0, 1e-4, 2e-4];
    assert_eq!(allocations(&chain(3, scaled(1e-3), &times), Kind::Dense), 0);
    assert_eq!(allocations(&chain(50, scaled(1e-3), &times), Kind::Sparse), 0);
    assert_eq!(allocations(&net(5, 1, &times), Kind::Sparse), 0);
    assert_eq!(allocations(&frame(30, 30, &times), Kind::Sparse), 0);
    assert_eq!(allocations(&solid(9, &times), Kind::Sparse), 0);
}
