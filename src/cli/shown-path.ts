import { relative, sep } from 'node:path'

/** Returns a path as messages show it: relative to the working directory, with slashes. */
export function shownPath(path: string): string {
  return relative('', path).replaceAll(sep, '/') || '.'
}
