//! Packages of the system, with apt-get: browsers, and libraries that some tests are compiled with.
//!
//! Invariant: a thing that is there already is used as it is. All that are missing are installed by one call, and each
//! by a call of its own only where that one fails: one package that cannot be had takes no other with it.

use crate::process::Program;
use crate::project::Project;

/// A thing that tests need and the system's packages have.
pub struct Needed {
    pub name: &'static str,
    /// The packages that Debian has it in.
    pub packages: &'static str,
    pub is_there: fn(&Project) -> bool,
    /// Whether its tests are skipped without it, which is said; without another thing the tests fail.
    pub is_optional: bool,
    /// What to do where it is missing.
    pub advice: &'static str,
}

/// MongoDB's C driver, and what compiles and links a program with it.
pub const C_DRIVER: Needed = Needed {
    name: "MongoDB's C driver",
    packages: "libmongoc-dev gcc libc6-dev pkg-config",
    is_there: |project| {
        let found = Program::new(project, "pkg-config").words("--exists libmongoc-1.0");
        project.find_program("cc").is_some()
            && project.find_program("pkg-config").is_some()
            && found.read().is_ok()
    },
    is_optional: true,
    advice: "a compiler and `pkg-config` must find libmongoc-1.0",
};

/// Installs those of the things that are missing. Tells what was found, was installed, or is missing still.
///
/// # Errors
/// Where a thing that is not optional can't be had.
pub fn provide(project: &Project, things: &[&Needed]) -> Result<String, String> {
    let is_there = |thing: &Needed| (thing.is_there)(project);
    let (found, missing): (Vec<&Needed>, Vec<_>) = things.iter().partition(|thing| is_there(thing));
    let mut outcome = Ok(());
    if !missing.is_empty() {
        let packages = |things: &[&Needed]| -> String {
            let packages: Vec<_> = things.iter().map(|thing| thing.packages).collect();
            packages.join(" ")
        };
        println!("      apt-get installs {}", packages(&missing));
        let singly = |message| {
            { missing.iter() }
                .map(|thing| install(project, thing.packages))
                .fold(Err(message), Result::and)
        };
        outcome =
            refresh(project).and_then(|()| install(project, &packages(&missing)).or_else(singly));
    }
    let failure = outcome.err().unwrap_or_default();
    let mut said: Vec<String> = { found.iter() }
        .map(|thing| format!("found {}", thing.name))
        .collect();
    for thing in missing {
        match thing {
            _ if is_there(thing) => said.push(format!("installed {}", thing.name)),
            Needed { name, advice, .. } if thing.is_optional => {
                said.push(format!(
                    "{name} is missing, its tests are skipped: {advice}"
                ));
            }
            Needed { name, advice, .. } => {
                return Err(format!("{name} is missing: {advice} ({failure})"));
            }
        }
    }
    Ok(said.join("; "))
}

/// Reads the index of packages anew. An index that can't be may still be good enough to install from.
fn refresh(project: &Project) -> Result<(), String> {
    if project.find_program("apt-get").is_none() {
        return Err("there is no apt-get".to_owned());
    }
    if let Err(message) = apt_get(project, "update -qq") {
        println!("      {message}");
    }
    Ok(())
}

/// Installs packages, and nothing that they only recommend. Manuals are left out: apt-get would make the index of all
/// manuals anew. dpkg leaves it to the system when each file reaches the disk, which is quicker than to wait for it.
fn install(project: &Project, packages: &str) -> Result<(), String> {
    let options = "install -y -qq --no-install-recommends -o Dpkg::Options::=--force-unsafe-io \
                   -o Dpkg::Options::=--path-exclude=/usr/share/man/*";
    apt_get(project, &format!("{options} {packages}"))
}

/// Runs apt-get silently, as root or where that may be had without being asked.
fn apt_get(project: &Project, words: &str) -> Result<(), String> {
    let id = Program::new(project, "id").words("-u").read();
    let program = match id.is_ok_and(|id| id.trim() == "0") {
        true => Program::new(project, "apt-get"),
        false => Program::new(project, "sudo").words("--non-interactive apt-get"),
    };
    program
        .words(words)
        .variable("DEBIAN_FRONTEND", "noninteractive")
        .read()
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    const THERE: Needed = Needed {
        name: "a thing",
        packages: "no-such-package",
        is_there: |_| true,
        is_optional: false,
        advice: "look for it",
    };

    #[test]
    fn what_is_there_is_not_installed() {
        let project = Project::find().expect("the tests lie in the project");
        let other = Needed {
            name: "another",
            ..THERE
        };
        assert_eq!(
            provide(&project, &[&THERE, &other]),
            Ok("found a thing; found another".to_owned())
        );
    }
}
