const SECOND = 1000
const DAY = 86_400 * SECOND

/**
 * The days from the first of March of the year 0 to the epoch. From that day on, the calendar repeats every 400 years.
 */
const DAYS_TO_EPOCH = 719_468
const DAYS_OF_ERA = 146_097

/** The range of the years 1000 to 9999, which are written with four digits. */
const [FIRST, END] = [Date.UTC(1000, 0), Date.UTC(10_000, 0)]

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

/**
 * Formats a valid date like `Date.prototype.toISOString()`, optionally with another time zone suffix or without zero
 * milliseconds. Fast path of `toISOString()` for the years from 1000 to 9999, in a third of its time. Without it, a list
 * of 50 takes 10 % more CPU time (W2 with plain texts). Days are counted in eras of 400 years that begin in March, so that leap days come last:
 * http://howardhinnant.github.io/date_algorithms.html#civil_from_days
 *
 * @param zone the suffix after the time
 * @param isShort whether to leave out milliseconds that are zero
 */
export function isoText(moment: Date, zone = 'Z', isShort = false): string {
  const time = moment.getTime()
  if (!(time >= FIRST && time < END)) {
    const iso = moment.toISOString()
    return `${iso.slice(0, isShort && iso.endsWith('.000Z') ? -5 : -1)}${zone}`
  }
  const days = Math.floor(time / DAY)
  const rest = time - days * DAY
  const seconds = Math.floor(rest / SECOND)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const clock = `T${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${twoDigits[seconds - minutes * 60]}`
  const fraction = rest - seconds * SECOND
  if (isShort && fraction === 0) return dayText(days + DAYS_TO_EPOCH) + clock + zone
  const tail = fraction < 10 ? `.00${fraction}` : fraction < 100 ? `.0${fraction}` : `.${fraction}`
  return dayText(days + DAYS_TO_EPOCH) + clock + tail + zone
}

/** @param days the days since the first of March of the year 0 */
function dayText(days: number): string {
  const era = Math.floor(days / DAYS_OF_ERA)
  const dayOfEra = days - era * DAYS_OF_ERA
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${year}-${twoDigits[month]}-${twoDigits[day]}`
}
