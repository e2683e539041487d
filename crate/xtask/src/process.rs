//! Running other programs: with the project's PATH, no standard input, and the output seen and kept.

use crate::processor;
use crate::project::Project;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

/// A program to run, in the project's root unless told otherwise.
pub struct Program {
    name: String,
    command: Command,
    gathers: bool,
}

/// The result of a program: whether it succeeded, and all it printed.
pub struct Finished {
    pub success: bool,
    pub output: String,
}

impl Program {
    /// A program by its name on the children's PATH, or by its whole path.
    pub fn new(project: &Project, name: &str) -> Self {
        let file = project
            .find_program(name)
            .map_or_else(|| name.into(), |path| path.into_os_string());
        let mut command = Command::new(file);
        command
            .current_dir(&project.root)
            .env("PATH", project.path_variable())
            .stdin(Stdio::null());
        Self {
            name: name.to_owned(),
            command,
            gathers: false,
        }
    }

    /// npm, whose file is a script with another ending on Windows.
    pub fn npm(project: &Project) -> Self {
        Self::new(project, if cfg!(windows) { "npm.cmd" } else { "npm" })
    }

    /// Adds words, separated by spaces.
    pub fn words(mut self, words: &str) -> Self {
        self.command.args(words.split_whitespace());
        self
    }

    /// Adds one argument as it is.
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments as they are.
    pub fn arguments<T: AsRef<OsStr>>(mut self, arguments: &[T]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Runs in another folder.
    pub fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets an environment variable.
    pub fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Has the processor time of all that comes of the program counted (`processor`).
    pub fn gathered(mut self) -> Self {
        self.gathers = true;
        self
    }

    /// The command to start.
    fn ready(&mut self) -> Command {
        let command = std::mem::replace(&mut self.command, Command::new(&self.name));
        if self.gathers {
            processor::gathered(command)
        } else {
            command
        }
    }

    /// The command line, for messages.
    pub fn line(&self) -> String {
        let arguments = self
            .command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned());
        std::iter::once(self.name.clone())
            .chain(arguments)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs to the end with the output on the terminal; failure is an error.
    pub fn run(mut self) -> Result<(), String> {
        let line = self.line();
        let status = self
            .ready()
            .status()
            .map_err(|error| self.missing(&error))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("`{line}` failed ({status})"))
        }
    }

    /// Runs silently; gives its standard output, or an error with all it printed.
    pub fn read(mut self) -> Result<String, String> {
        let line = self.line();
        let output = self
            .command
            .output()
            .map_err(|error| self.missing(&error))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "`{line}` failed ({})\n{text}{errors}",
            output.status
        ))
    }

    /// Runs to the end, showing all output while it comes, and keeps it too.
    pub fn show_and_keep(self) -> Result<Finished, String> {
        self.show_marked("")
    }

    /// The same, with a mark before each line that is shown.
    pub fn show_marked(mut self, mark: &'static str) -> Result<Finished, String> {
        let mut command = self.ready();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.missing(&error))?;
        let kept = Arc::new(Mutex::new(Vec::new()));
        let readers: Vec<_> = [
            child
                .stdout
                .take()
                .map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
            child
                .stderr
                .take()
                .map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        ]
        .into_iter()
        .flatten()
        .map(|pipe| {
            let kept = Arc::clone(&kept);
            thread::spawn(move || copy(pipe, mark, &kept))
        })
        .collect();
        for reader in readers {
            reader
                .join()
                .map_err(|_| "a reader of output panicked".to_owned())?;
        }
        let status = child.wait().map_err(|error| error.to_string())?;
        let bytes = kept.lock().map_err(|error| error.to_string())?;
        Ok(Finished {
            success: status.success(),
            output: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }

    /// Starts a program that goes on by itself; gives it with the first line that it prints.
    pub fn begin(mut self) -> Result<(Running, String), String> {
        let line = self.line();
        let child = self
            .command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| self.missing(&error))?;
        let mut running = Running { child };
        let mut said = String::new();
        if let Some(pipe) = running.child.stdout.take() {
            BufReader::new(pipe)
                .read_line(&mut said)
                .map_err(|error| error.to_string())?;
        }
        match said.trim() {
            "" => Err(format!("`{line}` did not begin")),
            first => Ok((running, first.to_owned())),
        }
    }

    fn missing(&self, error: &std::io::Error) -> String {
        format!("`{}` cannot be started: {error}", self.name)
    }
}

/// A program that was begun; it is ended when nobody holds it.
pub struct Running {
    child: Child,
}

impl Running {
    /// Waits until it ends, which it does not by itself.
    pub fn wait(mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        Err(format!("the program ended ({status})"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The program may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Copies a pipe to standard output and into the kept bytes, whole lines at a time so that the two
/// pipes of one program do not cut into each other's lines.
fn copy(mut pipe: Box<dyn Read + Send>, mark: &str, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 16 * 1024];
    let mut pending = Vec::new();
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        pending.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if let Some(end) = pending.iter().rposition(|byte| *byte == b'\n') {
            let lines: Vec<u8> = pending.drain(..=end).collect();
            emit(&lines, mark, kept);
        }
    }
    emit(&pending, mark, kept);
}

fn emit(bytes: &[u8], mark: &str, kept: &Mutex<Vec<u8>>) {
    let mut shown = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        shown.extend_from_slice(mark.as_bytes());
        shown.extend_from_slice(line);
    }
    // A closed terminal must not end the run: the output is kept in memory.
    let _ = std::io::stdout().write_all(&shown);
    if let Ok(mut kept) = kept.lock() {
        kept.extend_from_slice(bytes);
    }
}
