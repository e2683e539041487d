//! What became of the steps of a run: lines for another process, the table that ends a run, and the file that a whole
//! run leaves.
//!
//! Invariant: the closing line `N passed, N failed, N skipped` and the outcome tell the whole truth.

use crate::count::Count;
use crate::process::Program;
use crate::progress::seconds;
use crate::project::Project;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// What a whole run may take with two processors that have nothing else to do and a cold build folder. It is shown and
/// not enforced: no test has a limit in time.
const TARGET: Duration = Duration::from_secs(20 * 60);

/// The outcome of a step.
pub struct Report {
    pub name: String,
    pub count: Count,
    pub failure: Option<String>,
    pub duration: Duration,
    /// What all its processes took of the processors together, where the system tells.
    pub processor: Option<Duration>,
}

impl Report {
    fn has_failed(&self) -> bool {
        self.failure.is_some() || self.count.failed > 0
    }

    /// The line of a step for `read`: its name; tests that passed, failed, and were left out; milliseconds by the clock
    /// and of the processors; and whether the step itself failed.
    fn line(&self) -> String {
        let Count {
            passed,
            failed,
            skipped,
        } = self.count;
        let processor = self
            .processor
            .map_or("unknown".to_owned(), |time| time.as_millis().to_string());
        format!(
            "{} {passed} {failed} {skipped} {} {processor} {}\n",
            self.name,
            self.duration.as_millis(),
            self.failure.is_some()
        )
    }

    fn of_line(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let mut number = || words.next()?.parse().ok();
        let count = Count {
            passed: number()?,
            failed: number()?,
            skipped: number()?,
        };
        let duration = Duration::from_millis(number()?);
        let processor = words.next()?.parse().ok().map(Duration::from_millis);
        let failure = (words.next()? == "true").then(|| "see its lines above".to_owned());
        Some(Self {
            name,
            count,
            failure,
            duration,
            processor,
        })
    }
}

