/** The list of notations, to check options at run time. */
export const instantNotations = ['YYYY-MM-DDTHH:MM:SS.SSSZ', 'YYYY-MM-DD HH:MM:SS'] as const

/**
 * How the store writes instants to the text columns of SQLite: in the form of `Date.toISOString()`, or in the form of
 * SQLite's own date functions. The latter has a fraction only if there are milliseconds.
 */
export type InstantNotation = (typeof instantNotations)[number]

export const defaultNotation: InstantNotation = 'YYYY-MM-DDTHH:MM:SS.SSSZ'

/** Converts the text of `Date.toISOString()` to a notation. */
export function inNotation(iso: string, notation: InstantNotation): string {
  return notation === defaultNotation ? iso : iso.replace('T', ' ').replace(/(?:\.000)?Z$/, '')
}
