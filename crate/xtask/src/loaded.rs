//! `cargo xtask soak --e2e N`: the end-to-end tests again and again while the machine is busy with something else.
//!
//! A test that fails only then waits for a time where it should wait for an event, or has found a race of the page's.
//! Invariants: the load is there from the first test to the last, and goes with this program; every run is made, and
//! what failed in any of them is told at the end.

use crate::arguments::Arguments;
use crate::browser;
use crate::count::{self, Count};
use crate::process::Program;
use crate::progress::seconds;
use crate::project::Project;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many programs of tests run at a time: they wait for storage, timers and turns of the page a third of theirs.
pub const AT_ONCE: usize = 3;

/// Threads that never wait, unless told otherwise: eight for each of two cores.
const LOAD: usize = 16;

/// The option that has Node's test runner run this many programs at a time.
pub fn at_once(programs: usize) -> String {
    format!("--test-concurrency={programs}")
}

/// Runs the end-to-end tests `runs` times under load, and names the tests that failed.
pub fn run(project: &Project, arguments: &Arguments, runs: u32) -> Result<(), String> {
    let load = arguments.number::<usize>("load")?.unwrap_or(LOAD);
    let together = arguments.number::<usize>("at-once")?.unwrap_or(AT_ONCE);
    let files = files(project, &arguments.list("tests"))?;
    let browser = browser::find(project).ok_or("no browser was found")?;
    let folder = project.target.join("loaded");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let begun = Instant::now();
    let mut failures: Vec<String> = Vec::new();
    let mut in_a_row = 0;
    for number in 1..=runs {
        println!(
            "\n=== run {number} of {runs}, {} files, {together} at a time, {load} busy loops beside them ({} so far)",
            files.len(),
            seconds(begun.elapsed())
        );
        let (finished, ready) = beside(load, || {
            Program::new(project, "node")
                .words("--test --test-reporter=tap")
                .argument(at_once(together))
                .arguments(&files)
                .variable("CHROMIUM", &browser)
                .show_and_keep()
        });
        let finished = finished?;
        let kept = folder.join(format!("run-{number}.tap"));
        fs::write(&kept, &finished.output)
            .map_err(|error| format!("{}: {error}", kept.display()))?;
        let Count { passed, failed, .. } = count::in_output(&finished.output);
        let ready = ready.map_or(String::new(), |mean| format!(", under a load of {mean:.1}"));
        println!("--- run {number}: {passed} passed, {failed} failed{ready}");
        if finished.success && failed == 0 && passed > 0 {
            in_a_row += 1;
            continue;
        }
        in_a_row = 0;
        let names = failed_tests(&finished.output);
        if names.is_empty() {
            failures.push(format!("run {number}: it ended early"));
        }
        let told = |name: String| format!("run {number}: {name} (in {})", project.relative(&kept));
        failures.extend(names.into_iter().map(told));
    }
    println!(
        "\n{runs} runs in {}, the last {in_a_row} without a failure",
        seconds(begun.elapsed())
    );
    if failures.is_empty() {
        return Ok(());
    }
    failures.iter().for_each(|failure| println!("{failure}"));
    Err(format!("{} tests failed", failures.len()))
}

/// The programs of all end-to-end tests: each file of `tests/e2e/together`, which are the longest, and each file of
/// tests that none of them takes in; or the files of tests that are named.
pub fn files(project: &Project, only: &[&str]) -> Result<Vec<PathBuf>, String> {
    let folder = project.root.join("tests/e2e");
    let name_of = |file: &PathBuf| {
        let name = file.file_name()?.to_string_lossy();
        name.strip_suffix(".test.mjs").map(str::to_owned)
    };
    let mut all: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| name_of(file).is_some())
        .collect();
    all.sort();
    let is_there = |name: &str| all.iter().filter_map(&name_of).any(|other| other == name);
    let missing = |name: &str| format!("there is no tests/e2e/{name}.test.mjs");
    if let Some(name) = only.iter().find(|name| !is_there(name)) {
        return Err(missing(name));
    }
    if !only.is_empty() {
        all.retain(|file| name_of(file).is_some_and(|name| only.contains(&&*name)));
        return Ok(all);
    }
    let (mut programs, taken) = together(&folder.join("together"))?;
    if let Some(name) = taken.iter().find(|name| !is_there(name)) {
        return Err(missing(name));
    }
    all.retain(|file| name_of(file).is_some_and(|name| !taken.contains(&name)));
    programs.extend(all);
    Ok(programs)
}

