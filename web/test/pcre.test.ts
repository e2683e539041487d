/** PCRE2's patterns as JavaScript's: what matches, what does not, and what is refused. */
import { expect, test } from "vitest";
import { compilePcre, hasModifiers } from "../src/engine/pcre.ts";

/** Pattern, options, what it finds first in a text (`null`: nothing). */
const FOUND: readonly (readonly [string, string, string, string | null])[] = [
  ["abc$", "", "abc\n", "abc"],
  ["abc$", "", "abc\n\n", null],
  ["abc$", "m", "abc\nd", "abc"],
  ["abc\\z", "", "abc\n", null],
  ["abc\\Z", "", "abc\n", "abc"],
  ["^b", "m", "a\nb", "b"],
  ["^", "m", "\n", ""],
  ["a.c", "", "a\u2028c", "a\u2028c"],
  ["a.c", "", "a\nc", null],
  ["a.c", "s", "a\nc", "a\nc"],
  ["^.$", "", "😀", "😀"],
  ["\\s", "", "\u00a0", null],
  ["[\\s]", "", "\u00a0", null],
  ["\\S", "", "\u00a0", "\u00a0"],
  ["[^\\S]", "", "a b", " "],
  ["\\h", "", "\u00a0", "\u00a0"],
  ["\\R", "", "a\r\nb", "\r\n"],
  ["\\\\Ab", "", "\\Ab", "\\Ab"],
  ["\\Qa.b*\\Ec", "", "a.b*c", "a.b*c"],
  ["\\Qa.b", "", "a.b", "a.b"],
  ["[[:upper:][:digit:]_]+", "", "abC1_d", "C1_"],
  ["[[:^alpha:]]+", "", "ab12", "12"],
  ["[]a]+", "", "x]a", "]a"],
  ["[^]a]+", "", "]ax", "x"],
  ["[a-]+", "", "b-a", "-a"],
  ["[\\w-]+", "", "!a-b", "a-b"],
  ["[a\\-z]+", "", "y-z", "-z"],
  ["[\\d-x]+", "", "y-x1", "-x1"],
  ["a{,2}b", "", "aab", "aab"],
  ["a{", "", "a{", "a{"],
  ["a{1", "", "a{1", "a{1"],
  ["a{2}", "", "aaa", "aa"],
  ["]}", "", "]}", "]}"],
  ["a b # comment\nc", "x", "abc", "abc"],
  ["a[ b]c", "x", "a c", "a c"],
  ["(?i)AbC", "", "aBc", "aBc"],
  ["(?x) a b", "", "ab", "ab"],
  ["(?<year>\\d{4})-\\k<year>", "", "1999-1999", "1999-1999"],
  ["(?P<n>a)(?P=n)", "", "aa", "aa"],
  ["(a)\\1", "", "aa", "aa"],
  ["(a)\\g{-1}2", "", "aa2", "aa2"],
  ["(a)\\g1", "", "aa", "aa"],
  ["\\101\\x41\\x{42}\\o{103}", "", "AABC", "AABC"],
  ["\\x{1F600}", "", "😀", "😀"],
  ["\\p{Lu}\\pL\\p{^Lu}", "", "Éaé", "Éaé"],
  ["\\p{Greek}+", "", "abγδ", "γδ"],
  ["a(?#comment)b", "", "ab", "ab"],
  ["(?:a|b)+?c", "", "abac", "abac"],
  ["(?<=a)b(?!c)", "", "abc ab", "b"],
  ["é", "i", "É", "É"],
  ["/", "", "/", "/"],
  ["a-b", "", "a-b", "a-b"],
  ["\\/\\-\\@", "", "/-@", "/-@"],
  ["(*UTF8)ä", "", "ä", "ä"],
  ["x*", "u", "xx", "xx"],
  ["\\cA", "", "\u0001", "\u0001"],
  ["a\nb", "", "a\nb", "a\nb"],
  ["^*a", "", "a", "a"],
];

for (const [pattern, options, text, expected] of FOUND) {
  test(`/${pattern}/${options} over ${JSON.stringify(text)}`, () => {
    const found = compilePcre(pattern, options).exec(text);
    expect(found === null ? null : found[0]).toBe(expected);
  });
}

test("flags in the middle hold to the end of the group, in its later alternatives too", () => {
  if (!hasModifiers()) {
    expect(() => compilePcre("a(?i)b", "")).toThrow("needs a newer JavaScript engine");
    return;
  }
  const mid = compilePcre("^(?:a(?i)b|c)d$", "");
  expect(["abd", "aBd", "cd", "Cd"].map((text) => mid.test(text) && ((mid.lastIndex = 0), true))).toEqual([true, true, true, true]);
  for (const text of ["Abd", "abD"]) {
    mid.lastIndex = 0;
    expect(mid.test(text)).toBe(false);
  }
  expect(compilePcre("(?i)a(?-i)b", "").test("AB")).toBe(false);
  expect(compilePcre("(?i)a(?-i)b", "").test("Ab")).toBe(true);
});

test("a dot takes line ends only where it is told to", () => {
  expect(compilePcre("(?s:.)(.)", "").test("\n\n")).toBe(false);
  expect(compilePcre("(?s:.)(.)", "").test("\na")).toBe(true);
});

test("groups keep their numbers", () => {
  const found = compilePcre("(a)(?:b)(?<c>c)(?s)(d)", "").exec("abcd");
  expect(found?.slice(1)).toEqual(["a", "c", "d"]);
});

for (const pattern of ["(", ")", "a)", "[a", "*a", "a\\", "(?>a)", "a++", "(?R)", "(?|a|b)", "\\K", "\\X", "\\G", "\\u0041", "\\1", "(?<n>a)(?<n>b)", "[z-a]", "[[:no:]]", "(?z)", "\\x{110000}", "a**"]) {
  test(`/${pattern}/ is refused`, () => {
    expect(() => compilePcre(pattern, "")).toThrow(SyntaxError);
  });
}

for (const [pattern, reason] of [
  ["*", "quantifier does not follow a repeatable item"],
  ["a**", "quantifier does not follow a repeatable item"],
  ["[b-a]", "range out of order in character class"],
  ["a{2,1}", "numbers out of order in {} quantifier"],
  ["a{1,70000}", "number too big in {} quantifier"],
  ["(", "missing closing parenthesis"],
  [")", "unmatched closing parenthesis"],
] as const) {
  test(`/${pattern}/ is refused in PCRE2's words`, () => {
    expect(() => compilePcre(pattern, "")).toThrow(new SyntaxError(reason));
  });
}
