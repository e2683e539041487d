/**
 * How much memory an engine may have in use.
 *
 * Invariant: the bounds are those of `crate/src/wasm/memory.rs`.
 */

/** The least that can be asked for: 16 MiB. */
export const LEAST_MEMORY_BYTES = 16 * 2 ** 20;
/** The most: 3 GiB, which leaves commands room to work below WebAssembly's own 4 GiB. */
export const MOST_MEMORY_BYTES = 3 * 2 ** 30;

/** Why a `maxMemoryBytes` is refused, for a person; null when it can be had. */
export function memoryLimitFault(bytes: unknown): string | null {
  if (
    bytes === undefined ||
    (Number.isInteger(bytes) && (bytes as number) >= LEAST_MEMORY_BYTES && (bytes as number) <= MOST_MEMORY_BYTES)
  )
    return null;
  return `maxMemoryBytes must be an integer from ${LEAST_MEMORY_BYTES} to ${MOST_MEMORY_BYTES}, got ${String(bytes)}`;
}
