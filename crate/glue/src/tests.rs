//! Runs tests that are compiled to WebAssembly, in Node or in a browser: the runner that cargo is given for them.
//!
//! It is the program `wasm-bindgen-test-runner`, by the library that the program is made of: compiled with the maker of
//! the glue, it takes a fraction of the time that installing the command-line tools takes.

use std::env;
use std::process::ExitCode;
use wasm_bindgen_cli::wasm_bindgen_test_runner;

fn main() -> ExitCode {
    match wasm_bindgen_test_runner::run_cli_with_args(env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
