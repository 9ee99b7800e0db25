/** The text of a file, which is part of the bundle: see scripts/raw-texts.mjs. The name is that of Vite, which runs the tests. */
declare module '*?raw' {
  const text: string
  export default text
}
