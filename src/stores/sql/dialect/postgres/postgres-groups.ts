import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { DatePart } from '../../../../declare/resource/aggregates/compiled-aggregate.js'
import type { GroupSpelling } from '../group-spelling.js'
import { postgresDay, postgresReadAs } from './postgres-comparison.js'

const formats: Readonly<Record<DatePart, RawBuilder<unknown>>> = Object.freeze({
  year: sql.lit('YYYY'),
  quarter: sql.lit('YYYY-"Q"Q'),
  month: sql.lit('YYYY-MM'),
  week: sql.lit('IYYY-"W"IW'),
  day: sql.lit('YYYY-MM-DD'),
})

export const postgresGroups: GroupSpelling = Object.freeze<GroupSpelling>({
  day(reference, type) {
    switch (type) {
      case 'date':
        return reference
      case 'instant':
      case 'timestamp':
        return postgresDay(reference, type)
      case 'epochSeconds':
        return postgresDay(sql`to_timestamp(${reference})`, 'instant')
      case 'epochMilliseconds':
        return postgresDay(sql`to_timestamp(${reference} / 1000.0)`, 'instant')
      default:
        return postgresDay(postgresReadAs.moment(reference, { type, isUniform: false, fine: false }), 'instant')
    }
  },
  part: (day, part) =>
    sql`case when ${day} between date '0001-01-01' and date '9999-12-31' then to_char(${day}, ${formats[part]}) end`,
  wholeSum: {
    columns: (numbers) => [sql`sum(${numbers})`],
    select: (column) => sql`${column}::text`,
    decode: ([sum]) => (typeof sum === 'string' ? BigInt(sum.replace(/\.0*$/, '')) : null),
  },
  sum: (numbers) => sql`sum(${numbers}::numeric)::float8`,
  average: (numbers) => sql`avg(${numbers}::numeric)::float8`,
})
