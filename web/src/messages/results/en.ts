/**
 * The words of results in English, fetched with what draws them.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
export const en = {
  gone: "deleted",
  "gone.count": (count: string) => `${count} deleted`,
  "array.documents": (count: string, one: boolean) => (one ? `${count} document` : `${count} documents`),
  "array.values": (count: string, one: boolean) => (one ? `${count} value` : `${count} values`),
};
