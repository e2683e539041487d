//! Where things are: the project's root, the target folder, the tools, the web sources.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folders every verb works in.
pub struct Project {
    pub root: PathBuf,
    /// Cargo's target folder, `CARGO_TARGET_DIR` honoured.
    pub target: PathBuf,
    /// Tools that xtask installed: `bin/` below it goes first on the PATH of children.
    pub tools: PathBuf,
    pub web: PathBuf,
    pub package: PathBuf,
}

impl Project {
    /// Finds the project by this crate's place in it.
    pub fn find() -> Result<Self, String> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .ancestors()
            .find(|folder| folder.join("rust-toolchain.toml").is_file())
            .ok_or_else(|| format!("no project around {}", manifest.display()))?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => root.join(folder),
            None => root.join("target"),
        };
        Ok(Self {
            tools: target.join("tools"),
            web: root.join("web"),
            package: root.join("pkg"),
            root,
            target,
        })
    }

    /// Where wasm-bindgen's output of the release engine lies.
    pub fn engine(&self) -> PathBuf {
        self.web.join("wasm")
    }

    /// The built web app.
    pub fn site(&self) -> PathBuf {
        self.web.join("dist").join("site")
    }

    /// The PATH of every child: our tools, then the caller's.
    pub fn path_variable(&self) -> OsString {
        let own = self.tools.join("bin");
        let others = env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(own).chain(env::split_paths(&others));
        env::join_paths(all).unwrap_or(others)
    }

    /// The file a program's name stands for on the children's PATH.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        env::split_paths(&self.path_variable())
            .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
            .find(|file| file.is_file())
    }

    /// A path as seen from the root, for messages.
    pub fn relative<'p>(&self, path: &'p Path) -> std::path::Display<'p> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}
