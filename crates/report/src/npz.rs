//! Trajectories as an archive of NumPy arrays.

use crate::atomic;
use crate::columns::blocks;
use crate::error::Error;
use crate::npy::Array;
use crate::run::Run;
use rotula_dae::StepRecord;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Writes a trajectory as `.npz`, to be read with `numpy.load`.
///
/// Arrays over the recorded times: `t`, `q`, `v`, `vdot`, `multipliers`, `x`, `y`, `extra`, `energy`
/// (kinetic, potential, work) and `residuals` (position, velocity, acceleration), one row per time.
/// Curves in panels of their own have arrays named after their titles. Each but `t` has its column names in `NAME_names`. Arrays over the steps: `steps_t`, `steps_h`,
/// `steps_error`, `steps_iterations`, `steps_factorisations`, `steps_rejected`, `steps_order`.
pub fn write_npz(path: &Path, run: &Run) -> Result<(), Error> {
    let blocks = blocks(path, run)?;
    let trajectory = run.trajectory;
    let rows = trajectory.len();
    atomic::write(path, |file| {
        let mut archive = Archive { zip: ZipWriter::new(file) };
        archive.add("t", Array::vector(&trajectory.times))?;
        for block in &blocks {
            let table = block.table;
            archive.add(&block.key, Array::matrix(rows, table.width(), table.values()))?;
            archive.add(&format!("{}_names", block.key), Array::Text(block.names.clone()))?;
        }
        let real = |f: fn(&StepRecord) -> f64| trajectory.steps.iter().map(f).collect::<Vec<_>>();
        archive.add("steps_t", Array::vector(&real(|step| step.t)))?;
        archive.add("steps_h", Array::vector(&real(|step| step.h)))?;
        archive.add("steps_error", Array::vector(&real(|step| step.error)))?;
        let counts: [(&str, Count); 4] = [
            ("steps_iterations", |step| step.iterations),
            ("steps_factorisations", |step| step.factorisations),
            ("steps_rejected", |step| step.rejected),
            ("steps_order", |step| step.order),
        ];
        for (name, count) in counts {
            let values = trajectory.steps.iter().map(|step| count(step) as i64).collect();
            archive.add(name, Array::Integer(values))?;
        }
        archive.zip.finish()?;
        Ok(())
    })
}

/// A counter of a step.
type Count = fn(&StepRecord) -> usize;

struct Archive<W: Write + io::Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + io::Seek> Archive<W> {
    /// Not compressed, as `numpy.savez` does: numbers of full precision hardly shrink.
    fn add(&mut self, name: &str, array: Array) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(true);
        self.zip.start_file(format!("{name}.npy"), options)?;
        // The archive updates a checksum per call: hand it large pieces.
        let mut out = BufWriter::with_capacity(1 << 16, &mut self.zip);
        array.write(&mut out)?;
        out.flush()
    }
}
