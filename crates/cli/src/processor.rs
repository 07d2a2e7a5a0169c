//! What the processor can do, and the program that was built for it.

/// Whether the processor has the vectors that the quicker of two programs is built for; none where there is but one kind.
pub(crate) fn has_wide_vectors() -> Option<bool> {
    #[cfg(target_arch = "x86_64")]
    return Some(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Hands over to `rotula-wide` beside this program, if this one was built for all processors, that one is there,
/// and the processor can run it. Packages hold both.
pub(crate) fn hand_over() {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        if cfg!(target_feature = "avx2") || has_wide_vectors() != Some(true) {
            return;
        }
        let Ok(own) = std::env::current_exe() else { return };
        let wide = own.with_file_name("rotula-wide");
        if wide.is_file() {
            // comes back only if it could not begin, and then this program does the work
            let _ = std::process::Command::new(wide).args(std::env::args_os().skip(1)).exec();
        }
    }
}
