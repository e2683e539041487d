//! Makes the JavaScript glue that goes with a compiled engine: `quire-glue ENGINE.wasm FOLDER`.
//!
//! It has the effect of the command-line tool `wasm-bindgen --target web --out-name quire`, by the library that the
//! tool is made of: the library compiles in half of the tool's time. Invariant: the library's version is that of the
//! crate `wasm-bindgen` in the engine's `Cargo.lock`, or the glue would not fit; `cargo xtask build` compares them.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(engine), Some(folder), None) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("usage: quire-glue ENGINE.wasm FOLDER");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(&engine)
        .out_name("quire")
        .typescript(true)
        .omit_default_module_path(false)
        .web(true)
        .and_then(|bindgen| bindgen.generate(&folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error:?}", engine.display());
            ExitCode::FAILURE
        }
    }
}
