/** Files that the package's build makes modules of: WebAssembly in base64, or the worker's script as text. */
declare module "quiredb-data/*" {
  const text: string;
  export default text;
}
