/**
 * Classes of style sheets that lie in one shadow root: none of two sheets may style the other's elements by chance.
 *
 * Invariants: a sheet that comes with a template of its own (a text field in the editor's place, the first look) has no
 * class which another template of the root has, nor one that a value of the state puts into a `class`; two sheets that
 * other files share give no class a meaning each. A root's own sheet may refine a class of the shared ones.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../src");
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith(".d.ts"))
    .map((name) => [join(root, name), readFileSync(join(root, name), "utf8")]),
);
const textOf = (path: string): string => sources.get(path) ?? "";
const shown = (path: string): string => relative(root, path);

interface Sheet {
  readonly name: string;
  readonly file: string;
  readonly css: string;
}

/** The style sheet of a name as a file sees it: its own, or an imported one. */
function sheetOf(file: string, name: string): Sheet | null {
  const own = new RegExp(`const ${name} = css\`([^\`]*)\``).exec(textOf(file));
  if (own !== null) return { name, file, css: own[1] ?? "" };
  for (const [, names = "", from = ""] of textOf(file).matchAll(/import \{([^}]*)\} from "([^"]+)"/g))
    if (names.split(",").some((one) => one.trim() === name)) return sheetOf(resolve(dirname(file), from), name);
  return null;
}

/** The roots: each file with `static styles`, and the sheets that are adopted there. */
const roots = [...sources.keys()].flatMap((file) =>
  [...textOf(file).matchAll(/static (?:override )?styles = \[([\s\S]*?)\n? *\];/g)].map(([, body = ""]) => {
    const inline = [...body.matchAll(/css`([^`]*)`/g)].map(([, css = ""]): Sheet => ({ name: "inline", file, css }));
    const named = [...body.replace(/css`[^`]*`/g, "").matchAll(/\b[a-z]\w*\b/g)].flatMap(
      ([name]) => sheetOf(file, name) ?? [],
    );
    return { file, sheets: [...named, ...inline] };
  }),
);
/** How many roots have a sheet; one that a single root has is that root's own. */
const uses = new Map<string, number>();
for (const { sheets } of roots)
  for (const { name, file } of sheets) uses.set(`${file} ${name}`, (uses.get(`${file} ${name}`) ?? 0) + 1);
const isShared = ({ name, file }: Sheet): boolean => (uses.get(`${file} ${name}`) ?? 0) > 1;

const rules = (css: string): readonly string[] =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{};]+)\{/g)]
    .map(([, selectors = ""]) => selectors.trim())
    .filter((selectors) => !selectors.startsWith("@"))
    .flatMap((selectors) => selectors.split(","));
/** Every class that a sheet names. */
const classesIn = ({ css }: Sheet): ReadonlySet<string> =>
  new Set(rules(css).flatMap((rule) => [...rule.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name)));
/** The classes that have a rule by themselves, and so a meaning wherever they stand. */
const meantIn = ({ css }: Sheet): ReadonlySet<string> =>
  new Set(rules(css).flatMap((rule) => /^\s*\.([a-z][\w-]*)\s*$/i.exec(rule)?.[1] ?? []));

/** The words that values of a member of the state can be, by its type: `tone: "plain" | "good"`. */
const words = new Map<string, Set<string>>();
for (const text of sources.values())
  for (const [, member = "", union = ""] of text.matchAll(/(?:readonly )?(\w+)\??: ((?:"[\w-]+"(?: \| )?)+)/g)) {
    const known = words.get(member) ?? new Set();
    words.set(member, known);
    for (const [, word = ""] of union.matchAll(/"([\w-]+)"/g)) known.add(word);
  }

