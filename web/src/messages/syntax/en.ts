/**
 * The mistakes in a script's syntax, in English, by the parser's own words.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys. A message of the parser that is not here is
 * shown as `other`.
 */
export const en = {
  unclosed: (bracket: string, line: string) => `This ${bracket} of line ${line} is never closed.`,
  bracket: (missing: string, open: string, line: string) =>
    `${missing} is missing here: the ${open} of line ${line} is still open.`,
  unopened: (sign: string) => `Nothing is open here that ${sign} could close.`,
  comma: (text: string) => `A comma is missing before ${text}.`,
  comparison: (right: string) => `In a document this is written ${right}`,
  dotted: (right: string) => `A name with dots stands in quotes: ${right}`,
  end: "The script ends too early.",
  token: (text: string) => `Unexpected ${text}`,
  string: "This text is not ended: its closing quote is missing.",
  template: "This template is not ended: its closing ` is missing.",
  regex: "This regular expression is not ended: its closing / is missing.",
  comment: "This comment is not ended: */ is missing.",
  declared: (name: string) => `${name} is declared already.`,
  assigned: "This cannot be assigned to.",
  reserved: (name: string) => `${name} is a word of the language and no name.`,
  return: "return stands outside a function.",
  await: "await stands in a function that is not async.",
  pattern: "This regular expression is not valid.",
  number: "This is not a number.",
  loop: (word: string) => `${word} stands outside a loop.`,
  catch: "try has neither catch nor finally.",
  escape: "What follows the \\ is not an escape sequence.",
  throw: "The value of throw is missing on its line.",
  module: "A script has neither import nor export.",
  private: (name: string) => `${name} is not declared in a class around it.`,
  rest: "Nothing may follow the rest element (...).",
  default: "switch has more than one default.",
  shorthand: "In an object, a colon stands between name and value: { name: value }.",
  super: "super stands outside a method of a class.",
  twice: "This name is given twice.",
  initial: "A pattern of names needs a value: = is missing.",
  "sql.query": "That is SQL. Written for here:",
  "sql.unknown": "That is SQL. Queries are written like this here:",
  other: (message: string) => message,
};
