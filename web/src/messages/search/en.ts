/**
 * The words of the editor's search and replace in English, by CodeMirror's own phrases.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys. `$` stands for a number.
 */
export const en = {
  Find: "Find",
  Replace: "Replace with",
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close the search",
  "current match": "Current match",
  "on line": "on line",
  "replaced match on line $": "Replaced on line $",
  "replaced $ matches": "Replaced $ times",
  "Go to line": "Go to line",
  go: "Go",
};
