import { combinedCacheControl } from '../../core/http/cache-control.js'

/** A header with the spelling of its name; several values for `Set-Cookie` only. */
export type CombinedHeader = readonly [name: string, value: string | string[]]

/**
 * Returns each header of a response once. `Vary` and `Set-Cookie` have the values of both the server and the application, and
 * `Cache-Control` if the response is only `private`; all other headers of the response replace those of the application.
 *
 * @param ofApplication returns the value that the application has set, by the lower-case name
 */
export function combinedHeaders(
  headers: readonly string[],
  ofApplication: (name: string) => string | number | readonly string[] | undefined,
): Iterable<CombinedHeader> {
  const combined = new Map<string, CombinedHeader>()
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    const key = name.toLowerCase()
    if (key === 'cache-control') {
      const given = ofApplication(key)
      combined.set(key, [name, combinedCacheControl(value, given === undefined ? undefined : String(given))])
      continue
    }
    const earlier = combined.get(key)?.[1] ?? (key === 'vary' || key === 'set-cookie' ? ofApplication(key) : undefined)
    const values = earlier === undefined ? [value] : [...[earlier].flat().map(String), value]
    combined.set(key, [name, key === 'set-cookie' ? values : values.join(', ')])
  }
  return combined.values()
}
