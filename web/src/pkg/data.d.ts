/** What the package's build makes modules of: a WebAssembly file in base64, or the worker's script as text. */
declare module "quiredb-data/*" {
  const text: string;
  export default text;
}