/// The files that run others in one process, and the names of the files of tests that they take in.
fn together(folder: &Path) -> Result<(Vec<PathBuf>, Vec<String>), String> {
    let say = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut programs = Vec::new();
    let mut taken = Vec::new();
    for entry in fs::read_dir(folder).map_err(say)? {
        let file = entry.map_err(say)?.path();
        let text = fs::read_to_string(&file).map_err(say)?;
        let names = text
            .lines()
            .filter_map(|line| {
                line.strip_prefix("import \"../")?
                    .strip_suffix(".test.mjs\";")
            })
            .map(str::to_owned);
        taken.extend(names);
        programs.push(file);
    }
    programs.sort();
    Ok((programs, taken))
}

/// Does the work while `load` threads keep the processors busy, and tells how many threads were running or ready to,
/// in the mean; `None` where the system does not tell.
fn beside<T>(load: usize, work: impl FnOnce() -> T) -> (T, Option<f64>) {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..load {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let watch = scope.spawn(|| {
            let (mut sum, mut looks) = (0, 0);
            loop {
                if let Some(ready) = ready_threads() {
                    sum += ready;
                    looks += 1;
                }
                if ended.load(Ordering::Relaxed) {
                    break;
                }
                thread::park_timeout(Duration::from_secs(1));
            }
            (looks > 0).then(|| sum as f64 / f64::from(looks))
        });
        let result = work();
        ended.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        (result, watch.join().unwrap_or_default())
    })
}

/// How many threads of the machine run or are ready to; the system's own load average is a mean of these.
fn ready_threads() -> Option<u32> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let line = stat
        .lines()
        .find_map(|line| line.strip_prefix("procs_running "))?;
    line.trim().parse().ok()
}

/// The names of the tests that failed, as the TAP lines of Node's runner have them.
fn failed_tests(output: &str) -> Vec<String> {
    { output.lines() }
        .filter_map(|line| line.trim_start().strip_prefix("not ok "))
        .filter_map(|rest| rest.split_once(" - "))
        .map(|(_, name)| name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_are_named() {
        let output = "ok 1 - opens\n    not ok 2 - a lesson\nnot ok 3 - lessons - all\n# fail 2\n";
        assert_eq!(failed_tests(output), ["a lesson", "lessons - all"]);
    }

    #[test]
    fn the_load_ends_with_the_work() {
        let (result, ready) = beside(3, || 7);
        assert_eq!(result, 7);
        assert_eq!(ready.is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn files_are_all_or_those_named() {
        let project = Project::find().expect("the tests run in the project");
        let all = files(&project, &[]).expect("the folder is there");
        let is_of = |file: &&PathBuf, folder: &str| {
            file.parent().is_some_and(|parent| parent.ends_with(folder))
        };
        let alone = all.iter().filter(|file| is_of(file, "e2e")).count();
        let shared = all.iter().filter(|file| is_of(file, "together")).count();
        assert!(alone > 10 && shared > 3 && alone + shared == all.len());
        // One that is taken in runs once, unless it is asked for.
        assert!(all.iter().all(|file| !file.ends_with("stop.test.mjs")));
        let two = files(&project, &["stop", "tabs"]).expect("both are there");
        assert_eq!(two.len(), 2);
        assert!(files(&project, &["stop", "gone"]).is_err());
    }
}
