//! The locales that MongoDB knows, and their defaults for options that are not given.
//!
//! Follows the manual's "Collation Locales and Default Parameters" page. Invariant: `LOCALES` is sorted.

/// Every locale, and behind a colon the variants it may be given with (`de@collation=phonebook`).
const LOCALES: &[&str] = &[
    "af",
    "am",
    "ar:compat",
    "as",
    "az:search",
    "be",
    "bg",
    "bn:traditional",
    "bo",
    "bs:search",
    "bs_Cyrl",
    "ca:search",
    "chr",
    "cs:search",
    "cy",
    "da:search",
    "de:search,eor,phonebook",
    "de_AT:phonebook",
    "dsb",
    "dz",
    "ee",
    "el",
    "en",
    "en_US",
    "en_US_POSIX",
    "eo",
    "es:search,traditional",
    "et",
    "fa",
    "fa_AF",
    "fi:search,traditional",
    "fil",
    "fo",
    "fr",
    "fr_CA",
    "ga",
    "gl:search",
    "gu",
    "ha",
    "haw",
    "he:search",
    "hi",
    "hr:search",
    "hsb",
    "hu",
    "hy",
    "id",
    "ig",
    "is:search",
    "it",
    "ja:unihan",
    "ka",
    "kk",
    "kl:search",
    "km",
    "kn:traditional",
    "ko:search,searchjl,unihan",
    "kok",
    "ky",
    "lb",
    "lkt",
    "ln:phonetic",
    "lo",
    "lt",
    "lv",
    "mk",
    "ml",
    "mn",
    "mr",
    "ms",
    "mt",
    "my",
    "nb:search",
    "ne",
    "nl",
    "nn:search",
    "om",
    "or",
    "pa",
    "pl",
    "ps",
    "pt",
    "ro",
    "ru",
    "se:search",
    "si:dictionary",
    "sk:search",
    "sl",
    "smn:search",
    "sq",
    "sr",
    "sr_Latn:search",
    "sv:search",
    "sw",
    "ta",
    "te",
    "th",
    "to",
    "tr:search",
    "ug",
    "uk",
    "ur",
    "vi:traditional",
    "wae",
    "yi:search",
    "yo",
    "zh:big5han,gb2312han,unihan,zhuyin",
    "zh_Hant",
    "zu",
];

/// The hosts' names for some of the variants.
const VARIANTS: &[(&str, &str)] = &[
    ("dictionary", "dict"),
    ("gb2312han", "gb2312"),
    ("phonebook", "phonebk"),
    ("traditional", "trad"),
];

fn find(name: &str) -> Option<(&'static str, &'static str)> {
    LOCALES.iter().find_map(|row| {
        let (known, variants) = row.split_once(':').unwrap_or((row, ""));
        (known == name).then_some((known, variants))
    })
}

/// A locale as hosts name it (BCP 47); `Err` with the nearest one when there is none of that name.
pub fn tag(locale: &str) -> Result<String, Option<&'static str>> {
    let (name, variant) = match locale.split_once("@collation=") {
        Some((name, variant)) => (name, Some(variant)),
        None => (locale, None),
    };
    let Some((name, variants)) = find(name) else {
        return Err(nearest(name));
    };
    let mut tag = match name {
        "en_US_POSIX" => "en-US-u-va-posix".to_owned(),
        name => name.replace('_', "-"),
    };
    if let Some(variant) = variant {
        if !variants.split(',').any(|known| known == variant) {
            return Err(Some(name));
        }
        let renamed = VARIANTS.iter().find(|(known, _)| *known == variant);
        tag.push_str("-u-co-");
        tag.push_str(renamed.map_or(variant, |(_, short)| short));
    }
    Ok(tag)
}

/// The longest known beginning of a name, part by part: `en` for `en_XX` and for `en-GB`.
fn nearest(name: &str) -> Option<&'static str> {
    let plain = name.split('@').next().unwrap_or_default().replace('-', "_");
    let mut rest = plain.as_str();
    loop {
        if let Some((known, _)) = find(rest) {
            return Some(known);
        }
        (rest, _) = rest.rsplit_once('_')?;
    }
}

/// Whether upper case goes first where nothing is said.
pub fn upper_first(locale: &str) -> bool {
    matches!(language(locale), "da" | "mt")
}

/// Whether punctuation is shifted where nothing is said.
pub fn is_shifted(locale: &str) -> bool {
    language(locale) == "th"
}

/// Whether accents are compared from the end of the string where nothing is said.
pub fn is_backwards(locale: &str) -> bool {
    locale == "fr_CA"
}

fn language(locale: &str) -> &str {
    locale.split(['_', '@']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_become_tags_or_hints() {
        assert!(LOCALES.is_sorted());
        assert_eq!(tag("en"), Ok("en".to_owned()));
        assert_eq!(tag("en_US"), Ok("en-US".to_owned()));
        assert_eq!(tag("en_US_POSIX"), Ok("en-US-u-va-posix".to_owned()));
        assert_eq!(
            tag("de@collation=phonebook"),
            Ok("de-u-co-phonebk".to_owned())
        );
        assert_eq!(tag("en-US"), Err(Some("en_US")));
        assert_eq!(tag("en_XX"), Err(Some("en")));
        assert_eq!(tag("de@collation=pinyin"), Err(Some("de")));
        assert_eq!(tag("xx"), Err(None));
        assert!(upper_first("da") && is_shifted("th") && is_backwards("fr_CA"));
    }
}
