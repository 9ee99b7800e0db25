import type { FrameworkServer } from './framework-server.js'

/** Matches a percent-encoded letter, digit, hyphen, dot or underscore, which needs no encoding. */
const needlesslyEncoded = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])/i

/**
 * Returns a function that tells whether a path names types, relations and actions without percent-encoding that is not needed. Express
 * compares paths as they were sent: a handler of the application at `/albums` is not in front of `/%61lbums`, although the server
 * would find albums there. An id may have any spelling, unless it begins with a hyphen, as the segment before the name of an action does.
 */
export function plainPaths({ paths }: FrameworkServer): (path: string) => boolean {
  const types = new Set(paths.flatMap(({ kind, path }) => (kind === 'type' ? [path] : [])))
  return (path) => {
    if (!needlesslyEncoded.test(path)) return true
    return path.split('/').every((segment, index, segments) => {
      const isAfterType = types.has(segments.slice(0, index).join('/'))
      return !needlesslyEncoded.test(segment) || (isAfterType && !/^(?:-|%2D)/i.test(segment))
    })
  }
}
