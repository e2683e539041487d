/**
 * Reads the tables of examples.
 *
 * Invariant: pure; a table is a text, so that documents and scripts stand there as a reader types them.
 */

/** Lines `name documents`, the documents of a name apart by `;`. */
export const documentLines = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text
      .trim()
      .split("\n")
      .map((line) => {
        const at = line.indexOf(" ");
        return [line.slice(0, at), line.slice(at + 1).split(" ; ")];
      }),
  );

/** Scripts of several lines, each under a line `# name`. */
export const scripts = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(/^# /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1).trim()];
      }),
  );
