/** The text of a file, which is part of the bundle: see scripts/bundle.mjs. The name is that of Vite, which runs the tests. */
declare module '*?raw' {
  const text: string
  // oxlint-disable-next-line import/no-default-export -- The way in which bundlers give texts.
  export default text
}
