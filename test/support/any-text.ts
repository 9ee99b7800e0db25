import * as fc from 'fast-check'

/** The code points that are no surrogates, in their order. */
const [firstSurrogate, surrogates, codePoints] = [0xd800, 0x800, 0x110000]

/**
 * The unit `binary` of fast-check, with the same values. That one makes a map of all million characters in each worker, to find out that it
 * has those of some words.
 */
const character = fc.nat(codePoints - surrogates - 1).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1
    if (point < 0 || String.fromCodePoint(point) !== text || isSurrogate(point)) throw new Error('not a character')
    return point < firstSurrogate ? point : point - surrogates
  },
)

function isSurrogate(point: number): boolean {
  return point >= firstSurrogate && point < firstSurrogate + surrogates
}

/** Any well-formed text. */
export function anyText(
  lengths: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: character })
}
