//! A user's credentials: a proof of the password for each mechanism of signing in, which the host makes.
//!
//! Manual: reference/system-users-collection. Invariant: no password is kept. Where nobody signs in the host makes no
//! proof, and a user has no credentials.

use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder};
use crate::command::request::Params;
use crate::env::Env;
use crate::error::{Code, CommandError};

/// The mechanisms that a password serves, and those of a user who is made without a choice.
const MECHANISMS: [&str; 2] = ["SCRAM-SHA-1", "SCRAM-SHA-256"];

fn refused<T>(message: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::new(Code::BadValue, message))
}

/// The fields of a command that say how a user signs in.
pub struct Asked<'a> {
    pub password: Option<&'a str>,
    /// `None` where there is no choice.
    pub mechanisms: Option<Vec<&'static str>>,
    /// The password comes as it is typed; else as the hash that is SCRAM-SHA-1's.
    is_plain: bool,
}

impl<'a> Asked<'a> {
    /// Reads `pwd`, `mechanisms` and `digestPassword`.
    ///
    /// # Errors
    /// 14 for other types; 2 for mechanisms that there are not, or none at all.
    pub fn read(params: &Params<'a>) -> Result<Self, CommandError> {
        let mechanisms = params.array("mechanisms")?;
        Ok(Self {
            password: params.string("pwd")?,
            mechanisms: mechanisms.map(known).transpose()?,
            is_plain: params.boolean("digestPassword")?.unwrap_or(true),
        })
    }

    /// The credentials that the command gives a user.
    ///
    /// # Errors
    /// 2 where a mechanism cannot be had of a password that is a hash.
    pub fn made(&self, user: &str, env: &dyn Env) -> Result<DocumentBuf, CommandError> {
        let mut made = DocumentBuilder::new();
        let mechanisms = self.mechanisms.as_deref().unwrap_or(&MECHANISMS);
        for mechanism in mechanisms {
            let is_plain = self.is_plain || *mechanism == MECHANISMS[0];
            if !is_plain {
                return refused("Use of SCRAM-SHA-256 requires undigested passwords");
            }
            let user = if self.is_plain { user } else { "" };
            let proof = env.credentials(mechanism, user, self.password.unwrap_or_default());
            let Some([count, salt, stored, server]) = proof.as_deref().and_then(parts) else {
                continue;
            };
            made.begin_document(mechanism);
            made.append("iterationCount", count.parse().unwrap_or(0_i32));
            made.append("salt", salt).append("storedKey", stored);
            made.append("serverKey", server).end();
        }
        Ok(made.finish())
    }
}

fn parts(proof: &str) -> Option<[&str; 4]> {
    let mut parts = proof.split(',');
    Some([parts.next()?, parts.next()?, parts.next()?, parts.next()?])
}

fn known(names: Array<'_>) -> Result<Vec<&'static str>, CommandError> {
    let mut mechanisms = Vec::new();
    for name in names.iter() {
        let name = name.as_str().unwrap_or_default();
        match MECHANISMS.into_iter().find(|known| *known == name) {
            Some(known) if !mechanisms.contains(&known) => mechanisms.push(known),
            Some(_) => {}
            None => return refused(format!("Unknown auth mechanism '{name}'")),
        }
    }
    match mechanisms.is_empty() {
        true => refused("mechanisms field must not be empty"),
        false => Ok(mechanisms),
    }
}

/// The credentials of a user that are of these mechanisms.
///
/// # Errors
/// 2 where the user has none of a mechanism.
pub fn kept(user: Document<'_>, mechanisms: &[&str]) -> Result<DocumentBuf, CommandError> {
    let credentials = user.get("credentials").as_document();
    let mut kept = DocumentBuilder::new();
    for mechanism in mechanisms {
        match credentials.map(|credentials| credentials.get(mechanism)) {
            Some(proof) if !proof.is_missing() => drop(kept.append(mechanism, proof)),
            _ => {
                return refused("mechanisms field must be a subset of previously set mechanisms");
            }
        }
    }
    Ok(kept.finish())
}

/// Appends the mechanisms by which a user can sign in.
pub fn append_mechanisms(user: Document<'_>, shown: &mut DocumentBuilder) {
    shown.begin_array("mechanisms");
    let credentials = user.get("credentials").as_document();
    let fields = credentials.unwrap_or(Document::EMPTY).iter();
    for (position, field) in fields.enumerate() {
        shown.append(&position.to_string(), field.name);
    }
    shown.end();
}
