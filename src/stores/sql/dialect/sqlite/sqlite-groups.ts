import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { GroupSpelling } from '../group-spelling.js'
import { sqliteDay } from './sqlite-comparison.js'

const half = 2n ** 32n
const mask = sql.lit(Number(half - 1n))

type Expression = RawBuilder<unknown>

/** A sum of eight-byte integers may have more digits than they can: the upper and the lower half of the numbers are added separately. */
function halves(numbers: Expression): readonly [upper: Expression, lower: Expression] {
  return [sql`(sum(${numbers} >> 32) + (sum(${numbers} & ${mask}) >> 32))`, sql`(sum(${numbers} & ${mask}) & ${mask})`]
}

/** Rounds a double to 15 digits, so that the order of equal sums does not depend on the order in which numbers were added. */
function rounded(double: Expression): Expression {
  return sql`case when ${double} is not null then cast(printf('%.15g', ${double}) as real) end`
}

export const sqliteGroups: GroupSpelling = Object.freeze<GroupSpelling>({
  day(reference, type) {
    switch (type) {
      case 'epochSeconds':
        return sql`date(${reference}, 'unixepoch')`
      case 'epochMilliseconds':
        return sql`date(${reference} / 1000.0, 'unixepoch')`
      default:
        return sqliteDay(reference)
    }
  },
  part(day, part) {
    // SQLite spells the years before 1 and after 9999 with a sign or more digits.
    const known = (text: Expression): Expression =>
      sql`case when ${day} between '0001-01-01' and '9999-12-31' then ${text} end`
    switch (part) {
      case 'year':
        return known(sql`substr(${day}, 1, 4)`)
      case 'quarter':
        return known(sql`substr(${day}, 1, 4) || '-Q' || ((cast(substr(${day}, 6, 2) as integer) + 2) / 3)`)
      case 'month':
        return known(sql`substr(${day}, 1, 7)`)
      case 'week': {
        // A week belongs to the year of its Thursday. The functions know days until 9999-12-31, which is a Friday.
        const thursday = sql`date(${day}, '-3 days', 'weekday 4')`
        const week = sql`(cast(strftime('%j', ${thursday}) as integer) - 1) / 7 + 1`
        const last = sql`case when ${day} >= '9999-12-30' then '9999-W52'`
        return known(sql`${last} else substr(${thursday}, 1, 4) || '-W' || substr('0' || (${week}), -2) end`)
      }
      case 'day':
        return known(day)
    }
  },
  wholeSum: {
    columns: halves,
    select: (column) => sql`cast(${column} as text)`,
    decode: ([upper, lower]) =>
      typeof upper === 'string' && typeof lower === 'string' ? BigInt(upper) * half + BigInt(lower) : null,
  },
  sum: (numbers) => rounded(sql`sum(cast(${numbers} as real))`),
  average(numbers, isWhole) {
    if (!isWhole) return rounded(sql`avg(cast(${numbers} as real))`)
    const [upper, lower] = halves(numbers)
    return rounded(sql`((${upper} * ${sql.lit(Number(half))}.0 + ${lower}) / count(${numbers}))`)
  },
})
