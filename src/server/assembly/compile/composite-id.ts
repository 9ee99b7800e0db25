import type { IdCodec } from '../../../declare/resource/fields/id-declaration.js'

/**
 * Returns the default codec of a composite key: the texts of its columns, joined by `-`, as in `10248-11`. Within a
 * text, `-` and `~` are escaped with `~`, so that each key has one wire id and each wire id one key. All of these
 * characters may be in a path without percent-encoding.
 */
export function compositeCodec(count: number, textOf: (key: unknown) => string): IdCodec<readonly unknown[]> {
  return Object.freeze<IdCodec<readonly unknown[]>>({
    encode: (key) => (Array.isArray(key) ? key.map((part) => escaped(textOf(part))).join('-') : ''),
    decode(wireId) {
      const parts = partsOf(wireId)
      return parts?.length === count ? parts : null
    },
  })
}

function escaped(text: string): string {
  return /[-~]/.test(text) ? text.replaceAll(/[-~]/g, '~$&') : text
}

/** Returns the texts of a wire id; `null` if a `~` precedes any other character. */
function partsOf(wireId: string): readonly string[] | null {
  const parts: string[] = []
  let part = ''
  for (let index = 0; index < wireId.length; index++) {
    const character = wireId.charAt(index)
    if (character === '-') {
      parts.push(part)
      part = ''
    } else if (character === '~') {
      const next = wireId.charAt(++index)
      if (next !== '-' && next !== '~') return null
      part += next
    } else part += character
  }
  return [...parts, part]
}
