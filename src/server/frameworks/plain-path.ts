import type { FrameworkServer } from './framework-server.js'

/** Matches a percent-encoded letter, digit, hyphen, dot or underscore, which needs no encoding. */
const needlesslyEncoded = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])/i

/**
 * Returns a function that checks that the names of types, relations and actions in a path have no unnecessary percent-encoding. Express
 * compares undecoded paths: a handler of the application at `/albums` does not run for `/%61lbums`, although the server
 * would serve albums there. An id may be encoded, unless it starts with a hyphen, as the segment before the name of an action does.
 */
export function plainPaths({ paths }: FrameworkServer): (path: string) => boolean {
  const types = new Set(paths.flatMap(({ kind, path }) => (kind === 'type' ? [path] : [])))
  return (path) => {
    if (!needlesslyEncoded.test(path)) return true
    return path.split('/').every((segment, index, segments) => {
      if (!needlesslyEncoded.test(segment)) return true
      // Rarely computed, because the first segment that is not after a type ends the check.
      return !/^(?:-|%2D)/i.test(segment) && types.has(segments.slice(0, index).join('/'))
    })
  }
}
