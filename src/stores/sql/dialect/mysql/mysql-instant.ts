/** Matches instants as the server returns them: `2026-01-31 12:00:00.123456`. */
const stored = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/

/** Parses an instant, with the digits that a `Date` has. Returns other texts unchanged, such as the day zero. */
export function instantOf(value: unknown): unknown {
  const parts = typeof value === 'string' ? stored.exec(value) : null
  if (parts === null) return value
  const [, day, time, fraction = ''] = parts
  const instant = new Date(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  return Number.isNaN(instant.getTime()) ? value : instant
}

/** Parses an instant for a cursor: as ISO text if it has more digits than a `Date`. */
export function instantPosition(value: unknown): unknown {
  const parts = typeof value === 'string' ? stored.exec(value) : null
  if (parts === null) return null
  const [, day, time, fraction = ''] = parts
  const rest = fraction.padEnd(6, '0').slice(3)
  return rest === '000' ? instantOf(value) : `${day}T${time}.${fraction.padEnd(6, '0')}Z`
}

const iso = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?$/

/** Writes an ISO text as the server reads it. Returns other values unchanged. */
export function mysqlInstant(value: unknown): unknown {
  const parts = typeof value === 'string' ? iso.exec(value) : null
  return parts === null ? value : `${parts[1]} ${parts[2]}`
}
