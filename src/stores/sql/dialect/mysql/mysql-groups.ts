import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { DatePart } from '../../../../declare/resource/aggregates/compiled-aggregate.js'
import type { GroupSpelling } from '../group-spelling.js'
import { mysqlDay, mysqlReadAs } from './mysql-comparison.js'

type Expression = RawBuilder<unknown>

const parts: Readonly<Record<DatePart, (day: Expression) => Expression>> = Object.freeze({
  year: (day) => sql`date_format(${day}, '%Y')`,
  quarter: (day) => sql`concat(date_format(${day}, '%Y'), '-Q', quarter(${day}))`,
  month: (day) => sql`date_format(${day}, '%Y-%m')`,
  // The weeks of ISO 8601.
  week: (day) => sql`date_format(${day}, '%x-W%v')`,
  day: (day) => sql`date_format(${day}, '%Y-%m-%d')`,
})

/** Returns the spelling of groups of an engine with a collation by code points. */
export function mysqlGroups(codePoints: Expression): GroupSpelling {
  const readAs = mysqlReadAs(codePoints)
  return Object.freeze<GroupSpelling>({
    day(reference, type) {
      switch (type) {
        case 'date':
          return reference
        case 'instant':
        case 'timestamp':
          return mysqlDay(reference)
        case 'epochSeconds':
          return mysqlDay(sql`date_add('1970-01-01 00:00:00', interval floor(${reference}) second)`)
        case 'epochMilliseconds':
          return mysqlDay(sql`date_add('1970-01-01 00:00:00', interval floor(${reference} / 1000) second)`)
        default:
          return mysqlDay(readAs.moment(reference, { type, isUniform: false, fine: false }))
      }
    },
    part: (day, part) => sql`case when year(${day}) between 1 and 9999 then ${parts[part](day)} end`,
    wholeSum: {
      columns: (numbers) => [sql`sum(cast(${numbers} as decimal(65, 0)))`],
      select: (column) => sql`cast(${column} as char)`,
      decode: ([sum]) => (typeof sum === 'string' ? BigInt(sum.replace(/\.0*$/, '')) : null),
    },
    sum: (numbers) => sql`cast(sum(cast(${numbers} as decimal(65, 20))) as double)`,
    average: (numbers) => sql`cast(avg(cast(${numbers} as decimal(65, 20))) as double)`,
  })
}
