/** A worker's script as Vite builds it: its address. */
declare module "*?worker&url" {
  const address: string;
  export default address;
}
