import { sql } from 'kysely'
import { jsonList } from '../../query/row-operand.js'
import type { ListSpelling } from '../spelling.js'

/** Lists are JSON texts. */
export const sqliteLists: ListSpelling = Object.freeze<ListSpelling>({
  value: jsonList,
  contains: (list, _type, value) => sql<boolean>`${value} in (select value from json_each(${list}))`,
  rows: (list) => ({ from: sql`json_each(${list})`, item: sql.id('value') }),
  item: (list, index) => sql`json_extract(${list}, ${sql.lit(`$[${index}]`)})`,
  members: (list, alias) =>
    sql`json_each(case when typeof(${list}) = 'blob' then '[]' when json_valid(${list}) and json_type(${list}) = 'array' then ${list} else json_array(${list}) end) as ${sql.id(alias)}`,
  /** JSON has booleans, which the value shows as 0 and 1. */
  memberText(alias) {
    const type = sql.id(alias, 'type')
    return sql`case when ${type} in ('true', 'false') then ${type} else cast(${sql.id(alias, 'value')} as text) end`
  },
  memberNumber: (alias) =>
    sql`case when ${sql.id(alias, 'type')} in ('integer', 'real') then cast(${sql.id(alias, 'value')} as real) end`,
  number: Number,
  overlaps: null,
})
