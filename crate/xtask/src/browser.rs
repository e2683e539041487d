//! Finding a Chromium and its driver, or installing them where a package manager allows it.

use crate::process::Program;
use crate::project::Project;
use std::path::PathBuf;

const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// The browser the end-to-end tests start: `CHROMIUM`, or one found on the PATH.
pub fn find(project: &Project) -> Option<PathBuf> {
    if let Some(file) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(file));
    }
    BROWSERS.iter().find_map(|name| project.find_program(name))
}

/// Makes sure that a browser and chromedriver are there.
pub fn install(project: &Project) -> Result<String, String> {
    if let (Some(browser), Some(_)) = (find(project), project.find_program("chromedriver")) {
        return Ok(format!("found {}", browser.display()));
    }
    let advice =
        "install Chromium (or Chrome) and the chromedriver of the same version, both on the PATH";
    if project.find_program("apt-get").is_none() {
        return Err(format!("no browser was found: {advice}"));
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
    println!("      no browser was found: installing chromium and chromium-driver with apt-get");
    // An index that cannot be refreshed may still be good enough to install from.
    let refreshed = apt("update -qq");
    apt("install -y -qq --no-install-recommends chromium chromium-driver").map_err(|message| {
        let also = refreshed
            .err()
            .map(|message| format!("; {message}"))
            .unwrap_or_default();
        format!("{message}{also}: {advice}")
    })?;
    match find(project) {
        Some(browser) => Ok(format!("installed {}", browser.display())),
        None => Err(format!(
            "apt-get installed no browser that is on the PATH: {advice}"
        )),
    }
}
