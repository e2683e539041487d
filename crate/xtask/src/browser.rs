//! Finding the browsers of the tests (Chromium and its driver; Firefox and WebKit where they can be had), or installing
//! them where a package manager allows it.

use crate::apt;
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
    println!("      no browser was found: installing chromium and chromium-driver with apt-get");
    apt::install(project, "chromium chromium-driver")
        .map_err(|message| format!("{message}: {advice}"))?;
    match find(project) {
        Some(browser) => Ok(format!("installed {}", browser.display())),
        None => Err(format!(
            "apt-get installed no browser that is on the PATH: {advice}"
        )),
    }
}

/// A browser that is tested where it can be had: its name, the programs it needs (any one of each list), the variable
/// that names it, and the packages that Debian has it in.
struct Other {
    name: &'static str,
    programs: &'static [&'static [&'static str]],
    variable: &'static str,
    packages: &'static str,
}

const OTHERS: &[Other] = &[
    Other {
        name: "Firefox",
        programs: &[&["firefox-esr", "firefox"]],
        variable: "FIREFOX",
        packages: "firefox-esr",
    },
    Other {
        name: "WebKit",
        programs: &[&["WebKitWebDriver"], &["Xvfb"]],
        variable: "WEBKIT_DRIVER",
        packages: "webkit2gtk-driver xvfb",
    },
];

/// Looks for Firefox and WebKit, and installs those that apt-get can. Nobody has to have them: where one is missing its
/// tests are skipped, which this says.
pub fn install_others(project: &Project) -> String {
    let states = OTHERS.iter().map(|other| {
        let is_there = || {
            std::env::var_os(other.variable).is_some()
                || other.programs.iter().all(|names| {
                    let found = names.iter().find_map(|name| project.find_program(name));
                    found.is_some()
                })
        };
        if is_there() {
            return format!("found {}", other.name);
        }
        println!(
            "      {} was not found: installing {} with apt-get",
            other.name, other.packages
        );
        match apt::install(project, other.packages) {
            Ok(()) if is_there() => format!("installed {}", other.name),
            Ok(()) => format!(
                "{} is not on the PATH, its tests are skipped ({} names it)",
                other.name, other.variable
            ),
            Err(message) => format!("{}'s tests are skipped: {message}", other.name),
        }
    });
    states.collect::<Vec<_>>().join("; ")
}
