/**
 * What an element of a course or a lab shows in its own place while its code cannot be fetched.
 *
 * Invariant: it needs no other file, since the words of the element come with its code.
 */

/** A sentence and the name of the button that tries again. */
export interface Unreached {
  readonly english: readonly [string, string];
  readonly chinese: readonly [string, string];
}

/** Says it in the place of the element's content, until `start` was called by the reader. */
export function tellUnreached(root: ShadowRoot, language: string, words: Unreached, start: () => void): void {
  const [said, again] = /^zh/i.test(language) ? words.chinese : words.english;
  const box = document.createElement("p");
  box.setAttribute("role", "alert");
  box.dir = "ltr";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = again;
  button.addEventListener("click", start);
  box.append(`${said} `, button);
  root.replaceChildren(box);
}
