/**
 * Editing a snippet's block itself, until the editor is there and where it cannot be had.
 *
 * Invariant: asks the browser only when an element is there, since modules of pages are imported on servers, too.
 */

let plainText: boolean | null = null;

/** Firefox before 136 knows no `plaintext-only`. Asked by the first element: on a server there is no document. */
export function supportsPlainText(): boolean {
  if (plainText === null) {
    const probe = document.createElement("div");
    try {
      probe.contentEditable = "plaintext-only";
      plainText = true;
    } catch {
      plainText = false;
    }
  }
  return plainText;
}

/** Where the cursor is in a block, where the browser tells of selections in shadow roots. */
export function caretIn(block: HTMLElement, root: ShadowRoot): number | null {
  const selection = (root as ShadowRoot & { getSelection?(): Selection | null }).getSelection?.() ?? getSelection();
  const node = selection?.focusNode ?? null;
  if (selection === null || node === null || !block.contains(node)) return null;
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEnd(node, selection.focusOffset);
  return range.toString().length;
}
