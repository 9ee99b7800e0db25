/** The time value that represents the instant `infinity` of PostgreSQL, which `Date` does not have. */
export const infiniteTime = 8.64e15

/** The infinite instants and days of PostgreSQL. */
export const infiniteMoments: ReadonlyMap<unknown, Date> = new Map([
  ['Infinity', new Date(infiniteTime)],
  ['infinity', new Date(infiniteTime)],
  ['-Infinity', new Date(-infiniteTime)],
  ['-infinity', new Date(-infiniteTime)],
])

const farDays = /^(\d{4,6})-(\d\d)-(\d\d)( BC)?$/

/**
 * Parses a day of PostgreSQL that is infinite, or outside of the years 1 to 9999. Returns `null` for other days, and
 * for days that do not exist.
 */
export function farDay(stored: unknown): Date | null {
  const infinite = infiniteMoments.get(stored)
  if (infinite !== undefined) return infinite
  const [, year, month, day, era] = (typeof stored === 'string' ? farDays.exec(stored) : null) ?? []
  if (year === undefined || (era === undefined && year.length === 4)) return null
  const date = new Date(0)
  date.setUTCFullYear(era === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : null
}
