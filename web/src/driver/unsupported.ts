/** The words for options that there are not, for every place that takes options. */

/** The message of the error for options that are not known, or not supported. */
export function unsupported(names: readonly string[]): string {
  return names.length === 1 ? `option ${names[0]} is not supported` : `options ${names.join(", ")} are not supported`;
}
