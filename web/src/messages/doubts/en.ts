/**
 * What is likely to be wrong in a command that ran, and why nothing was found, in English.
 *
 * Invariant: as `messages/en.ts`; the other table has exactly these keys. Names and values come marked as code
 * (`messages/coded.ts`).
 */
export const en = {
  title: "Why it may be wrong",
  unknown: (path: string) => `No document has ${path}.`,
  "unknown.seen": (path: string, count: string) =>
    count === "1" ? `The first document has no ${path}.` : `None of the first ${count} documents has ${path}.`,
  "unknown.of": (path: string, collection: string) => `No document of ${collection} has ${path}.`,
  "unknown.seen.of": (path: string, count: string, collection: string) =>
    count === "1"
      ? `The first document of ${collection} has no ${path}.`
      : `None of the first ${count} documents of ${collection} has ${path}.`,
  "unknown.collection": (collection: string) => `There is no collection ${collection}.`,
  similar: (right: string, types: string) =>
    types === "" ? `Did you mean ${right}?` : `Did you mean ${right}, ${types}?`,
  noDollar: (bare: string, operator: string) =>
    `${bare} is taken for the name of a field. The operator is ${operator}.`,
  type: (path: string, found: string, types: string) =>
    `${path} is ${types} and never ${found}: values of different types are not compared.`,
  list: (path: string, types: string) =>
    `${path} is ${types} and never an Array. One of several values is asked for by $in.`,
  whole: (path: string, inner: string) =>
    `${path} is compared with this document as a whole, all its fields in their order. ${inner} asks for one field.`,
  constant: (text: string) => `${text} is a text here. The value of a field is written with a $.`,
  "constant.unknown": (text: string) => `${text} is a text here, the same for every document.`,
  "constant.counted": (operator: string, text: string) =>
    `${text} is a text here, and ${operator} takes numbers alone. The value of a field is written with a $.`,
  unsegmented: (text: string, filter: string) =>
    `A text index cuts words at spaces and punctuation alone, so ${text} is found only where it stands by itself. ` +
    `Keep the words as an array, and ask for one of them: ${filter}`,
  function: "An arrow function is no filter: it was not called, and every document was taken.",
  or: " or ",
  "a.type": (type: string) => (/^[AEIOU]/.test(type) ? `an ${type}` : `a ${type}`),
  mend: (right: string) => `Write ${right}`,
  "mend.all": "Mend all of it",
  /** A button's name, of a script that is run again at once. */
  "mend.run": (mend: string) => `${mend} and run`,
  mended: "The script writes data, so that it was not run again.",
  gone: "The script is no longer as it was run, so that nothing was replaced.",
  alone: (documents: string) =>
    `Of ${documents} ${documents === "1" ? "document" : "documents"} each condition alone leaves`,
  "alone.of": "Each condition alone leaves",
  uncounted: "not known: counting took too long",
  together: "Each of them finds documents, and no document meets all of them.",
  more: (count: string) =>
    count === "1" ? "One more condition was not counted." : `${count} more conditions were not counted.`,
};
