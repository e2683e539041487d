//! Visible progress: step n of m, its title and reason, how long it took, and which parts still run.

use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often a person is told which parts still run.
const TELL_EVERY: Duration = Duration::from_secs(20);

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

    /// Runs one step. `work` returns its outcome in a few words.
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

/// One of the parts of a step that are done at the same time: its name, and its work.
pub type Part<'p> = (
    &'p str,
    &'p (dyn Fn() -> Result<String, String> + Send + Sync),
);

/// Runs the parts side by side and waits for all of them; tells now and then which still run. Gives their outcomes, in
/// their order.
///
/// # Errors
/// Those of all parts that failed, in their order.
pub fn side_by_side(parts: &[Part<'_>]) -> Result<String, String> {
    let begun = Instant::now();
    let running = Mutex::new(parts.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let ended = Condvar::new();
    let poisoned = "a part of this step panicked".to_owned();
    let results = thread::scope(|scope| {
        let threads: Vec<_> = parts
            .iter()
            .map(|(name, work)| {
                let (running, ended) = (&running, &ended);
                scope.spawn(move || {
                    let said = work();
                    if let Ok(mut running) = running.lock() {
                        running.retain(|other| other != name);
                    }
                    ended.notify_all();
                    said.map(|said| format!("{name}: {said} ({})", seconds(begun.elapsed())))
                })
            })
            .collect();
        if let Ok(mut left) = running.lock() {
            println!("      waiting for {}", left.join(", "));
            while !left.is_empty() && !threads.iter().all(|thread| thread.is_finished()) {
                let Ok((next, timeout)) = ended.wait_timeout(left, TELL_EVERY) else {
                    break;
                };
                left = next;
                if timeout.timed_out() && !left.is_empty() {
                    println!(
                        "      after {}: waiting for {}",
                        seconds(begun.elapsed()),
                        left.join(", ")
                    );
                }
            }
        }
        threads
            .into_iter()
            .map(|thread| thread.join())
            .collect::<Vec<_>>()
    });
    let (mut said, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result.unwrap_or_else(|_| Err(poisoned.clone())) {
            Ok(words) => said.push(words),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.is_empty() {
        true => Ok(said.join("; ")),
        false => Err(failures.join("; ")),
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
    fn parts_side_by_side_are_all_waited_for() {
        let done = Mutex::new(0);
        let count = || {
            *done.lock().expect("no part panics") += 1;
            Ok("done".to_owned())
        };
        let said = side_by_side(&[("one", &count), ("two", &count)]).expect("both succeed");
        assert!(said.starts_with("one: done") && said.contains("; two: done"));
        let fails = || Err("no".to_owned());
        let failed = side_by_side(&[("one", &fails), ("two", &count), ("three", &fails)]);
        assert_eq!(
            (failed, *done.lock().expect("no part panics")),
            (Err("no; no".to_owned()), 3)
        );
    }

    #[test]
    fn a_failing_step_is_an_error() {
        let mut progress = Progress::new(1);
        assert!(progress.step("fails", || Err("no".to_owned())).is_err());
    }
}
