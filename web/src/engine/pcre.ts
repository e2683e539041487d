/**
 * Regular expressions as MongoDB reads them (PCRE2 in UTF mode), written as JavaScript's.
 *
 * Invariant: a pattern either means the same in both, or is refused with a reason, in PCRE2's words where it refuses too; nothing is taken for
 * something else. Groups keep their numbers. Differs from PCRE2 only where JavaScript's own letters and cases do.
 */

/** What `(?imsx)` turns on and off. */
interface Modes {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  extended: boolean;
}

/** An open group: the modes outside it, and whether its text is inside a `(?i:` or `(?-i:` of ours. */
interface Group {
  readonly outer: Modes;
  wrapped: boolean;
}

const SPACE = "\\t-\\r ";
const NOT_SPACE = "\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}";
const HORIZONTAL = "\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000";
const NOT_HORIZONTAL =
  "\\0-\\x08\\n-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u180d\\u180f-\\u1fff\\u200b-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}";
const VERTICAL = "\\n-\\r\\x85\\u2028\\u2029";
const NOT_VERTICAL = "\\0-\\t\\x0e-\\x84\\x86-\\u2027\\u202a-\\u{10ffff}";
/** Escapes that stand for sets, inside a class and, in brackets, outside. */
const SETS: Readonly<Record<string, string>> = {
  s: SPACE,
  S: NOT_SPACE,
  h: HORIZONTAL,
  H: NOT_HORIZONTAL,
  v: VERTICAL,
  V: NOT_VERTICAL,
};
/** POSIX classes: members, and what is left of all characters. */
const POSIX: Readonly<Record<string, readonly [string, string]>> = {
  alnum: ["0-9A-Za-z", "\\0-\\/:-@\\[-`{-\\u{10ffff}"],
  alpha: ["A-Za-z", "\\0-@\\[-`{-\\u{10ffff}"],
  ascii: ["\\0-\\x7f", "\\x80-\\u{10ffff}"],
  blank: ["\\t ", "\\0-\\x08\\n-\\x1f!-\\u{10ffff}"],
  cntrl: ["\\0-\\x1f\\x7f", " -~\\x80-\\u{10ffff}"],
  digit: ["0-9", "\\0-\\/:-\\u{10ffff}"],
  graph: ["!-~", "\\0- \\x7f-\\u{10ffff}"],
  lower: ["a-z", "\\0-`{-\\u{10ffff}"],
  print: [" -~", "\\0-\\x1f\\x7f-\\u{10ffff}"],
  punct: ["!-\\/:-@\\[-`{-~", "\\0- 0-9A-Za-z\\x7f-\\u{10ffff}"],
  space: [SPACE, NOT_SPACE],
  upper: ["A-Z", "\\0-@\\[-\\u{10ffff}"],
  word: ["\\w", "\\W"],
  xdigit: ["0-9A-Fa-f", "\\0-\\/:-@G-`g-\\u{10ffff}"],
};
const CATEGORY = /^(?:C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|Any)$/;
/** The most that PCRE2 counts to. */
const MOST_REPEATS = 65535;
/** PCRE2's words for what the JavaScript engines say, each in its own. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/nothing to repeat/i, "quantifier does not follow a repeatable item"],
  [/range.* in character class/i, "range out of order in character class"],
  [/numbers out of order/i, "numbers out of order in {} quantifier"],
];
const QUANTIFIER = /^\{(?:\d+(?:,\d*)?|,\d+)\}/;

class Translator {
  private at = 0;
  private out = "";
  private modes: Modes;
  private readonly groups: Group[] = [];
  /** Whether the text at the outermost level is inside a `(?i:` of ours. */
  private wrapped = false;
  private readonly ignoreCase: boolean;
  private readonly groupCount: number;

  constructor(
    private readonly pattern: string,
    options: string,
  ) {
    this.modes = {
      ignoreCase: options.includes("i"),
      multiline: options.includes("m"),
      dotAll: options.includes("s"),
      extended: options.includes("x"),
    };
    this.groupCount = countGroups(pattern);
    // `(*UTF8)` says what is so anyway; flags at the very beginning are the whole pattern's.
    this.at = /^(?:\(\*(?:UTF8?|NO_START_OPT)\))*/.exec(pattern)?.[0].length ?? 0;
    for (let flags = this.flagsHere(); flags !== null && flags.end === ")"; flags = this.flagsHere()) {
      this.modes = flags.modes;
      this.at += flags.length;
    }
    this.ignoreCase = this.modes.ignoreCase;
  }

  translate(): RegExp {
    while (this.at < this.pattern.length) this.step();
    if (this.groups.length > 0) throw this.wrong("missing closing parenthesis");
    if (this.wrapped) this.out += ")";
    try {
      return new RegExp(this.out, this.ignoreCase ? "dgiu" : "dgu");
    } catch (error) {
      throw this.wrong(reasonOf(error));
    }
  }

  private wrong(reason: string): SyntaxError {
    return new SyntaxError(reason);
  }

  private rest(): string {
    return this.pattern.slice(this.at);
  }

  /** Takes a character (a code point), or "" at the end. */
  private take(): string {
    const point = this.pattern.codePointAt(this.at);
    if (point === undefined) return "";
    const character = String.fromCodePoint(point);
    this.at += character.length;
    return character;
  }

  private takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.rest());
    if (found !== null) this.at += found[0].length;
    return found;
  }

  private step(): void {
    const { multiline, dotAll, extended } = this.modes;
    const character = this.take();
    switch (character) {
      case "\\":
        this.escape();
        return;
      case "[":
        this.characterClass();
        return;
      case "(":
        this.open();
        return;
      case ")":
        this.close();
        return;
      case "|":
        this.alternative();
        return;
      case ".":
        this.out += dotAll ? "[^]" : "[^\\n]";
        return;
      case "^":
        // Not after a line end that ends the text.
        this.out += multiline ? "(?:^|(?<=\\n)(?=[^]))" : "(?:^)";
        return;
      case "$":
        this.out += multiline ? "(?:(?=\\n|$))" : "(?:(?=\\n?$))";
        return;
      case "*":
      case "+":
      case "?":
        this.quantifier(character);
        return;
      case "{": {
        this.at -= 1;
        const counted = this.takeMatch(QUANTIFIER);
        if (counted === null) {
          this.at += 1;
          this.out += "\\{";
        } else {
          this.quantifier(counted[0].replace("{,", "{0,"));
        }
        return;
      }
      default:
        if (extended && /^[\t-\r ]$/.test(character)) return;
        if (extended && character === "#") {
          this.takeMatch(/^[^\n]*\n?/);
          return;
        }
        this.out += literal(character);
    }
  }

  private quantifier(text: string): void {
    for (const count of text.match(/\d+/g) ?? []) {
      if (Number(count) > MOST_REPEATS) throw this.wrong("number too big in {} quantifier");
    }
    if (this.pattern[this.at] === "+") throw this.wrong("possessive quantifiers are not supported");
    this.out += text;
    if (this.pattern[this.at] === "?") {
      this.out += "?";
      this.at += 1;
    }
  }

  /** Flags such as `(?i-s)` or `(?i:` where the pattern is now. */
  private flagsHere(): { modes: Modes; end: string; length: number } | null {
    const found = /^\(\?(\^?)([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/.exec(this.rest());
    if (found === null || found[0] === "(?:") return null;
    const modes = found[1] === "" ? { ...this.modes } : { ignoreCase: false, multiline: false, dotAll: false, extended: false };
    const set = (letters: string, value: boolean): void => {
      for (const letter of letters) {
        if (letter === "i") modes.ignoreCase = value;
        else if (letter === "m") modes.multiline = value;
        else if (letter === "s") modes.dotAll = value;
        else if (letter === "x") modes.extended = value;
        else throw this.wrong(`the inline option ${letter} is not supported`);
      }
    };
    set(found[2] ?? "", true);
    set(found[3] ?? "", false);
    return { modes, end: found[4] ?? "", length: found[0].length };
  }

  private setWrapped(wrapped: boolean): void {
    const group = this.groups.at(-1);
    if (group === undefined) this.wrapped = wrapped;
    else group.wrapped = wrapped;
  }

  private isWrapped(): boolean {
    return this.groups.at(-1)?.wrapped ?? this.wrapped;
  }

  /** Goes on with other modes, up to the end of the group. */
  private change(modes: Modes): void {
    if (modes.ignoreCase !== this.modes.ignoreCase) {
      if (!hasModifiers()) throw this.wrong("(?i) inside a pattern needs a newer JavaScript engine: not supported");
      if (this.isWrapped()) this.out += ")";
      this.out += modes.ignoreCase ? "(?i:" : "(?-i:";
      this.setWrapped(true);
    }
    this.modes = modes;
  }

  private alternative(): void {
    // What was turned on stays on in the alternatives that follow.
    this.out += this.isWrapped() ? `)|${this.modes.ignoreCase ? "(?i:" : "(?-i:"}` : "|";
  }

  private open(): void {
    const start = this.at - 1;
    if (this.takeMatch(/^\?#[^)]*\)/) !== null) return;
    this.at = start;
    const flags = this.flagsHere();
    if (flags !== null) {
      this.at += flags.length;
      if (flags.end === ")") {
        this.change(flags.modes);
      } else {
        this.begin("(?:");
        this.change(flags.modes);
      }
      return;
    }
    const same = this.takeMatch(/^\(\?P=(\w+)\)/);
    if (same !== null) {
      this.out += `\\k<${same[1]}>`;
      return;
    }
    const plain = this.takeMatch(/^\(\?(?:<?[=!]|:)/);
    if (plain !== null) {
      this.begin(plain[0]);
      return;
    }
    const named = this.takeMatch(/^\(\?(?:P?<(\w+)>|'(\w+)')/);
    if (named !== null) {
      this.begin(`(?<${named[1] ?? named[2]}>`);
      return;
    }
    this.at = start + 1;
    if (this.pattern[this.at] === "?" || this.pattern[this.at] === "*") {
      throw this.wrong("atomic groups, branch resets, conditions, recursion and verbs are not supported: unrecognized group");
    }
    this.begin("(");
  }

  private begin(text: string): void {
    this.out += text;
    this.groups.push({ outer: this.modes, wrapped: false });
  }

  private close(): void {
    const group = this.groups.pop();
    if (group === undefined) throw this.wrong("unmatched closing parenthesis");
    this.out += group.wrapped ? "))" : ")";
    this.modes = group.outer;
  }

  /** What follows a backslash outside a class. */
  private escape(): void {
    const anchors: Readonly<Record<string, string>> = {
      A: "(?:^)",
      z: "(?:$)",
      Z: "(?:(?=\\n?$))",
      b: "\\b",
      B: "\\B",
      N: "[^\\n]",
      R: `(?:\\r\\n|[${VERTICAL}])`,
    };
    const reference = this.takeMatch(/^(?:g(?:\{(-?\d+)\}|(-?\d+))|([1-9]\d*))/);
    if (reference !== null) {
      this.reference(reference);
      return;
    }
    const named = this.takeMatch(/^(?:k(?:<(\w+)>|\{(\w+)\}|'(\w+)')|g\{(\w+)\})/);
    if (named !== null) {
      this.out += `\\k<${named.slice(1).find((name) => name !== undefined) ?? ""}>`;
      return;
    }
    const quoted = this.takeMatch(/^Q([^]*?)(?:\\E|$)/);
    if (quoted !== null) {
      for (const character of quoted[1] ?? "") this.out += literal(character);
      return;
    }
    const anchor = anchors[this.pattern[this.at] ?? ""];
    if (anchor !== undefined) {
      this.at += 1;
      this.out += anchor;
      return;
    }
    const set = SETS[this.pattern[this.at] ?? ""];
    if (set !== undefined) {
      this.at += 1;
      this.out += `[${set}]`;
      return;
    }
    if (this.pattern[this.at] === "E") {
      this.at += 1;
      return;
    }
    this.out += this.simpleEscape();
  }

  private reference(found: RegExpExecArray): void {
    const [, braced, bare, plain] = found;
    if (plain !== undefined) {
      const number = Number(plain);
      // Beyond the groups there are, two digits and more are an octal character, as long as they are octal.
      if (number > 9 && number > this.groupCount) {
        const octal = /^[0-7]{1,3}/.exec(plain)?.[0] ?? "";
        if (octal === "") throw this.wrong("reference to a group that does not exist");
        this.at -= plain.length - octal.length;
        this.out += character(Number.parseInt(octal, 8));
        return;
      }
    }
    const number = Number(braced ?? bare ?? plain);
    const opened = countGroups(this.pattern.slice(0, this.at));
    const group = number < 0 ? opened + 1 + number : number;
    if (group < 1 || group > this.groupCount) throw this.wrong("reference to a group that does not exist");
    // A digit that follows is text.
    this.out += `(?:\\${group})`;
  }

  /** An escape that means the same inside and outside a class. */
  private simpleEscape(inClass = false): string {
    const property = this.takeMatch(/^([pP])(?:\{(\^?)([^}]*)\}|([A-Z]))/);
    if (property !== null) return this.property(property);
    const code = this.takeMatch(/^(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{0,2})|o\{([0-7]+)\}|(0[0-7]{0,2}))/);
    if (code !== null) {
      const [, wide, hex, octal, zero] = code;
      const point = octal ?? zero;
      return character(point === undefined ? Number.parseInt(wide ?? (hex || "0"), 16) : Number.parseInt(point, 8));
    }
    const control = this.takeMatch(/^c([ -~])/);
    if (control !== null) return character((control[1] ?? "").toUpperCase().charCodeAt(0) ^ 64);
    const escaped = this.take();
    if (escaped === "") throw this.wrong("\\ at end of pattern");
    if ("dDwWfnrt".includes(escaped)) return `\\${escaped}`;
    if (escaped === "a") return "\\x07";
    if (escaped === "e") return "\\x1b";
    if (/[0-9A-Za-z]/.test(escaped)) throw this.wrong(`unrecognized character follows \\: ${escaped}`);
    return literal(escaped, inClass);
  }

  private property([, letter, caret, name, short]: RegExpExecArray): string {
    const wanted = (name ?? short ?? "").trim().replace(/^L&$/, "LC");
    const negated = (letter === "P") !== (caret === "^");
    const inside = CATEGORY.test(wanted) ? wanted : `Script_Extensions=${wanted}`;
    return `\\${negated ? "P" : "p"}{${inside}}`;
  }

  private characterClass(): void {
    let text = "[";
    if (this.pattern[this.at] === "^") {
      this.at += 1;
      text += "^";
    }
    let isFirst = true;
    // Whether what came last is one character, so that a range may begin with it.
    let isSingle = false;
    let inRange = false;
    for (;;) {
      if (this.at >= this.pattern.length) throw this.wrong("missing terminating ] for character class");
      if (this.pattern[this.at] === "]" && !isFirst) break;
      isFirst = false;
      const posix = this.takeMatch(/^\[:(\^?)([a-z]+):\]/);
      if (posix !== null) {
        const members = POSIX[posix[2] ?? ""];
        if (members === undefined) throw this.wrong("unknown POSIX class name");
        text += members[posix[1] === "^" ? 1 : 0];
        isSingle = false;
        continue;
      }
      const quoted = this.takeMatch(/^\\Q([^]*?)(?:\\E|$)/);
      if (quoted !== null) {
        for (const character of quoted[1] ?? "") text += literal(character, true);
        isSingle = true;
        continue;
      }
      if (this.takeMatch(/^\\E/) !== null) continue;
      const next = this.take();
      if (next === "-") {
        const after = this.pattern[this.at];
        const endsInSet = /^(?:\\[dDwWsShHvVpP]|\[:[a-z^]+:\])/.test(this.rest());
        const isRange: boolean = isSingle && !inRange && after !== "]" && after !== undefined && !endsInSet;
        text += isRange ? "-" : "\\-";
        inRange = isRange;
        isSingle = !isRange;
        continue;
      }
      if (next === "\\") {
        const letter = this.pattern[this.at] ?? "";
        const set = SETS[letter];
        if (set !== undefined) {
          this.at += 1;
          text += set;
          isSingle = false;
        } else if (letter === "b") {
          this.at += 1;
          text += "\\x08";
          isSingle = true;
        } else {
          const digits = this.takeMatch(/^[1-7][0-7]{0,2}/);
          text += digits === null ? this.simpleEscape(true) : character(Number.parseInt(digits[0], 8));
          isSingle = !"dDwWpP".includes(letter);
        }
      } else {
        text += literal(next, true);
        isSingle = !inRange;
      }
      inRange = false;
    }
    this.at += 1;
    this.out += `${text}]`;
  }
}

/** Whether this engine knows `(?i:…)`, which came to JavaScript in 2025. */
export function hasModifiers(): boolean {
  try {
    return new RegExp("(?i:a)").test("A");
  } catch {
    return false;
  }
}

/** Why an engine refused a translated pattern, without that. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const known = REASONS.find(([words]) => words.test(message));
  return known?.[1] ?? message.replace(/^Invalid regular expression: (?:\/[^]*\/[a-z]*: )?/, "");
}

/** A character that stands for itself. */
function literal(character: string, inClass = false): string {
  if (character === "\n") return "\\n";
  return (inClass ? /[\^$\\.*+?()[\]{}|/-]/ : /[\^$\\.*+?()[\]{}|/]/).test(character) ? `\\${character}` : character;
}

function character(point: number): string {
  if (!(point <= 0x10ffff)) throw new SyntaxError("character code point value in \\x{} or \\o{} is too large");
  return `\\u{${point.toString(16)}}`;
}

/** How many groups a pattern captures. */
function countGroups(pattern: string): number {
  const plain = pattern.replace(/\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:[a-z^]*:\]|[^\]\\])*\]?/g, "");
  return plain.match(/\((?!\?|\*)|\(\?(?:P?<(?![=!])|')/g)?.length ?? 0;
}

/**
 * Compiles a pattern with MongoDB's options (`i`, `m`, `s`, `x`, `u`).
 *
 * @throws SyntaxError for what PCRE2 refuses, and for what JavaScript has no equal of: possessive quantifiers, atomic
 * groups, recursion, conditions, branch resets, verbs, `\G`, `\K`, `\X`.
 */
export function compilePcre(pattern: string, options: string): RegExp {
  return new Translator(pattern, options).translate();
}
