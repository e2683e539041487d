//! The processor time of what a step has started: all processes, also those whose parents did not wait for them.
//!
//! The system adds a process's time to that of the process which waits for it, and a browser waits for none of those
//! that draw its pages: four fifths of an end-to-end test would not be seen. So a step's program is run by a process
//! between (`GATHER`, this program again), to which Linux gives the orphans. It waits for every one, and this program
//! waits for it.
//!
//! Known on Linux only; elsewhere the tables have no such times. Invariant: the process between ends as its program
//! ended, and only then.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// The first argument of the process between; the program and its arguments follow.
const GATHER: &str = "gather-orphans";

/// The processor time of all children that were waited for, and of theirs; `None` where the system does not tell.
pub fn of_children() -> Option<Duration> {
    children_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The same, read from a line of the form of `/proc/self/stat`.
fn children_in(stat: &str) -> Option<Duration> {
    /// Of the system's clock for this file; Linux has shown a hundred a second to programs on every machine.
    const TICKS: u64 = 100;
    // The second field is the program's name in parentheses, and may have spaces and parentheses in it.
    let (_, behind_name) = stat.rsplit_once(')')?;
    // Fields 16 and 17: what children spent in programs and in the system. The first field here is the third.
    let mut fields = behind_name.split_whitespace().skip(16 - 3);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 1000 / TICKS))
}

/// The command, run by the process between where the system gives it the orphans.
pub fn gathered(command: Command) -> Command {
    if !cfg!(target_os = "linux") {
        return command;
    }
    // This very program, also when it was built anew since it began.
    let mut between = Command::new("/proc/self/exe");
    between
        .arg(GATHER)
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        between.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => between.env(name, value),
            None => between.env_remove(name),
        };
    }
    between
}

/// Is this program, when it was started as the process between, until its program has ended; `None` otherwise.
pub fn gather_orphans() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != GATHER {
        return None;
    }
    Some(match run(arguments.collect()) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    })
}

#[cfg(target_os = "linux")]
fn run(words: Vec<OsString>) -> Result<u8, String> {
    let (program, arguments) = words.split_first().ok_or("no program was named")?;
    linux::take_orphans()?;
    let child = Command::new(program)
        .args(arguments)
        .spawn()
        .map_err(|error| format!("`{}` cannot be started: {error}", program.to_string_lossy()))?;
    linux::wait_for(child.id())
}

#[cfg(not(target_os = "linux"))]
fn run(_: Vec<OsString>) -> Result<u8, String> {
    Err("only Linux gives orphans to another process".to_owned())
}

/// Two calls of the system that the standard library does not have.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_ulong};

    unsafe extern "C" {
        fn prctl(option: c_int, argument: c_ulong, _: c_ulong, _: c_ulong, _: c_ulong) -> c_int;
        fn waitpid(process: c_int, status: *mut c_int, options: c_int) -> c_int;
    }

    /// Has the system give this process the orphans among its descendants.
    pub fn take_orphans() -> Result<(), String> {
        const PR_SET_CHILD_SUBREAPER: c_int = 36;
        // SAFETY: this option reads one number and no memory.
        match unsafe { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error().to_string()),
        }
    }

    /// Waits for children and orphans, until the child with this id ends and no other has ended; gives its exit code,
    /// as a shell does: of one that a signal ended, the signal's number and 128.
    pub fn wait_for(child: u32) -> Result<u8, String> {
        const ANY: c_int = -1;
        const WNOHANG: c_int = 1;
        let mut code = None;
        loop {
            let mut status = 0;
            let options = if code.is_some() { WNOHANG } else { 0 };
            // SAFETY: `status` outlives the call, which writes nothing else. Nothing else in this process waits.
            let ended = unsafe { waitpid(ANY, &raw mut status, options) };
            if u32::try_from(ended) == Ok(child) {
                let (signal, exit) = (status & 0x7f, (status >> 8) & 0xff);
                let shown = if signal == 0 { exit } else { 128 + signal };
                code = Some(u8::try_from(shown).unwrap_or(u8::MAX));
            } else if ended <= 0 {
                match code {
                    Some(code) => return Ok(code),
                    None => return Err(std::io::Error::last_os_error().to_string()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_children_stand_behind_any_name() {
        let line = "7 (a) b) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 250 75 20 0 1 0 99";
        assert_eq!(children_in(line), Some(Duration::from_millis(3250)));
        assert_eq!(children_in("7 (a) S 1"), None);
    }

    #[test]
    fn a_command_keeps_its_folder_and_variables_behind_the_process_between() {
        let mut command = Command::new("node");
        command
            .arg("--test")
            .env("CHROMIUM", "c")
            .current_dir("web");
        let between = gathered(command);
        if cfg!(target_os = "linux") {
            let words: Vec<_> = between.get_args().collect();
            assert_eq!(words, [GATHER, "node", "--test"]);
        }
        assert_eq!(between.get_current_dir(), Some(std::path::Path::new("web")));
        assert!(between.get_envs().any(|(name, _)| name == "CHROMIUM"));
    }
}
