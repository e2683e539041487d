//! Whether a part must be built again: a hash over the names and contents of its inputs, kept in a stamp.
//!
//! Contents and not times: switching branches back and forth costs no build.

use crate::project::Project;
use std::fs;
use std::path::{Path, PathBuf};

/// A running FNV-1a hash, 64 bits: this guards against changes, not against an adversary.
pub struct Fingerprint(u64);

impl Fingerprint {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes, with a separator after them.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds a file, or every file below a folder in sorted order. Of a path that does not exist only the name is added.
    pub fn path(&mut self, path: &Path) {
        for file in files_below(path) {
            self.bytes(file.to_string_lossy().as_bytes());
            self.bytes(&fs::read(&file).unwrap_or_default());
        }
    }

    /// The hash as text.
    pub fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Folders of built or installed files, never inputs.
const SKIPPED: &[&str] = &["dist", "node_modules", "output", "target"];

/// Every file below a path, sorted; the path itself when it is a file.
pub fn files_below(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![path.to_path_buf()];
    while let Some(next) = waiting.pop() {
        if !next.is_dir() {
            found.push(next);
            continue;
        }
        let entries = fs::read_dir(&next).into_iter().flatten().flatten();
        waiting.extend(entries.map(|entry| entry.path()).filter(|child| {
            let name = child.file_name().unwrap_or_default().to_string_lossy();
            !(child.is_dir() && SKIPPED.contains(&name.as_ref()))
        }));
    }
    found.sort();
    found
}

/// The stamp of one part: it holds the fingerprint of the inputs of the last successful build.
pub struct Stamp {
    file: PathBuf,
    now: String,
}

impl Stamp {
    /// The stamp named `name` for inputs with this fingerprint.
    pub fn new(project: &Project, name: &str, inputs: &Fingerprint) -> Self {
        Self {
            file: project.target.join("stamps").join(name),
            now: inputs.text(),
        }
    }

    /// Whether the last successful build had the same inputs.
    pub fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.now)
    }

    /// Whether nothing was built here yet.
    pub fn is_first(&self) -> bool {
        !self.file.is_file()
    }

    /// Records a successful build.
    pub fn record(&self) -> Result<(), String> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&self.file, &self.now))
            .map_err(|error| format!("{}: {error}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let mut one = Fingerprint::new();
        one.bytes(b"ab");
        one.bytes(b"c");
        let mut other = Fingerprint::new();
        other.bytes(b"a");
        other.bytes(b"bc");
        assert_ne!(one.text(), other.text());
    }

    #[test]
    fn files_come_sorted() {
        let files = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert!(files.len() > 5 && files.is_sorted());
    }
}
