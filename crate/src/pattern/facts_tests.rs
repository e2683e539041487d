//! The meaning of patterns, fact by fact, as the manual of PCRE2 10.42 has it ("pcre2pattern").
//!
//! A fact is a pattern, its options, a text, and the first match: all of it, then its groups, `~` for a group
//! that took no part; nothing where nothing matches.

use super::Pattern;
use crate::env::native::NativeEnv;

type Fact = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const NO: &[&str] = &[];

fn found(pattern: &str, options: &str, text: &str) -> Result<Vec<String>, &'static str> {
    let env = NativeEnv::fixed(0, 0);
    let compiled = Pattern::compile(pattern, options, &env)?;
    let found = compiled
        .find_at(text, 0, &env)
        .expect("no limit is reached");
    let is_match = compiled.is_match(text, &env).expect("no limit is reached");
    assert_eq!(
        is_match,
        found.is_some(),
        "/{pattern}/{options} over {text:?}"
    );
    Ok(found.map_or(Vec::new(), |found| {
        let mut parts = vec![text[found.start..found.end].to_owned()];
        parts.extend(found.groups.iter().map(|group| match group {
            Some((start, end)) => text[*start..*end].to_owned(),
            None => "~".to_owned(),
        }));
        parts
    }))
}

fn hold(facts: &[Fact]) {
    let mut wrong = Vec::new();
    for (pattern, options, text, expected) in facts {
        let found = found(pattern, options, text);
        if found.as_ref().map(Vec::as_slice)
            != Ok(&expected
                .iter()
                .map(|part| (*part).to_owned())
                .collect::<Vec<_>>()[..])
        {
            wrong.push(format!(
                "/{pattern}/{options} over {text:?}: {found:?}, not {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn literals_and_quoting() {
    hold(&[
        ("", "", "", &[""]),
        ("", "", "abc", &[""]),
        ("abc", "", "xxabcxx", &["abc"]),
        ("abc", "", "ab", NO),
        ("abc", "", "aabc", &["abc"]),
        ("a-b", "", "a-b", &["a-b"]),
        ("/", "", "/", &["/"]),
        ("]}", "", "]}", &["]}"]),
        ("\\/\\-\\@\\ü", "", "/-@ü", &["/-@ü"]),
        ("a\nb", "", "a\nb", &["a\nb"]),
        ("\\\\Ab", "", "\\Ab", &["\\Ab"]),
        ("\\Qa.b*\\Ec", "", "a.b*c", &["a.b*c"]),
        ("\\Qa.b", "", "a.b", &["a.b"]),
        ("\\Qab\\E+", "", "abbb", &["abbb"]),
        ("\\Q\\E", "", "a", &[""]),
        ("a\\Eb", "", "ab", &["ab"]),
        ("\\Q\\\\E", "", "\\", &["\\"]),
        ("[\\Q^]\\E-]+", "", "x]-^", &["]-^"]),
        ("é", "", "caféé", &["é"]),
        ("日本", "", "在日本語", &["日本"]),
        ("😀+", "", "x😀😀y", &["😀😀"]),
        (
            "\\a\\e\\f\\n\\r\\t",
            "",
            "\x07\x1b\x0c\n\r\t",
            &["\x07\x1b\x0c\n\r\t"],
        ),
        ("\\101\\x41\\x{42}\\o{103}", "", "AABC", &["AABC"]),
        ("\\x{1F600}", "", "😀", &["😀"]),
        ("\\N{U+e9}", "", "é", &["é"]),
        ("\\x4", "", "\x04", &["\x04"]),
        ("\\x", "", "\0", &["\0"]),
        ("\\0\\01\\0012", "", "\0\x01\x012", &["\0\x01\x012"]),
        ("\\cA\\ca\\c[", "", "\x01\x01\x1b", &["\x01\x01\x1b"]),
        ("\\113", "", "K", &["K"]),
        ("\\377", "", "ÿ", &["ÿ"]),
    ]);
}

#[test]
fn anchors() {
    hold(&[
        ("^abc", "", "abc", &["abc"]),
        ("^abc", "", "xabc", NO),
        ("^b", "", "a\nb", NO),
        ("^b", "m", "a\nb", &["b"]),
        ("^", "m", "\n", &[""]),
        ("^$", "m", "a\n\nb", &[""]),
        ("\\n^$", "m", "a\n", NO),
        ("abc$", "", "abc", &["abc"]),
        ("abc$", "", "abc\n", &["abc"]),
        ("abc$", "", "abc\n\n", NO),
        ("abc$", "m", "abc\nd", &["abc"]),
        ("abc\\z", "", "abc\n", NO),
        ("abc\\Z", "", "abc\n", &["abc"]),
        ("abc\\Z", "m", "abc\nd", NO),
        ("\\Ab", "m", "a\nb", NO),
        ("\\Aa", "m", "a\nb", &["a"]),
        ("\\Gab", "", "ab", &["ab"]),
        ("\\Gb", "", "ab", NO),
        ("\\bfoo\\b", "", "a foo b", &["foo"]),
        ("\\bfoo\\b", "", "afoo", NO),
        ("\\Boo\\b", "", "foo", &["oo"]),
        ("\\b", "", "é", NO),
        ("\\bé", "", "aé", &["é"]),
        ("[[:<:]]red[[:>:]]", "", "a red one", &["red"]),
        ("[[:<:]]red", "", "bored", NO),
        ("(?m)^c|^b", "", "a\nb", &["b"]),
        ("a$b", "", "a\nb", NO),
        ("a$\\nb", "m", "a\nb", &["a\nb"]),
        ("(^a|b)c", "", "bc", &["bc", "b"]),
        ("^(a|^b)", "", "b", &["b", "b"]),
    ]);
}

#[test]
fn dots_and_classes() {
    hold(&[
        ("a.c", "", "a\nc", NO),
        ("a.c", "s", "a\nc", &["a\nc"]),
        ("a.c", "", "a\rc", &["a\rc"]),
        ("a.c", "", "a\u{2028}c", &["a\u{2028}c"]),
        ("^.$", "", "😀", &["😀"]),
        ("a\\Nc", "s", "a\nc", NO),
        ("\\N{2}", "", "ab", &["ab"]),
        ("\\d+", "", "ab12c", &["12"]),
        ("\\d", "", "٣", NO),
        ("\\D+", "", "12é3", &["é"]),
        ("\\w+", "", "é_a1é", &["_a1"]),
        ("\\W+", "", "aéb", &["é"]),
        ("\\s+", "", "a \t\n\x0b\x0c\rb", &[" \t\n\x0b\x0c\r"]),
        ("\\s", "", "\u{a0}", NO),
        ("[\\s]", "", "\u{a0}", NO),
        ("\\S", "", "\u{a0}", &["\u{a0}"]),
        ("[^\\S]", "", "a b", &[" "]),
        ("\\h+", "", "a\u{a0}\t b", &["\u{a0}\t "]),
        ("\\H", "", "\u{2000}x", &["x"]),
        ("\\v+", "", "a\u{85}\n\u{2028}b", &["\u{85}\n\u{2028}"]),
        ("\\V+", "", "\nab", &["ab"]),
        ("\\R", "", "a\r\nb", &["\r\n"]),
        ("\\R\\n", "", "\r\n", NO),
        ("\\R", "", "\u{2029}", &["\u{2029}"]),
        ("[abc]+", "", "xcabx", &["cab"]),
        ("[^abc]+", "", "abxyc", &["xy"]),
        ("[a-cx-z]+", "", "wxaz-", &["xaz"]),
        ("[]a]+", "", "x]a", &["]a"]),
        ("[^]a]+", "", "]ax", &["x"]),
        ("[a-]+", "", "b-a", &["-a"]),
        ("[-a]+", "", "b-a", &["-a"]),
        ("[a\\-z]+", "", "y-z", &["-z"]),
        ("[a-c-e]+", "", "d-eb", &["-eb"]),
        ("[\\w-]+", "", "!a-b", &["a-b"]),
        ("[--/]+", "", "a-./", &["-./"]),
        ("[\\b]", "", "\x08", &["\x08"]),
        ("[\\n-\\r]+", "", "a\n\x0b\r", &["\n\x0b\r"]),
        ("[\\101-\\103]+", "", "xABCD", &["ABC"]),
        ("[\\x{e0}-\\x{ff}]+", "", "aéèz", &["éè"]),
        ("[é-ü]+", "", "aêz", &["ê"]),
        ("[^a]", "", "é", &["é"]),
        ("[^\\x{0}-\\x{10ffff}]", "", "a", NO),
        ("[.]", "", "a.", &["."]),
        ("[$^|(){}*+?]+", "", "a(){}", &["(){}"]),
        ("[[]", "", "[", &["["]),
        ("[[:upper:][:digit:]_]+", "", "abC1_d", &["C1_"]),
        ("[[:^alpha:]]+", "", "ab12", &["12"]),
        ("[[:alpha:]é]+", "", "1aéb", &["aéb"]),
        ("[^[:space:]]+", "", " ab ", &["ab"]),
        ("[[:punct:]]+", "", "a!$b", &["!$"]),
        ("[[:xdigit:]]+", "", "xfaceg", &["face"]),
        ("[[:word:]]+", "", "-a_1-", &["a_1"]),
        ("[[:blank:]]", "", "\na\t", &["\t"]),
        ("[[:cntrl:]]", "", "a\x7f", &["\x7f"]),
        ("[[:graph:]]+", "", " a! ", &["a!"]),
        ("[[:print:]]+", "", "\na !", &["a !"]),
        ("[[:ascii:]]+", "", "éab", &["ab"]),
        ("[[:a]]", "", ":]", &[":]"]),
        ("[\\Qa-z\\E]+", "", "b-z", &["-z"]),
        ("[a\\Q-\\Ez]", "", "-", &["-"]),
        ("[\\d\\-x]+", "", "y-x1", &["-x1"]),
        ("[\\D]+", "", "1ab2", &["ab"]),
        ("[^\\W_]+", "", "_ab_", &["ab"]),
    ]);
}

#[test]
fn properties() {
    hold(&[
        ("\\p{Lu}\\pL\\p{^Lu}", "", "Éaé", &["Éaé"]),
        ("\\p{Greek}+", "", "abγδ", &["γδ"]),
        ("\\P{L}+", "", "aé12b", &["12"]),
        ("\\P{^L}+", "", "12ab", &["ab"]),
        ("[\\p{Nd}x]+", "", "a٣x", &["٣x"]),
        ("[^\\p{L}]+", "", "aé, b", &[", "]),
        ("\\p{L&}+", "", "日aÉ", &["aÉ"]),
        ("\\p{Any}", "", "😀", &["😀"]),
        ("\\p{Xwd}+", "", "!é_1!", &["é_1"]),
        ("\\p{Xan}+", "", "_é1_", &["é1"]),
        ("\\p{Xsp}+", "", "a\u{a0} b", &["\u{a0} "]),
        ("\\p{Han}+", "", "ab漢字c", &["漢字"]),
        ("\\p{Lu}", "i", "a", NO),
        ("\\p{Sc}", "", "5 €", &["€"]),
    ]);
}

#[test]
fn quantifiers() {
    hold(&[
        ("a*", "", "aaa", &["aaa"]),
        ("a+", "", "baaa", &["aaa"]),
        ("a?", "", "aa", &["a"]),
        ("a{2}", "", "aaa", &["aa"]),
        ("a{2,}", "", "aaaa", &["aaaa"]),
        ("a{2,3}", "", "aaaa", &["aaa"]),
        ("a{0}b", "", "ab", &["b"]),
        ("a{,2}", "", "a{,2}", &["a{,2}"]),
        ("a{", "", "a{", &["a{"]),
        ("a{1", "", "a{1", &["a{1"]),
        ("a{x}", "", "a{x}", &["a{x}"]),
        ("a{1,x}", "", "a{1,x}", &["a{1,x}"]),
        ("{", "", "{", &["{"]),
        ("a*?", "", "aaa", &[""]),
        ("a+?", "", "aaa", &["a"]),
        ("a??b", "", "ab", &["ab"]),
        ("a{2,3}?", "", "aaaa", &["aa"]),
        ("<.+>", "", "<a><b>", &["<a><b>"]),
        ("<.+?>", "", "<a><b>", &["<a>"]),
        ("<[^>]+>", "", "<a><b>", &["<a>"]),
        ("a++b", "", "aaab", &["aaab"]),
        ("a++ab", "", "aaab", NO),
        ("a*+a", "", "aaa", NO),
        ("a?+a", "", "a", NO),
        ("a{1,2}+a", "", "aa", NO),
        ("a{1,2}+a", "", "aaa", &["aaa"]),
        ("(?:ab)++c", "", "ababc", &["ababc"]),
        ("(?:a|ab)++c", "", "abc", NO),
        ("(ab)*", "", "ababx", &["abab", "ab"]),
        ("(ab){2}", "", "ababab", &["abab", "ab"]),
        ("(a|b)*c", "", "abac", &["abac", "a"]),
        ("(?:a|b)+?c", "", "abac", &["abac"]),
        ("(a*)*", "", "aab", &["aa", ""]),
        ("(a*)+", "", "aab", &["aa", ""]),
        ("(a|)+", "", "aab", &["aa", ""]),
        ("(|a)+", "", "aab", &["", ""]),
        ("(a?)*?b", "", "aab", &["aab", "a"]),
        ("(a?b?)*", "", "abab", &["abab", ""]),
        ("(?:a*)*b", "", "aab", &["aab"]),
        ("(a{1,2}){2}", "", "aaa", &["aaa", "a"]),
        ("(a+|b)*", "", "aabab", &["aabab", "b"]),
        ("(?:(a)|b)*", "", "ab", &["ab", "a"]),
        ("(a)|b", "", "b", &["b", "~"]),
        ("x(a)?y", "", "xy", &["xy", "~"]),
        ("(?:x(a)?)*", "", "xax", &["xax", "a"]),
        ("x{0,2}x{2}", "", "xxx", &["xxx"]),
        ("\\d{3,}?4", "", "12344", &["1234"]),
        ("é+", "", "aéé", &["éé"]),
        ("(?:é|a){3}", "", "éaé", &["éaé"]),
        (".*b", "", "abab-", &["abab"]),
        (".*?b", "", "abab-", &["ab"]),
        (".*foo", "", "xfoofo", &["xfoo"]),
        ("[ab]*b[ab]*a", "", "abba", &["abba"]),
        ("(?U)a+", "", "aaa", &["a"]),
        ("(?U)a+?", "", "aaa", &["aaa"]),
        ("(a{0,5}){0,5}c", "", "aaaaaac", &["aaaaaac", ""]),
        ("(?:)*a", "", "a", &["a"]),
        ("(?:){3}a", "", "a", &["a"]),
        ("(a){0}b", "", "b", &["b", "~"]),
    ]);
}

#[test]
fn alternatives_and_groups() {
    hold(&[
        ("a|b|c", "", "xc", &["c"]),
        ("ab|a", "", "ab", &["ab"]),
        ("a|ab", "", "ab", &["a"]),
        ("a|", "", "b", &[""]),
        ("|a", "", "a", &[""]),
        ("(a|ab)(c|bcd)(d*)", "", "abcd", &["abcd", "a", "bcd", ""]),
        ("((a)(b))(c)", "", "abc", &["abc", "ab", "a", "b", "c"]),
        ("(?:a)(b)", "", "ab", &["ab", "b"]),
        ("(?<n>a)(?P<m>b)(?'o'c)", "", "abc", &["abc", "a", "b", "c"]),
        ("(?|(a)|(b))(c)", "", "bc", &["bc", "b", "c"]),
        ("(?|(a)(b)|(c))(d)", "", "cd", &["cd", "c", "~", "d"]),
        ("(?|(?<n>a)|(?<n>b))\\k<n>", "", "bb", &["bb", "b"]),
        ("(?n)(a)(?<x>b)", "", "ab", &["ab", "b"]),
        ("(?>a+)b", "", "aab", &["aab"]),
        ("(?>a+)ab", "", "aab", NO),
        ("(?>a|ab)c", "", "abc", NO),
        ("(?>ab|a)c", "", "abc", &["abc"]),
        ("((?>a+)b)+", "", "aabab", &["aabab", "ab"]),
        ("(*atomic:a+)ab", "", "aab", NO),
        ("(?>(a+))(b)", "", "aab", &["aab", "aa", "b"]),
        ("a(?#comment)b", "", "ab", &["ab"]),
        ("a(?#comment)+", "", "aa", &["aa"]),
        (
            "(cat(?:aract|erpillar|))",
            "",
            "cataract",
            &["cataract", "cataract"],
        ),
        (
            "the ((red|white) (king|queen))",
            "",
            "the red king",
            &["the red king", "red king", "red", "king"],
        ),
        ("(*FAIL)|a", "", "a", &["a"]),
        ("a(*F)|b", "", "ab", &["b"]),
        ("(*UTF8)ä", "", "ä", &["ä"]),
        ("(*UTF)(*NO_START_OPT)ä", "", "ä", &["ä"]),
    ]);
}

#[test]
fn options() {
    hold(&[
        ("abc", "i", "xABc", &["ABc"]),
        ("é", "i", "É", &["É"]),
        ("[é]", "i", "É", &["É"]),
        ("[^é]", "i", "É", NO),
        ("k", "i", "\u{212a}", &["\u{212a}"]),
        ("\u{212a}", "i", "k", &["k"]),
        ("[j-l]", "i", "\u{212a}", &["\u{212a}"]),
        ("ſ", "i", "S", &["S"]),
        ("ß", "i", "ẞ", &["ẞ"]),
        ("ß", "i", "ss", NO),
        ("i", "i", "İ", NO),
        ("σ", "i", "ς", &["ς"]),
        ("[a-z]+", "i", "ABC", &["ABC"]),
        ("[^a]", "i", "A", NO),
        ("[\\W]", "i", "k", NO),
        ("[[:upper:]]", "i", "a", &["a"]),
        ("a1-", "i", "A1-", &["A1-"]),
        ("(?i)AbC", "", "aBc", &["aBc"]),
        ("a(?i)b", "", "aB", &["aB"]),
        ("a(?i)b", "", "AB", NO),
        ("(a(?i)b)c", "", "aBc", &["aBc", "aB"]),
        ("(a(?i)b)c", "", "aBC", NO),
        ("(a(?i)b|c)", "", "C", &["C", "C"]),
        ("(?i:a)b", "", "Ab", &["Ab"]),
        ("(?i:a)b", "", "AB", NO),
        ("(?-i)a", "i", "A", NO),
        ("(?i)a(?-i)b", "", "Ab", &["Ab"]),
        ("(?i)a(?-i)b", "", "AB", NO),
        ("(?^)a", "i", "A", NO),
        ("(?^s:.)", "i", "\n", &["\n"]),
        ("(?s).", "", "\n", &["\n"]),
        ("(?s:.)(.)", "", "\n\n", NO),
        ("(?m)^b$", "", "a\nb\nc", &["b"]),
        ("(?im)^B$", "", "a\nb\nc", &["b"]),
        ("a b # comment\nc", "x", "abc", &["abc"]),
        ("a[ b]c", "x", "a c", &["a c"]),
        ("a\\ b", "x", "a b", &["a b"]),
        ("a +", "x", "aaa", &["aaa"]),
        ("(?x) a b", "", "ab", &["ab"]),
        ("(?x: a b) c", "", "ab c", &["ab c"]),
        ("(?xx)[a b]+", "", "a b", &["a"]),
        ("a#b", "", "a#b", &["a#b"]),
        ("(?x)a#b", "", "a", &["a"]),
        ("x*", "u", "xx", &["xx"]),
        ("a b", "xi", "AB", &["AB"]),
        (".\\n^b", "ms", "a\nb", &["a\nb"]),
    ]);
}

#[test]
fn looks_around() {
    hold(&[
        ("foo(?=bar)", "", "foobar", &["foo"]),
        ("foo(?=bar)", "", "foobaz", NO),
        ("foo(?!bar)", "", "foobar foobaz", &["foo"]),
        ("(?<=a)b(?!c)", "", "abc ab", &["b"]),
        ("(?<!a)b", "", "ab b", &["b"]),
        ("(?<=ab|c)d", "", "xd cd", &["d"]),
        ("(?<!foo)bar", "", "foobar", NO),
        ("(?<=é)a", "", "éa", &["a"]),
        ("(?<=^|,)x", "", "a,x", &["x"]),
        ("(?<=\\d{3})(?<!999)foo", "", "999foo 123foo", &["foo"]),
        ("(?=(a+))a*b\\1", "", "baaabac", &["aba", "a"]),
        ("(?=(a))b|ab", "", "ab", &["ab", "~"]),
        ("(?!(a))b", "", "b", &["b", "~"]),
        ("a(?=b(?=c))", "", "ab abc", &["a"]),
        ("(?=a)*b", "", "b", &["b"]),
        ("(?=a)+a", "", "a", &["a"]),
        ("(?!a){2}b", "", "b", &["b"]),
        ("(*pla:a)a", "", "a", &["a"]),
        ("(*nlb:a)b", "", "ab b", &["b"]),
        ("(?<=(a))b", "", "ab", &["b", "a"]),
        ("(?<=a(?=b))b", "", "ab", &["b"]),
        ("(?<=a(?!c))b", "", "ab", &["b"]),
        ("^(?=.*\\d)(?=.*[a-z]).{4,}$", "", "abc1", &["abc1"]),
        ("^(?=.*\\d)(?=.*[a-z]).{4,}$", "", "abcd", NO),
        ("\\w+(?=;)", "", "ab cd;", &["cd"]),
        ("(?<![a-z])[a-z]", "", "1a", &["a"]),
        ("(?<=)a", "", "a", &["a"]),
    ]);
}

#[test]
fn references() {
    hold(&[
        ("(a)\\1", "", "aa", &["aa", "a"]),
        (
            "(sens|respons)e and \\1ibility",
            "",
            "sense and sensibility",
            &["sense and sensibility", "sens"],
        ),
        (
            "(sens|respons)e and \\1ibility",
            "",
            "sense and responsibility",
            NO,
        ),
        ("((?i)rah)\\s+\\1", "", "RAH rah", NO),
        ("((?i)rah)\\s+\\1", "", "RAH RAH", &["RAH RAH", "RAH"]),
        ("(a)\\1", "i", "aA", &["aA", "a"]),
        ("(é)\\1", "i", "éÉ", &["éÉ", "é"]),
        ("(a)\\g1", "", "aa", &["aa", "a"]),
        ("(a)\\g{1}2", "", "aa2", &["aa2", "a"]),
        ("(a)\\g{-1}2", "", "aa2", &["aa2", "a"]),
        ("(a)(b)\\g-2", "", "aba", &["aba", "a", "b"]),
        (
            "(?<year>\\d{4})-\\k<year>",
            "",
            "1999-1999",
            &["1999-1999", "1999"],
        ),
        (
            "(?<n>a)\\k{n}\\k'n'\\g{n}(?P=n)",
            "",
            "aaaaa",
            &["aaaaa", "a"],
        ),
        ("(a)|b\\1", "", "b", NO),
        ("(?:(a)|b)\\1", "", "b", NO),
        ("(?:\\1b|(a))*", "", "aab", &["aab", "a"]),
        ("(a\\1?){3}", "", "aaaa", &["aaaa", "a"]),
        ("(a|b\\1)+", "", "ababbaa", &["ababbaa", "a"]),
        (
            "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10",
            "",
            "abcdefghijj",
            &[
                "abcdefghijj",
                "a",
                "b",
                "c",
                "d",
                "e",
                "f",
                "g",
                "h",
                "i",
                "j",
            ],
        ),
        ("(a)\\12", "", "a\n", &["a\n", "a"]),
        ("\\k<n>?(?<n>a)", "", "a", &["a", "a"]),
        ("(\\w)(\\w)?\\2\\1", "", "xyyx", &["xyyx", "x", "y"]),
        ("(.)(.).?\\2\\1", "", "-level", &["level", "l", "e"]),
        ("^(.*)\\1$", "", "abab", &["abab", "ab"]),
        ("^(aa+?)\\1+$", "", "aaaaaaa", NO),
        ("^(aa+?)\\1+$", "", "aaaaaaaaa", &["aaaaaaaaa", "aaa"]),
    ]);
}

#[test]
fn conditions_and_calls() {
    hold(&[
        ("(\\()?[^()]+(?(1)\\))", "", "(ab)", &["(ab)", "("]),
        ("^(\\()?[^()]+(?(1)\\))$", "", "(ab", NO),
        ("^(\\()?[^()]+(?(1)\\))$", "", "ab", &["ab", "~"]),
        ("^(?<open>\\()?a(?(<open>)\\)|b)$", "", "ab", &["ab", "~"]),
        ("^(?<open>\\()?a(?('open')\\)|b)$", "", "(a)", &["(a)", "("]),
        ("(a)?(?(1)b|c)", "", "c", &["c", "~"]),
        ("(a)?(?(-1)b|c)", "", "ab", &["ab", "a"]),
        (
            "(?(?=[^a-z]*[a-z])\\d{2}-[a-z]{3}|\\d{2})",
            "",
            "12-abc",
            &["12-abc"],
        ),
        (
            "(?(?=[^a-z]*[a-z])\\d{2}-[a-z]{3}|\\d{2})",
            "",
            "1234",
            &["12"],
        ),
        ("(?(?!a)b|ac)", "", "ac", &["ac"]),
        ("(?(?!a)b|ac)", "", "b", &["b"]),
        ("a(?(?<=a)b|c)", "", "ab", &["ab"]),
        (
            "(?(DEFINE)(?<byte>2[0-4]\\d|25[0-5]|1\\d\\d|[1-9]?\\d))\\b(?&byte)(\\.(?&byte)){3}\\b",
            "",
            "at 192.168.23.245.",
            &["192.168.23.245", "~", ".245"],
        ),
        (
            "\\(([^()]++|(?R))*\\)",
            "",
            "x(ab(cd)ef)",
            &["(ab(cd)ef)", "ef"],
        ),
        (
            "^(\\((?:[^()]|(?1))*+\\))$",
            "",
            "(a(b)c)",
            &["(a(b)c)", "(a(b)c)"],
        ),
        (
            "(sens|respons)e and (?1)ibility",
            "",
            "sense and responsibility",
            &["sense and responsibility", "sens"],
        ),
        (
            "(?<n>[a-c]+)-(?&n)-(?P>n)-\\g<n>-\\g'n'-\\g<1>-\\g<-1>",
            "",
            "a-b-c-ab-bc-ca-abc",
            &["a-b-c-ab-bc-ca-abc", "a"],
        ),
        ("(?+1)-(b)", "", "b-b", &["b-b", "b"]),
        ("^(.|(.)(?1)\\2)$", "", "abcba", &["abcba", "abcba", "a"]),
        ("^((.)(?1)\\2|.?)$", "", "abba", &["abba", "abba", "a"]),
        ("^(a(?(R)x|(?1))b)$", "", "aaxbb", &["aaxbb", "aaxbb"]),
        ("(?:(a){0}x(?1))", "", "xa", &["xa", "~"]),
        (
            "^(?:((.)(?1)\\2|)|((.)(?3)\\4|.))$",
            "i",
            "aBcBA",
            &["aBcBA", "~", "~", "aBcBA", "a"],
        ),
    ]);
}

#[test]
fn match_starts_are_moved() {
    hold(&[
        ("foo\\Kbar", "", "foobar", &["bar"]),
        ("(foo)\\Kbar", "", "foobar", &["bar", "foo"]),
        ("a\\Kb|c\\Kd", "", "cd", &["d"]),
        ("(?:a\\Kb)*", "", "abab", &["b"]),
        ("a\\K", "", "a", &[""]),
    ]);
}

#[test]
fn a_search_begins_where_it_is_told_and_sees_what_is_before() {
    let env = NativeEnv::fixed(0, 0);
    let find = |pattern: &str, text: &str, from| {
        let pattern = Pattern::compile(pattern, "", &env).expect("it is a pattern");
        let found = pattern.find_at(text, from, &env).expect("no limit");
        found.map(|found| (found.start, found.end))
    };
    assert_eq!(find("a", "aba", 1), Some((2, 3)));
    assert_eq!(find("^a", "aa", 1), None);
    assert_eq!(find("(?<=a)b", "ab", 1), Some((1, 2)));
    assert_eq!(find("\\bb", "ab", 1), None);
    assert_eq!(find("\\Gb", "ab", 1), Some((1, 2)));
    assert_eq!(find("(?m)^b", "a\nb", 2), Some((2, 3)));
    assert_eq!(find("", "ab", 2), Some((2, 2)));
    assert_eq!(find("a|é", "xé", 1), Some((1, 3)));
    assert_eq!(find("abc.*", "abcabc", 1), Some((3, 6)));
}

/// Patterns that are none, and PCRE2's words for it.
const REFUSED: &[(&str, &str)] = &[
    ("(", "missing closing parenthesis"),
    ("(a", "missing closing parenthesis"),
    ("a(?:b", "missing closing parenthesis"),
    (")", "unmatched closing parenthesis"),
    ("a)", "unmatched closing parenthesis"),
    ("[a", "missing terminating ] for character class"),
    ("[]", "missing terminating ] for character class"),
    ("[^]", "missing terminating ] for character class"),
    ("[a-", "missing terminating ] for character class"),
    ("*", "quantifier does not follow a repeatable item"),
    ("*a", "quantifier does not follow a repeatable item"),
    ("a**", "quantifier does not follow a repeatable item"),
    ("a|*", "quantifier does not follow a repeatable item"),
    ("(+)", "quantifier does not follow a repeatable item"),
    ("^*", "quantifier does not follow a repeatable item"),
    ("\\b+", "quantifier does not follow a repeatable item"),
    ("(?i)+", "quantifier does not follow a repeatable item"),
    ("{1}", "quantifier does not follow a repeatable item"),
    ("a{2,1}", "numbers out of order in {} quantifier"),
    ("a{1,70000}", "number too big in {} quantifier"),
    ("a{99999999999}", "number too big in {} quantifier"),
    ("a\\", "\\ at end of pattern"),
    ("\\c", "\\c at end of pattern"),
    (
        "\\cé",
        "\\c must be followed by a printable ASCII character",
    ),
    ("\\y", "unrecognized character follows \\"),
    ("\\i", "unrecognized character follows \\"),
    ("[\\y]", "unrecognized character follows \\"),
    (
        "\\u0041",
        "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u",
    ),
    (
        "\\N{DIGIT ONE}",
        "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u",
    ),
    ("\\1", "reference to non-existent subpattern"),
    ("(a)\\2", "reference to non-existent subpattern"),
    ("\\g{-1}", "reference to non-existent subpattern"),
    ("\\k<n>", "reference to non-existent subpattern"),
    ("(?2)(a)", "reference to non-existent subpattern"),
    ("(?&n)", "reference to non-existent subpattern"),
    ("(?(2)a)(b)", "reference to non-existent subpattern"),
    (
        "(?<n>a)(?<n>b)",
        "two named subpatterns have the same name (PCRE2_DUPNAMES not set)",
    ),
    (
        "(?|(?<n>a)|(?<m>b))",
        "different names for subpatterns of the same number are not allowed",
    ),
    ("(?<1a>b)", "subpattern name must start with a non-digit"),
    (
        "(?<\u{663}a>b)",
        "subpattern name must start with a non-digit",
    ),
    // A letter number is neither a letter nor a decimal digit.
    ("(?<\u{2167}>b)", "subpattern name expected"),
    ("(?<>b)", "subpattern name expected"),
    (
        "(?<n b)",
        "syntax error in subpattern name (missing terminator?)",
    ),
    (
        "(?<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>b)",
        "subpattern name is too long (maximum 32 code units)",
    ),
    ("[z-a]", "range out of order in character class"),
    ("[a-\\d]", "invalid range in character class"),
    ("[\\d-z]", "invalid range in character class"),
    ("[[:digit:]-z]", "invalid range in character class"),
    ("[[:no:]]", "unknown POSIX class name"),
    ("[[.a.]]", "POSIX collating elements are not supported"),
    (
        "[:alpha:]",
        "POSIX named classes are supported only within a class",
    ),
    ("[\\R]", "invalid escape sequence in character class"),
    ("[\\B]", "invalid escape sequence in character class"),
    ("[\\N]", "\\N is not supported in a class"),
    ("(?z)", "unrecognized character after (? or (?-"),
    ("(?P!a)", "unrecognized character after (?P"),
    ("(?#a", "missing ) after (?# comment"),
    (
        "\\x{110000}",
        "character code point value in \\x{} or \\o{} is too large",
    ),
    (
        "\\x{d800}",
        "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)",
    ),
    (
        "\\x{g}",
        "non-hex character in \\x{} (closing brace missing?)",
    ),
    (
        "\\o{8}",
        "non-octal character in \\o{} (closing brace missing?)",
    ),
    ("\\x{}", "digits missing in \\x{} or \\o{} or \\N{U+}"),
    ("\\o", "missing opening brace after \\o"),
    ("\\p", "malformed \\P or \\p sequence"),
    ("\\p{Lu", "malformed \\P or \\p sequence"),
    ("\\p{Nonsense}", "unknown property after \\P or \\p"),
    (
        "\\g",
        "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number",
    ),
    (
        "\\k",
        "\\k is not followed by a braced, angle-bracketed, or quoted name",
    ),
    ("\\g{0}", "a numbered reference must not be zero"),
    ("(?<=a+)b", "lookbehind assertion is not fixed length"),
    ("(?<=a(b|cd))e", "lookbehind assertion is not fixed length"),
    ("(?<!(a)\\1)b", "lookbehind assertion is not fixed length"),
    (
        "(?=a\\Kb)",
        "\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)",
    ),
    (
        "(?(1)a|b|c)(d)",
        "conditional subpattern contains more than two branches",
    ),
    (
        "(?(DEFINE)a|b)",
        "DEFINE subpattern contains more than one branch",
    ),
    ("(?(0)a)", "invalid condition (?(0)"),
    ("(?(?:a)b)", "assertion expected after (?( or (?(?C)"),
    ("(?(!)a)", "malformed number or name after (?("),
    (
        "(?Ra)",
        "(?R (recursive pattern call) must be followed by a closing parenthesis",
    ),
    ("(*NONSENSE)a", "(*VERB) not recognized or malformed"),
    (
        "(((a{1000}b){1000}){1000})",
        "regular expression is too large",
    ),
    (
        "((((ab){1000}){1000}){1000}){1000}",
        "regular expression is too large",
    ),
    ("(?:a|b){65535}", "regular expression is too large"),
    // PCRE2's own features that this module refuses.
    ("\\X", "\\X is not supported"),
    ("\\C", "\\C is not supported"),
    ("a(*COMMIT)b", "verbs other than (*FAIL) are not supported"),
    ("(?C1)a", "callouts are not supported"),
    ("(*UCP)a", "(*UCP) is not supported"),
    (
        "(*sr:a)",
        "script runs and non-atomic lookarounds are not supported",
    ),
    ("(?J)a", "the inline option J is not supported"),
];

#[test]
fn what_is_no_pattern_is_refused_in_words() {
    let mut wrong = Vec::new();
    for (pattern, reason) in REFUSED {
        let found = found(pattern, "", "");
        if found.as_ref().err() != Some(reason) {
            wrong.push(format!("/{pattern}/: {found:?}, not {reason:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
