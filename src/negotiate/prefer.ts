import type { HttpRequest } from '../http/request.js'

/** How much of a written resource the client wants back: the preference `return` of RFC 7240. */
export type ReturnPreference = 'minimal' | 'representation'

// A preference with an optional value, which may be quoted; its parameters follow after semicolons.
const preference = /^\s*return\s*=\s*(?:"([^"]*)"|([^\s;]*))\s*(?:;|$)/i

/**
 * Returns the preference `return` of a request; `null` if there is none. The first one counts. An unknown value is ignored.
 *
 * https://www.rfc-editor.org/rfc/rfc7240
 */
export function returnPreference(request: Pick<HttpRequest, 'header'>): ReturnPreference | null {
  const sent = request.header('prefer')
  if (sent === undefined) return null
  for (const each of sent.split(',')) {
    const found = preference.exec(each)
    const value = (found?.[1] ?? found?.[2])?.toLowerCase()
    if (value !== undefined) return value === 'minimal' || value === 'representation' ? value : null
  }
  return null
}

/** Returns the header that says that a preference was applied. */
export function preferenceApplied(returns: ReturnPreference): readonly string[] {
  return ['Preference-Applied', `return=${returns}`]
}
