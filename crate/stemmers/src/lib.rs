//! Stems and stop words of the fifteen languages of text indexes.
//!
//! The stemmers are those of Snowball, as the crate `rust-stemmers` has them. The stop words are the lists that
//! Snowball gives beside its stemmers; the English and the German list have the server's few words more.
//! `stop-words.txt` has one line a language, sorted. Where Snowball has no list, the Turkish one is the server's and
//! the Romanian one is Jacques Savoy's.
//!
//! Invariant: an answer has one line for each line of the question, in its order.

use rust_stemmers::{Algorithm, Stemmer};

#[cfg(target_arch = "wasm32")]
mod exports;

/// The stemmer of a language. Each is named by itself, so that the file that pages fetch has no other ones.
fn stemmer(language: usize) -> Option<Stemmer> {
    Some(match language {
        0 => Stemmer::create(Algorithm::Danish),
        1 => Stemmer::create(Algorithm::Dutch),
        2 => Stemmer::create(Algorithm::English),
        3 => Stemmer::create(Algorithm::Finnish),
        4 => Stemmer::create(Algorithm::French),
        5 => Stemmer::create(Algorithm::German),
        6 => Stemmer::create(Algorithm::Hungarian),
        7 => Stemmer::create(Algorithm::Italian),
        8 => Stemmer::create(Algorithm::Norwegian),
        9 => Stemmer::create(Algorithm::Portuguese),
        10 => Stemmer::create(Algorithm::Romanian),
        11 => Stemmer::create(Algorithm::Russian),
        12 => Stemmer::create(Algorithm::Spanish),
        13 => Stemmer::create(Algorithm::Swedish),
        14 => Stemmer::create(Algorithm::Turkish),
        _ => return None,
    })
}

/// A line a language, its words in the order of their bytes.
const STOP_WORDS: &str = include_str!("stop-words.txt");

/// What stands before the stem of a stop word.
pub const STOP: char = '\r';

/// The stem of each line of `words`, with a line break behind it. The stem of a stop word stands behind `STOP`. Words
/// are compared and stemmed as they stand, so they are to be in lower case. A language of no number has no stop words,
/// and its words are their own stems.
pub fn stems(language: usize, words: &str) -> String {
    let mut answer = String::with_capacity(words.len());
    let stop_words: Vec<&str> = { STOP_WORDS.lines().nth(language) }
        .map(|line| line.split(' ').collect())
        .unwrap_or_default();
    let stemmer = stemmer(language);
    for word in words.lines() {
        if stop_words.binary_search(&word).is_ok() {
            answer.push(STOP);
        }
        match &stemmer {
            Some(stemmer) => answer.push_str(&stemmer.stem(word)),
            None => answer.push_str(word),
        }
        answer.push('\n');
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_and_have_a_line_a_language() {
        assert_eq!(STOP_WORDS.lines().count(), 15);
        assert!(stemmer(14).is_some() && stemmer(15).is_none());
        for line in STOP_WORDS.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words.windows(2).all(|pair| pair[0] < pair[1]), "{line}");
        }
    }

    #[test]
    fn a_word_has_a_line_of_its_own() {
        assert_eq!(stems(2, "the\nrunning\ndogs\n"), "\rthe\nrun\ndog\n");
        assert_eq!(stems(15, "the\nrunning"), "the\nrunning\n");
        assert_eq!(stems(2, ""), "");
    }

    /// Words of the vocabularies that Snowball publishes, and their stems there.
    #[test]
    fn every_stemmer_agrees_with_samples_of_its_vocabulary() {
        for (language, samples) in [
            (0, "undersøgelser undersøg kvinderne kvind"),
            (1, "lichamelijke licham opgewonden opgewond"),
            (
                2,
                "assassinating assassin foretold foretold miscellaneous miscellan sapphires sapphir wastes wast",
            ),
            (
                3,
                "talossa talo alennuksia alennuks hälytyssireenit hälytyssireen",
            ),
            (
                4,
                "cassandre cassandr masquer masqu présenta présent simule simul",
            ),
            (
                5,
                "anschliessend anschliess auszuführen auszufuhr neuntes neunt zuläßt zulasst",
            ),
            (6, "házakban ház könyveket könyv"),
            (7, "abbagliato abbagl bastandogli bast rumorosamente rumor"),
            (8, "forsvare forsvar livs liv sidestilles sidestill"),
            (9, "abaixe abaix hidratantes hidrat preciosidade precios"),
            (10, "construisem constru gratulaţi gratul traducerea traduc"),
            (11, "авдотье авдот замечаю замеча произошло произошл"),
            (
                12,
                "abandonados abandon irrecuperable irrecuper uruguayo uruguay",
            ),
            (13, "jaktkarlarne jaktkarl klostrets klostret"),
            (14, "adalarda ada kitapları kitap"),
        ] {
            let words: Vec<&str> = samples.split(' ').collect();
            for pair in words.chunks(2) {
                assert_eq!(
                    stems(language, pair[0]),
                    format!("{}\n", pair[1]),
                    "{samples}"
                );
            }
        }
    }
}
