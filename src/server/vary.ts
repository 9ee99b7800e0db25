import { lruCache } from '../util/lru-cache.js'
import { memoize } from '../util/memoize.js'

/**
 * Adds names of request headers to the header `Vary`. Returns a new list of headers.
 *
 * @param names the same list in every request
 */
export function varyingOn(headers: readonly string[], names: readonly string[]): readonly string[] {
  const varied = headers.slice()
  let position = 0
  while (position < varied.length && varied[position]?.toLowerCase() !== 'vary') position += 2
  if (position >= varied.length) varied.push('Vary', names.join(', '))
  else if (varied[position + 1] !== '*') varied[position + 1] = withNames(names, varied[position + 1] ?? '')
  return varied
}

const namesAdded = memoize((_names: readonly string[]) => lruCache<string, string>(100))

/** Cached, because responses have only a few different values of `Vary`. */
function withNames(names: readonly string[], value: string): string {
  return namesAdded(names).getOrCreate(value, () => {
    const known = value.toLowerCase().split(', ')
    return [value, ...names.filter((name) => !known.includes(name.toLowerCase()))].join(', ')
  })
}
