//! `storageEngine` and `indexOptionDefaults` of `create`. Manual: reference/command/create.
//!
//! Both configure WiredTiger. Invariant: a configuration is accepted that asks for nothing, and then kept as the server
//! keeps it; one that asks for something is refused, because nothing here acts on it.

use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::command::request::Params;
use crate::error::{Code, CommandError};

/// The option of a collection, and of its indexes within `indexOptionDefaults`.
const NAME: &str = "storageEngine";
/// The keys of WiredTiger's configuration that are told apart from misspelt ones.
const CONFIGURED: &[&str] = &[
    "access_pattern_hint",
    "allocation_size",
    "app_metadata",
    "block_compressor",
    "checksum",
    "internal_page_max",
    "leaf_page_max",
    "leaf_value_max",
    "log",
    "memory_page_max",
    "prefix_compression",
    "split_pct",
];

/// Reads both options, and appends those that are given.
///
/// # Errors
/// 14, 72, 2, 9 and 40415 for a value that is no WiredTiger configuration; 238 for a configuration that sets anything.
pub fn read(params: &Params<'_>, options: &mut DocumentBuilder) -> Result<(), CommandError> {
    let engine = params.document(NAME)?;
    check(engine)?;
    let indexes = params.document("indexOptionDefaults")?;
    if let Some(defaults) = indexes {
        let defaults = Params::new(defaults, "create.indexOptionDefaults", None);
        check(defaults.document(NAME)?)?;
        defaults.finish()?;
    }
    for (name, given) in [(NAME, engine), ("indexOptionDefaults", indexes)] {
        if let Some(given) = given.filter(|given| !given.is_empty()) {
            options.append(name, given);
        }
    }
    Ok(())
}

fn check(engine: Option<Document<'_>>) -> Result<(), CommandError> {
    let refused = |code, message: String| Err(CommandError::new(code, message));
    for element in engine.unwrap_or(Document::EMPTY).iter() {
        let (engine, value) = (element.name, element.value);
        let Some(settings) = value.as_document() else {
            return refused(
                Code::BadValue,
                format!("'{NAME}.{engine}' has to be an embedded document."),
            );
        };
        if engine != "wiredTiger" {
            return refused(
                Code::InvalidOptions,
                format!("{engine} is not a registered storage engine for this server"),
            );
        }
        for setting in settings.iter() {
            let text = match (setting.name, setting.value) {
                ("configString", ValueRef::String(text)) => text.checked()?,
                ("configString", other) => {
                    let found = other.type_name();
                    return refused(
                        Code::TypeMismatch,
                        format!("'configString' must be a string, but is {found}"),
                    );
                }
                (other, _) => {
                    return refused(
                        Code::InvalidOptions,
                        format!("'{other}' is not a supported option in wiredTiger"),
                    );
                }
            };
            if text.contains('\0') {
                return refused(
                    Code::FailedToParse,
                    "malformed 'configString': it has a NUL".to_owned(),
                );
            }
            if let Some(part) = text.split(',').find(|part| !part.is_empty()) {
                let key = part.split('=').next().unwrap_or_default();
                return match CONFIGURED.contains(&key) {
                    true => refused(
                        Code::NotImplemented,
                        format!("the configuration '{part}' of WiredTiger is not supported"),
                    ),
                    false => refused(
                        Code::BadValue,
                        format!("unknown configuration key '{part}': Invalid argument"),
                    ),
                };
            }
        }
    }
    Ok(())
}
