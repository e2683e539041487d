//! The languages of text indexes, by their names and their two letters.
//!
//! Manual: reference/text-search-languages. Versions 2 and 3 take either in any case; version 1 takes a name as it
//! stands, and any other text for `none`.

use crate::error::{Code, CommandError};

/// Names and two letters, in the order of the host's numbers (`Words::stems`); the last one has neither stems nor stop
/// words.
const LANGUAGES: &str = "danish da dutch nl english en finnish fi french fr german de hungarian hu italian it \
    norwegian nb portuguese pt romanian ro russian ru spanish es swedish sv turkish tr none none";

/// A language: its place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language(u8);

impl Language {
    pub const ENGLISH: Self = Self(2);
    pub const TURKISH: Self = Self(14);
    pub const NONE: Self = Self(15);

    /// The language of a name, in an index of a version.
    ///
    /// # Errors
    /// `BadValue` for a name that stands for none.
    pub fn parse(name: &str, version: u8) -> Result<Self, CommandError> {
        let is_it = |known: &str| match version {
            1 => known == name,
            _ => known.eq_ignore_ascii_case(name),
        };
        match LANGUAGES.split(' ').position(is_it) {
            Some(place) => Ok(Self(place as u8 / 2)),
            None if version == 1 => Ok(Self::NONE),
            None => Err(CommandError::new(
                Code::BadValue,
                format!("unsupported language: \"{name}\" for text index version {version}"),
            )),
        }
    }

    /// The number that the host knows it by.
    pub fn number(self) -> usize {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case() {
        assert_eq!(Language::parse("ENglish", 3), Ok(Language::ENGLISH));
        assert_eq!(Language::parse("tr", 2), Ok(Language::TURKISH));
        assert_eq!(Language::parse("none", 3), Ok(Language::NONE));
        assert_eq!(Language::parse("English", 1), Ok(Language::NONE));
        assert_eq!(Language::parse("english", 1), Ok(Language::ENGLISH));
        let refusal = Language::parse("spanglish", 3).map_err(|error| error.message.clone());
        assert_eq!(
            refusal,
            Err("unsupported language: \"spanglish\" for text index version 3".to_owned())
        );
        assert!(Language::parse("", 3).is_err());
    }
}