/// Writes a line for each step, for `read`.
pub fn write(file: &Path, reports: &[Report]) -> Result<(), String> {
    let text: String = reports.iter().map(Report::line).collect();
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Reads what `write` wrote.
pub fn read(file: &Path) -> Result<Vec<Report>, String> {
    let text = fs::read_to_string(file).map_err(|_| "these steps ended early")?;
    { text.lines().map(Report::of_line) }
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{} is no report of steps", file.display()))
}

/// The sum of all counts.
pub fn total(reports: &[Report]) -> Count {
    let mut total = Count::default();
    reports.iter().for_each(|report| total.add(report.count));
    total
}

/// The lines that tell of failures under a heading, or nothing.
pub fn said(failures: &[String]) -> String {
    if failures.is_empty() {
        return String::new();
    }
    format!("what failed:\n{}\n\n", failures.join("\n"))
}

/// The table of steps, how to run again those that failed, and the closing line.
pub fn table(reports: &[Report], duration: Duration) -> String {
    let row = |name: &str, time: &str, processor: &str, counts: [&str; 3], mark: &str| {
        let [passed, failed, skipped] = counts;
        let line = format!(
            "{name:<12} {time:>12} {processor:>12} {passed:>8} {failed:>8} {skipped:>8}{mark}"
        );
        format!("{}\n", line.trim_end())
    };
    let known = |time: Option<Duration>| time.map_or("-".to_owned(), seconds);
    let heads = ["passed", "failed", "skipped"];
    let mut text = row("step", "time", "processor", heads, "");
    for report in reports {
        let Count {
            passed,
            failed,
            skipped,
        } = report.count;
        let counts = [passed, failed, skipped].map(|number| number.to_string());
        text += &row(
            &report.name,
            &seconds(report.duration),
            &known(report.processor),
            [&counts[0], &counts[1], &counts[2]],
            if report.has_failed() {
                "  <-- failed"
            } else {
                ""
            },
        );
    }
    let processor: Option<Duration> = reports.iter().map(|report| report.processor).sum();
    text += &row("all", &seconds(duration), &known(processor), [""; 3], "");
    text += "\n";
    for report in reports.iter().filter(|report| report.has_failed()) {
        // Installing belongs to every step.
        if report.name != "install" {
            let _ = writeln!(text, "again with: cargo xtask test --only {}", report.name);
        }
    }
    let Count {
        passed,
        failed,
        skipped,
    } = total(reports);
    text + &format!("{passed} passed, {failed} failed, {skipped} skipped\n")
}

/// A whole run: what it began with, and where it leaves its outcome.
pub struct WholeRun {
    file: PathBuf,
    commit: String,
    folder: &'static str,
}

impl WholeRun {
    /// Notes the commit and the state of the build folder; what an earlier run left goes, so that it does not pass for
    /// this one's.
    pub fn begin(project: &Project) -> Self {
        let file = project.target.join("whole-run.txt");
        let _ = fs::remove_file(&file);
        let git = |words: &str| Program::new(project, "git").words(words).read();
        let commit = match git("rev-parse HEAD") {
            Ok(commit) => {
                let is_clean = git("status --porcelain").is_ok_and(|changed| changed.is_empty());
                let changes = if is_clean { "" } else { ", with changes" };
                format!("{}{changes}", commit.trim())
            }
            Err(_) => "unknown".to_owned(),
        };
        // The tests' profile: xtask itself was built with another.
        let is_warm = project.target.join("checked").is_dir();
        Self {
            file,
            commit,
            folder: if is_warm { "warm" } else { "cold" },
        }
    }

    /// The head of the outcome, above the table.
    fn head(&self, duration: Duration) -> String {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        format!(
            "commit {}\n{} with {cores} processors and a {} build folder; the target is {} with two idle ones and a \
             cold folder\n\n",
            self.commit,
            seconds(duration),
            self.folder,
            seconds(TARGET)
        )
    }

    /// Writes the outcome to its file, and gives what stands there.
    pub fn end(
        &self,
        reports: &[Report],
        failures: &[String],
        duration: Duration,
    ) -> Result<String, String> {
        let text = self.head(duration) + &said(failures) + &table(reports, duration);
        fs::write(&self.file, &text)
            .map_err(|error| format!("{}: {error}", self.file.display()))?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(name: &str, failed: u64, failure: Option<String>) -> Report {
        Report {
            name: name.to_owned(),
            count: Count {
                passed: 7,
                failed,
                skipped: 2,
            },
            failure,
            duration: Duration::from_millis(1500),
            processor: (name == "web").then(|| Duration::from_millis(2250)),
        }
    }

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("quire-{name}-{}", std::process::id()))
    }

    #[test]
    fn reports_are_read_as_they_were_written() {
        let file = scratch("reports");
        let reports = [
            report("web", 0, None),
            report("size", 1, Some("too large".to_owned())),
        ];
        write(&file, &reports).expect("the folder for such files can be written");
        let again = read(&file).expect("it was written just now");
        let _ = fs::remove_file(&file);
        let lines = |reports: &[Report]| reports.iter().map(Report::line).collect::<String>();
        assert_eq!(lines(&again), lines(&reports));
        assert_eq!(
            lines(&again),
            "web 7 0 2 1500 2250 false\nsize 7 1 2 1500 unknown true\n"
        );
        assert!(read(&file).is_err());
    }

    #[test]
    fn the_table_names_what_failed_and_ends_with_the_counts() {
        let reports = [report("web", 0, None), report("e2e", 3, None)];
        let text = table(&reports, Duration::from_secs(65));
        assert!(
            text.contains("web                 1.5 s        2.2 s        7        0        2\n")
        );
        assert!(text.contains(
            "e2e                 1.5 s            -        7        3        2  <-- failed\n"
        ));
        assert!(text.contains("all            1 min 05 s            -\n"));
        assert!(text.ends_with(
            "again with: cargo xtask test --only e2e\n14 passed, 3 failed, 4 skipped\n"
        ));
    }

    #[test]
    fn a_whole_run_leaves_its_commit_and_its_table() {
        let run = WholeRun {
            file: scratch("whole-run"),
            commit: "0a1b2c, with changes".to_owned(),
            folder: "cold",
        };
        let failures = ["not ok 4 - it is drawn".to_owned()];
        let said = run.end(
            &[report("web", 0, None)],
            &failures,
            Duration::from_secs(1200),
        );
        let left = fs::read_to_string(&run.file);
        let _ = fs::remove_file(&run.file);
        let left = left.expect("the run wrote it");
        assert_eq!(said, Ok(left.clone()));
        assert!(left.starts_with("commit 0a1b2c, with changes\n20 min 00 s with "));
        assert!(left.contains("a cold build folder"));
        assert!(left.contains("\nwhat failed:\nnot ok 4 - it is drawn\n\nstep "));
        assert!(left.ends_with("7 passed, 0 failed, 2 skipped\n"));
    }
}
