import { relative, sep } from 'node:path'

/** Returns a path as messages show it: relative to the working directory, with slashes. */
export function shownPath(path: string): string {
  return relative('', path).replaceAll(sep, '/') || '.'
}

/** Returns a path as a shell takes it. */
export function quotedPath(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
