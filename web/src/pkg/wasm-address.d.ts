/**
 * The default export of one of the package's `.wasm` files where a tool makes an address of it (`.wasm?url` in Vite).
 */
declare const address: string;
export default address;
