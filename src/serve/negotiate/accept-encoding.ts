/** The result of negotiating the content coding of a response. */
export interface NegotiatedCoding<Coding extends string> {
  /** The coding that the client prefers; `null` for a response that is not encoded. */
  readonly coding: Coding | null
  /** Whether the client refuses a response that is not encoded. */
  readonly refusesIdentity: boolean
}

const none = Object.freeze({ coding: null, refusesIdentity: false })

/**
 * Chooses the coding with the highest weight in `Accept-Encoding`; of several with the same weight, the first one that the server offers. A
 * client that accepts none of them, or sends no header, gets a response that is not encoded. If it refuses that too, the header is ignored,
 * as the RFC allows.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
 */
export function negotiateCoding<Coding extends string>(
  header: string | undefined,
  offered: readonly Coding[],
): NegotiatedCoding<Coding> {
  if (header === undefined) return none
  const weights = weightsIn(header)
  const others = weights.get('*')
  const identity = weights.get('identity')
  let [coding, highest]: [Coding | null, number] = [null, 0]
  for (const each of offered) {
    const weight = weights.get(each) ?? others ?? 0
    if (weight > highest) [coding, highest] = [each, weight]
  }
  if (coding === null || (identity !== undefined && identity > highest)) return none
  return { coding, refusesIdentity: (identity ?? others) === 0 }
}

const element = /^[\t ]*([\w!#$%&'*+.^`|~-]+)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/i

/** Reads the weights by the names of the codings. Malformed elements are ignored. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [, name, weight = '1'] = element.exec(part) ?? []
    if (name === undefined) continue
    const coding = name.toLowerCase()
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight))
  }
  return weights
}
