/** The codes that begin and end a style: https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
const codes = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

/** Colours a text, or returns it unchanged. */
export type Paint = (style: keyof typeof codes, text: string) => string

/** Returns a function that colours texts if the output has colours. `styleText` of Node depends on the terminal of the process instead. */
export function paintFor({ hasColors = false }: { readonly hasColors?: boolean }): Paint {
  if (!hasColors) return (_style, text) => text
  return (style, text) => `\u001B[${codes[style][0]}m${text}\u001B[${codes[style][1]}m`
}
