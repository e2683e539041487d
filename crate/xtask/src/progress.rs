//! Visible progress: step n of m, what and why, and how long it took.

use std::time::{Duration, Instant};

/// Announces the steps of a verb one after the other.
pub struct Progress {
    total: usize,
    done: usize,
    begun: Instant,
}

impl Progress {
    /// Progress over `total` steps.
    pub fn new(total: usize) -> Self {
        Self {
            total,
            done: 0,
            begun: Instant::now(),
        }
    }

    /// Runs one step. `work` returns what it did, in a few words.
    pub fn step(
        &mut self,
        title: &str,
        work: impl FnOnce() -> Result<String, String>,
    ) -> Result<(), String> {
        self.done += 1;
        println!("[{}/{}] {title}", self.done, self.total);
        let begun = Instant::now();
        let said = work()?;
        println!("      {said} ({})", seconds(begun.elapsed()));
        Ok(())
    }

    /// Time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// A duration for people: `0.4 s`, `12.3 s`, `3 min 05 s`.
pub fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole >= 60 {
        format!("{} min {:02} s", whole / 60, whole % 60)
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(seconds(Duration::from_millis(440)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(185)), "3 min 05 s");
    }

    #[test]
    fn a_failing_step_is_an_error() {
        let mut progress = Progress::new(1);
        assert!(progress.step("fails", || Err("no".to_owned())).is_err());
    }
}
