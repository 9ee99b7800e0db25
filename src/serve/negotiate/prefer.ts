import { fail } from '../../core/errors/json-api-error.js'

/** How much of a written resource the client wants back: the preference `return` of RFC 7240. */
export type ReturnPreference = 'minimal' | 'representation'

/** The preferences of a request. https://www.rfc-editor.org/rfc/rfc7240 */
export interface Preferences {
  readonly returns: ReturnPreference | null
  /** Whether the client wants a dry run: `tx=rollback`. */
  readonly rollsBack: boolean
  /** Whether a preference that is not applied is an error: `handling=strict`. */
  readonly isStrict: boolean
  /** Preferences that no request of this server applies, as they were sent. */
  readonly unknown: readonly string[]
}

/** The preferences of a request without any. */
export const noPreferences: Preferences = Object.freeze({
  returns: null,
  rollsBack: false,
  isStrict: false,
  unknown: Object.freeze([]),
})

/** A name, and a value that may be quoted, without white space around them: two optional runs of it would take quadratic time. */
const preference = /^([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*)))?$/

/** The parts of a list, and those of a preference. A separator in quotes is part of a value. */
const listed = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const parts = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g

/** Returns the preferences in the header `Prefer`. If a name occurs several times, the first one counts. */
export function preferencesOf(sent: string): Preferences {
  const known = new Map<string, string>()
  for (const each of sent.match(listed) ?? []) {
    const [first = '', ...parameters] = each.match(parts) ?? []
    addTo(known, first)
    // Parameters of `handling` are read as preferences: `handling=strict; tx=rollback` means both.
    if (/^\s*handling\s*=/i.test(first)) for (const parameter of parameters) addTo(known, parameter)
  }
  const returns = known.get('return')
  return {
    returns: returns === 'minimal' || returns === 'representation' ? returns : null,
    rollsBack: known.get('tx') === 'rollback',
    isStrict: known.get('handling') === 'strict',
    unknown: [...known]
      .filter((each) => !isKnown(each))
      .map(([name, value]) => (value === '' ? name : `${name}=${value}`)),
  }
}

function addTo(known: Map<string, string>, text: string): void {
  const [, name, quoted, plain] = preference.exec(text.trim()) ?? []
  const key = name?.toLowerCase()
  if (key !== undefined && !known.has(key)) known.set(key, (quoted ?? plain ?? '').toLowerCase())
}

const values: ReadonlyMap<string, readonly string[]> = new Map([
  ['return', ['minimal', 'representation']],
  ['tx', ['rollback', 'commit']],
  ['handling', ['strict', 'lenient']],
])

function isKnown([name, value]: readonly [string, string]): boolean {
  return values.get(name)?.includes(value) === true
}

/**
 * Fails with 400 if a preference is not applied, for a client that insists on all: `isStrict`.
 *
 * @param canRollBack whether `tx=rollback` is applied to this request
 */
export function checkPreferences({ rollsBack, unknown }: Preferences, canRollBack: boolean): void {
  const [first] = rollsBack && !canRollBack ? ['tx=rollback'] : unknown
  if (first !== undefined) fail('PREFERENCE_NOT_SUPPORTED', { preference: first }, { source: { header: 'Prefer' } })
}

/**
 * Returns the headers of the response to a dry run. It has no validators: no resource has the version that it shows.
 */
export function rolledBackHeaders(given: readonly string[]): readonly string[] {
  const headers = given.filter((_, index) => !/^(?:ETag|Last-Modified)$/.test(given[index - (index % 2)] ?? ''))
  const position = headers.findIndex((name, index) => index % 2 === 0 && name === 'Preference-Applied')
  if (position === -1) return [...headers, 'Preference-Applied', 'tx=rollback']
  return headers.map((text, index) => (index === position + 1 ? `${text}, tx=rollback` : text))
}

/** Returns the header that confirms the applied preference. */
export function preferenceApplied(returns: ReturnPreference): readonly string[] {
  return ['Preference-Applied', `return=${returns}`]
}
