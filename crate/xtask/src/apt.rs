//! Packages of the system, with apt-get: browsers, and libraries that some tests are compiled with.
//!
//! Invariant: nobody has to have them. Without one its tests are skipped, and say so.

use crate::process::Program;
use crate::project::Project;

/// Installs packages with apt-get, where there is one that may be used without being asked.
pub fn install(project: &Project, packages: &str) -> Result<(), String> {
    if project.find_program("apt-get").is_none() {
        return Err("there is no apt-get to install it".to_owned());
    }
    let root = Program::new(project, "id")
        .words("-u")
        .read()
        .is_ok_and(|id| id.trim() == "0");
    let apt = |words: &str| {
        let program = if root {
            Program::new(project, "apt-get")
        } else {
            Program::new(project, "sudo").words("--non-interactive apt-get")
        };
        program
            .words(words)
            .variable("DEBIAN_FRONTEND", "noninteractive")
            .run()
    };
    // An index that cannot be refreshed may still be good enough to install from.
    let refreshed = apt("update -qq");
    apt(&format!(
        "install -y -qq --no-install-recommends {packages}"
    ))
    .map_err(|message| {
        let also = refreshed
            .err()
            .map(|message| format!("; {message}"))
            .unwrap_or_default();
        format!("{message}{also}")
    })
}

/// Looks for MongoDB's C driver and a compiler, and installs them where apt-get can.
pub fn c_driver(project: &Project) -> String {
    let is_there = || {
        let found = Program::new(project, "pkg-config").words("--exists libmongoc-1.0");
        project.find_program("cc").is_some()
            && project.find_program("pkg-config").is_some()
            && found.read().is_ok()
    };
    if is_there() {
        return "found".to_owned();
    }
    match install(project, "libmongoc-dev gcc libc6-dev pkg-config") {
        Ok(()) if is_there() => "installed".to_owned(),
        Ok(()) => "it is not found, its test is skipped".to_owned(),
        Err(message) => format!("its test is skipped: {message}"),
    }
}