/** The classes that the templates of a file give: written, in an expression's texts, or as a member of the state. */
function givenIn(file: string): ReadonlySet<string> {
  const given = new Set<string>();
  for (const [, quoted, bare] of textOf(file).matchAll(/\bclass=(?:"((?:[^"$]|\$\{[^}]*\})*)"|\$\{([^}]*)\})/g)) {
    const value = quoted ?? `\${${bare ?? ""}}`;
    for (const name of value.replace(/\$\{[^}]*\}/g, " ").split(/\s+/)) given.add(name);
    for (const [, expression = ""] of value.matchAll(/\$\{([^}]*)\}/g)) {
      for (const [, text = ""] of expression.matchAll(/[?:] "([^"]*)"/g))
        for (const name of text.split(/\s+/)) given.add(name);
      const member = /^(?:\w+\.)?(\w+)$/.exec(expression)?.[1];
      for (const word of words.get(member ?? "") ?? []) given.add(word);
    }
  }
  given.delete("");
  return given;
}

it("finds the sheets and the classes of the page", () => {
  const page = roots.find(({ file }) => shown(file) === "view/quire-page.ts");
  expect(page?.sheets.map(({ name }) => name)).toEqual(["shared", "pageStyles", "plainStyles"]);
  expect([...givenIn(page?.file ?? "")]).toEqual(expect.arrayContaining(["notice", "plain", "good", "bad", "stacked"]));
});

it("has a sheet with a template of its own style nothing of another template", () => {
  const wrong = roots.flatMap(({ file, sheets }) =>
    sheets
      .filter((sheet) => sheet.file !== file && /\bhtml`/.test(textOf(sheet.file)))
      .flatMap((sheet) => {
        const given = givenIn(file);
        const own = givenIn(sheet.file);
        // A template may use the other's words on purpose where that one does not have them itself.
        return [...classesIn(sheet)]
          .filter((name) => given.has(name) && own.has(name))
          .map((name) => `${shown(file)}: .${name} of ${shown(sheet.file)}`);
      }),
  );
  expect(wrong).toEqual([]);
});

it("gives no class a meaning in two shared sheets of one root", () => {
  const wrong = roots.flatMap(({ file, sheets }) => {
    const shared = sheets.filter((sheet) => sheet.file !== file && isShared(sheet));
    return shared.flatMap((one, at) =>
      shared
        .slice(at + 1)
        .flatMap((other) =>
          [...meantIn(one)]
            .filter((name) => meantIn(other).has(name))
            .map((name) => `${shown(file)}: .${name} of ${one.name} and ${other.name}`),
        ),
    );
  });
  expect(wrong).toEqual([]);
});

/** The drawings of the insides: their rems are scaled (`xray/rem.ts`). */
const drawings = roots.filter(({ file }) => textOf(file).includes("@xrayElement("));

it("has no rem in the condition of a drawing's query, where the snippet's rem cannot stand", () => {
  const conditions = drawings.flatMap(({ file, sheets }) =>
    sheets.flatMap(({ css }) =>
      [...css.matchAll(/@(?:container|media|supports)[^{]*/g)].map(([query]) => `${shown(file)}: ${query.trim()}`),
    ),
  );
  expect(conditions.filter((query) => query.includes("@container map")).length).toBeGreaterThan(0);
  expect(conditions.filter((query) => /\drem\b/.test(query))).toEqual([]);
});

it("means either a colour or a length by a custom property", () => {
  const all = [...sources].map(([file, text]) => [shown(file), text] as const);
  const colours = new Set(
    all.flatMap(([, text]) =>
      [...text.matchAll(/(--[\w-]+)"?: "?([^;"\n]*)/g)].flatMap(([, name = "", value = ""]) =>
        /#[\da-f]{3,8}\b|light-dark\(|\brgb\(|color-mix\(/i.test(value) ? [name] : [],
      ),
    ),
  );
  expect([...colours]).toEqual(expect.arrayContaining(["--fill", "--ink", "--map-place"]));
  const lengths = all.flatMap(([file, text]) =>
    [...text.matchAll(/[\s;{](?:(?:max|min)-)?(?:height|width|inline-size|block-size): ([^;}"\n]*)/g)].flatMap(
      ([, value = ""]) =>
        [...value.matchAll(/var\((--[\w-]+)/g)].flatMap(([, name = ""]) =>
          colours.has(name) ? [`${file}: ${name} in ${value}`] : [],
        ),
    ),
  );
  expect(lengths).toEqual([]);
});
