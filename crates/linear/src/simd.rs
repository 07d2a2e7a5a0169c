//! Run-time choice between the portable kernels and their copies with fused multiply-add.
//!
//! The kernels are written once, generic over `FUSED`, and inlined into a copy compiled with
//! `target_feature(enable = "avx2,fma")`; a global target CPU would not be portable.

/// True if the copies compiled for AVX2 and FMA may run on this processor.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn available() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
}

/// `a b + c`, fused only where one instruction does it: the library routine is slow.
#[inline(always)]
pub(crate) fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Four numbers that move through one vector register.
pub(crate) type Lanes = [f64; 4];

/// `a x + y` for each lane. Values, not references: only then the compiler knows that nothing
/// overlaps and uses vector instructions.
#[inline(always)]
pub(crate) fn multiply_add_lanes<const FUSED: bool>(a: f64, x: Lanes, y: Lanes) -> Lanes {
    let mut sum = y;
    for l in 0..4 {
        sum[l] = multiply_add::<FUSED>(a, x[l], y[l]);
    }
    sum
}
