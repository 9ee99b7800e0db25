import { styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Colours a text, or returns it as it is. */
export type Paint = (style: Style, text: string) => string

/** Returns a function that colours texts if the output has colours. */
export function paintFor({ hasColors = false }: { readonly hasColors?: boolean }): Paint {
  return hasColors ? (style, text) => styleText(style, text) : (_style, text) => text
}
