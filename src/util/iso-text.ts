const SECOND = 1000
const DAY = 86_400 * SECOND

/** From the first of March of the year 0, with which the calendar repeats itself every 400 years, to the epoch. */
const DAYS_TO_EPOCH = 719_468
const DAYS_OF_ERA = 146_097

/** Years that are written with four digits. */
const [FIRST, END] = [Date.UTC(1000, 0), Date.UTC(10_000, 0)]

const two: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

/**
 * What `Date.prototype.toISOString()` answers, for a moment that is one, with other ends where they are given. Lists show many
 * moments, and for the years from 1000 to 9999 a little arithmetic takes a fraction of the time. Days are counted in eras of
 * 400 years that begin in March, so that leap days come last:
 * http://howardhinnant.github.io/date_algorithms.html#civil_from_days
 *
 * @param zone what follows the time
 * @param isShort whether milliseconds are left out where there are none
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
  const clock = `T${two[hours]}:${two[minutes - hours * 60]}:${two[seconds - minutes * 60]}`
  const fraction = rest - seconds * SECOND
  if (isShort && fraction === 0) return dayText(days + DAYS_TO_EPOCH) + clock + zone
  const tail = fraction < 10 ? `.00${fraction}` : fraction < 100 ? `.0${fraction}` : `.${fraction}`
  return dayText(days + DAYS_TO_EPOCH) + clock + tail + zone
}

/** @param days since the first of March of the year 0 */
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
  return `${year}-${two[month]}-${two[day]}`
}
