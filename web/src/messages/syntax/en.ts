/**
 * The mistakes in a script's syntax, in English, by the parser's own words.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys. A message of the parser that is not here is
 * shown as it is.
 */
export const en = {
  unclosed: (bracket: string, line: string) => `This ${bracket} of line ${line} is never closed.`,
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
};
