//! The browsers of the tests: Chromium with its driver, and Firefox and WebKit where they can be had.

use crate::apt::{self, Needed};
use crate::project::Project;
use std::path::PathBuf;

const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// The browser that most tests start, and its driver.
pub const CHROMIUM: Needed = Needed {
    name: "Chromium",
    packages: "chromium chromium-driver",
    is_there: |project| find(project).is_some() && project.find_program("chromedriver").is_some(),
    is_optional: false,
    advice: "install Chromium (or Chrome) and the chromedriver of the same version, both on the PATH",
};

pub const FIREFOX: Needed = Needed {
    name: "Firefox",
    packages: "firefox-esr",
    is_there: |project| {
        is_named("FIREFOX") || { ["firefox-esr", "firefox"].iter() }
            .any(|name| project.find_program(name).is_some())
    },
    is_optional: true,
    advice: "`firefox` must be on the PATH, or FIREFOX name it",
};

pub const WEBKIT: Needed = Needed {
    name: "WebKit",
    packages: "webkit2gtk-driver xvfb",
    is_there: |project| {
        is_named("WEBKIT_DRIVER") || { ["WebKitWebDriver", "Xvfb"].iter() }
            .all(|name| project.find_program(name).is_some())
    },
    is_optional: true,
    advice: "`WebKitWebDriver` and `Xvfb` must be on the PATH, or WEBKIT_DRIVER name the driver",
};

fn is_named(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

/// The browser the end-to-end tests start: `CHROMIUM`, or one found on the PATH.
pub fn find(project: &Project) -> Option<PathBuf> {
    if let Some(file) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(file));
    }
    BROWSERS.iter().find_map(|name| project.find_program(name))
}

/// Makes sure that Chromium and its driver are there.
pub fn install(project: &Project) -> Result<String, String> {
    apt::provide(project, &[&CHROMIUM])
}
