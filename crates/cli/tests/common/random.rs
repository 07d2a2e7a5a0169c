//! Random numbers for tests that try many moments and sizes: they differ, but not from run to run.

/// A generator of Lehmer.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed % 0x7fff_fffe + 1)
    }

    /// A number below a bound that is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0 * 48_271 % 0x7fff_ffff;
        self.0 % bound
    }
}

/// How often something is tried: as often as a variable of the environment says, else a few times.
pub fn times(variable: &str, few: usize) -> usize {
    match std::env::var(variable) {
        Err(_) => few,
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} = {text} is no number")),
    }
}
