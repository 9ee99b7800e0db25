import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { jsonList } from '../../query/statement-build.js'
import type { ListSpelling } from '../spelling.js'

type Expression = RawBuilder<unknown>

/** The types of the members of lists, by the name of their type in statements. */
export function memberType(type: string, codePoints: Expression): Expression {
  switch (type) {
    case 'int8':
      return sql`bigint`
    case 'float8':
      return sql`double`
    case 'float4':
      return sql`float`
    case 'numeric':
      return sql`decimal(65, 30)`
    case 'date':
      return sql`date`
    case 'time':
      return sql`time(6)`
    case 'timestamp':
    case 'timestamptz':
      return sql`datetime(6)`
    case 'bool':
      return sql`tinyint`
    default:
      return sql`longtext character set utf8mb4 collate ${codePoints}`
  }
}

/** Casts a value to a type of statements. */
export function castTo(value: Expression, type: string | null): Expression {
  switch (type) {
    case 'int8':
    case 'bool':
      return sql`cast(${value} as signed)`
    case 'float8':
      return sql`cast(${value} as double)`
    case 'float4':
      return sql`cast(${value} as float)`
    case 'numeric':
      return sql`cast(${value} as decimal(65, 30))`
    case 'date':
      return sql`cast(${value} as date)`
    case 'time':
      return sql`cast(${value} as time(6))`
    case 'timestamp':
    case 'timestamptz':
      return sql`cast(${value} as datetime(6))`
    default:
      return value
  }
}

/** Lists are JSON texts, whose members a table function returns as rows: an index of the compared column can be used. */
export function mysqlLists(codePoints: Expression): ListSpelling {
  const text = memberType('text', codePoints)
  return Object.freeze<ListSpelling>({
    value: jsonList,
    contains: (list, type, value) =>
      sql<boolean>`${value} in (select ${sql.id('listed', 'value')} from ${membersOf(list, memberType(type, codePoints))})`,
    rows: (list) => ({ from: membersOf(list, sql`json`), item: sql.id('listed', 'value') }),
    item(list, index, type) {
      const item = sql`json_unquote(json_extract(${list}, ${sql.lit(`$[${index}]`)}))`
      return type === 'text' || type === 'uuid' || type === 'null'
        ? sql`convert(${item} using utf8mb4) collate ${codePoints}`
        : castTo(item, type)
    },
    members(list, alias) {
      const json = sql`case when json_valid(${list}) then case when json_type(${list}) = 'ARRAY' then ${list} else concat('[', ${list}, ']') end else json_array(${list}) end`
      return sql`json_table(${json}, '$[*]' columns (${sql.id('value')} ${text} path '$', ${sql.id('item')} json path '$')) as ${sql.id(alias)}`
    },
    memberText(alias) {
      const item = sql`convert(${sql.id(alias, 'item')} using utf8mb4) collate ${codePoints}`
      return sql`coalesce(${sql.id(alias, 'value')}, nullif(${item}, 'null'))`
    },
    memberNumber: (alias) =>
      sql`case when json_type(${sql.id(alias, 'item')}) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(${sql.id(alias, 'value')} as double) end`,
    number: Number,
    overlaps: null,
  })
}

/** Returns the members of a list as the column `value` of `listed`. */
export function membersOf(list: unknown, type: Expression): Expression {
  return sql`json_table(${list}, '$[*]' columns (${sql.id('value')} ${type} path '$')) as ${sql.id('listed')}`
}
