//! The engine's JavaScript glue as a function, so that each engine has an instance of the WebAssembly of its own.
//!
//! wasm-bindgen's module holds its one instance in variables of the module: a trap that stops one engine would stop all
//! engines of the page. Here the module's text becomes the body of `makeGlue`. Invariant: the text is cut at names that
//! wasm-bindgen has given for years; where one is missing the build fails.

use std::fs;
use std::path::Path;

/// The beginning of `makeGlue`, and with `END` its end; the file has no other export.
const BEGIN: &str = "export function makeGlue() {\n";
pub const END: &str = "return {
    imports: __wbg_get_imports(),
    begin(instance, module) {
        __wbg_finalize_init(instance, module);
        return { memory: wasm.memory, QuireEngine };
    },
};
}
";
/// The file's name.
pub const FILE: &str = "engine-glue.js";
/// The beginning of wasm-bindgen's own loading and instantiating, which `web/src/engine/load.ts` does itself.
const LOADING: &str = "async function __wbg_load(";

/// Writes `engine-glue.js` beside wasm-bindgen's `quire.js`.
pub fn write(folder: &Path) -> Result<(), String> {
    let from = folder.join("quire.js");
    let text = fs::read_to_string(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    let to = folder.join(FILE);
    fs::write(&to, as_function(&text)?).map_err(|error| format!("{}: {error}", to.display()))
}

/// The module's text as a function.
fn as_function(text: &str) -> Result<String, String> {
    let missing = |what: &str| format!("wasm-bindgen's glue has no `{what}` any more");
    let (kept, _) = text.split_once(LOADING).ok_or_else(|| missing(LOADING))?;
    for needed in [
        "export class QuireEngine ",
        "function __wbg_get_imports()",
        "function __wbg_finalize_init(instance, module)",
    ] {
        if !kept.contains(needed) {
            return Err(missing(needed));
        }
    }
    let body = kept.replace("\nexport ", "\n");
    if body.contains("import.meta") || body.contains("\nimport ") {
        return Err("wasm-bindgen's glue imports something".to_owned());
    }
    Ok(format!("{BEGIN}{body}{END}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "\nexport class QuireEngine {}\nfunction __wbg_get_imports() {}\nlet wasm;\nfunction __wbg_finalize_init(instance, module) {}\nasync function __wbg_load(module) {}\nexport { initSync, __wbg_init as default };\n";

    #[test]
    fn the_module_becomes_a_function() {
        let made = as_function(GLUE).expect("it has all names");
        assert!(made.starts_with(BEGIN) && made.ends_with(END));
        assert_eq!(made.matches("export ").count(), 1);
        assert!(made.contains("\nclass QuireEngine {}") && !made.contains("__wbg_load"));
    }

    #[test]
    fn another_shape_is_refused() {
        assert!(as_function(&GLUE.replace("__wbg_get_imports", "imports")).is_err());
        assert!(as_function("").is_err());
    }
}
