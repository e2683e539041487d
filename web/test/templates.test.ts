/** What the build takes out of Lit's templates, and what it leaves. */
import { parse } from "acorn";
import { describe, expect, it } from "vitest";
import { shortMarkup, shortStyles, withShortTemplates } from "../scripts/templates.ts";

describe("styles", () => {
  it.each([
    ["\n  .a, .b > c {\n    color: red; margin: 0 auto;\n  }\n", ".a,.b > c{color:red;margin:0 auto}"],
    ['a::before { content: " ; x, { }"; }', 'a::before{content:" ; x, { }"}'],
    [
      "@media (max-width: 40px) { a:hover b { width: calc(100% - 1px); } }",
      "@media (max-width:40px){a:hover b{width:calc(100% - 1px)}}",
    ],
    ["a { /* why; */ color: red }", "a{color:red}"],
    ["a :focus { top: 0 }", "a :focus{top:0}"],
    ["@container (width > 3px) { a { b: c } }", "@container (width > 3px){a{b:c}}"],
  ])("%s", (long, short) => expect(shortStyles([long])).toEqual([short]));

  it("keeps a blank beside what is put in", () => {
    expect(shortStyles(["a { margin: 0 ", " auto; } ", " b { }"])).toEqual(["a{margin:0 ", " auto}", " b{}"]);
  });
});

describe("markup", () => {
  it.each([
    ['<b class="a"\n    title="t  u"\n  >x  y</b\n>', '<b class="a" title="t  u">x  y</b>'],
    ["<p>\n  1 < 2   3\n</p>\n<i  hidden></i>", "<p>\n  1 < 2   3\n</p>\n<i hidden></i>"],
  ])("%s", (long, short) => expect(shortMarkup([long])).toEqual([short]));

  it("goes on in a tag behind what is put in", () => {
    expect(shortMarkup(["<input\n  .value=", "\n  ?disabled=", "\n  />  <i title='", "  ' class=", "\n>  "])).toEqual([
      "<input .value=",
      " ?disabled=",
      " />  <i title='",
      "  ' class=",
      ">  ",
    ]);
  });
});

it("changes templates of these names alone, also inside one another and behind other letters", () => {
  const code =
    'const é = "😀"; x = html`<p\n  a=${y ? html`<i\n' +
    '  b=${"<b  c>"}></i>` : css`a { b: c }`}>  </p>`; z = other`<p\n a>`;';
  expect(withShortTemplates(code, parse(code, { ecmaVersion: "latest", sourceType: "module" }))).toBe(
    'const é = "😀"; x = html`<p a=${y ? html`<i b=${"<b  c>"}></i>` : css`a{b:c}`}>  </p>`; z = other`<p\n a>`;',
  );
});
