import { sql } from 'kysely'
import { isNumberText } from '../../query/statement-build.js'
import type { ColumnType } from '../../schema/column-type.js'
import type { ListSpelling } from '../spelling.js'

export const postgresLists: ListSpelling = Object.freeze<ListSpelling>({
  value: (values) => values,
  contains: (list, type, value) => sql<boolean>`${value} = any(${list}::${sql.raw(type)}[])`,
  rows: (list) => ({
    from: sql`jsonb_array_elements(${list}::jsonb) as ${sql.id('listed')}(${sql.id('value')})`,
    item: sql.id('listed', 'value'),
  }),
  item: (list, index, type) => sql`(${list}->>${sql.lit(index)})::${sql.raw(type)}`,
  members(list, alias) {
    const json = sql`to_jsonb(${list})`
    return sql`jsonb_array_elements(case when jsonb_typeof(${json}) = 'array' then ${json} else jsonb_build_array(${json}) end) as ${sql.id(alias)}(value)`
  },
  memberText: (alias) => sql`${sql.id(alias, 'value')} #>> '{}'`,
  memberNumber(alias) {
    const member = sql.id(alias, 'value')
    return sql`case when jsonb_typeof(${member}) = 'number' then (${member} #>> '{}')::float8 end`
  },
  number: (text) => text,
  /** Uses the overlap operator of arrays, for which an index can be used. */
  overlaps({ items, isRounded, values }, shape) {
    const exact = comparedItems(items)
    const type = exact === 'numeric' && isRounded ? 'float8' : exact
    const numbers = values.filter(isNumberText).map((text) => (type === 'float4' ? Math.fround(Number(text)) : text))
    const slot = shape.bind(type === 'text' ? values : numbers)
    shape.addKeyPart(`overlap ${items ?? 'text'} ${type}`)
    // A cast to text differs from the text that is shown for some types: it adds the mask to an `inet`.
    return items === 'other'
      ? (reference) =>
          sql`exists (select from unnest(${reference}) as item(value) where format('%s', item.value) = any(${slot}::text[]))`
      : (reference) => sql`${reference}::${sql.raw(type)}[] && ${slot}::${sql.raw(type)}[]`
  },
})

/** The type that the items of an array are compared as. */
function comparedItems(items: ColumnType | null): 'text' | 'numeric' | 'float8' | 'float4' {
  switch (items) {
    case 'integer':
    case 'bigint':
    case 'decimal':
      return 'numeric'
    case 'number':
      return 'float8'
    case 'real':
      return 'float4'
    default:
      return 'text'
  }
}
