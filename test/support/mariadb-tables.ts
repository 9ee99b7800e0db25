import { escape } from 'mysql2'
import type { DerivedColumn, DerivedTable } from './derived-tables.js'
import type { Held } from './held-values.js'
import { jsonOf } from './held-values.js'

export type MysqlEngine = 'mysql' | 'mariadb'

/** The collations by code points. */
const collations: Readonly<Record<MysqlEngine, string>> = { mysql: 'utf8mb4_0900_bin', mariadb: 'utf8mb4_nopad_bin' }

const types: Readonly<Record<Exclude<Held, 'text'>, string>> = {
  integer: 'bigint',
  number: 'double',
  exact: 'decimal(65, 20)',
  boolean: 'tinyint(1)',
  instant: 'datetime(6)',
  date: 'date',
  time: 'time(6)',
  json: 'json',
}

/** An index takes 3072 bytes. */
const indexedCharacters = 760

/** The statements that create the tables, without rows. */
export function mariadbTables(schema: string, tables: readonly DerivedTable[], engine: MysqlEngine): string {
  const text = (length: number | null): string =>
    `${length === null ? 'longtext' : `varchar(${length})`} character set utf8mb4 collate ${collations[engine]}`
  return tables
    .flatMap((table) => {
      const keys = new Set([table.key, ...table.compositeKey])
      const length = Math.floor(indexedCharacters / Math.max(1, table.compositeKey.length))
      const indexed = new Map(
        table.unique.flatMap(({ columns }) =>
          columns.map((name) => [name, Math.floor(indexedCharacters / columns.length)] as const),
        ),
      )
      const typeOf = ({ name, held }: DerivedColumn): string =>
        held === 'text' ? text(keys.has(name) ? length : (indexed.get(name) ?? null)) : types[held]
      const columns = table.columns.map((column) => {
        const declared = `${quoted(column.name)} ${typeOf(column)}`
        if (column.name === table.key) return `${declared} primary key${given[table.given]}`
        return table.compositeKey.includes(column.name) ? `${declared} not null` : `${declared} null`
      })
      const composite = table.compositeKey.length === 0 ? [] : [`primary key (${listed(table.compositeKey)})`]
      const unique = table.unique.flatMap(({ columns: names, except }, index) => {
        if (table.key === null || except.length === 0) return [`unique (${listed(names)})`]
        // There are no indexes over some rows: nulls are never equal.
        const covered = coverColumn(index)
        return [`${covered} int default 1 invisible`, `unique (${listed(names)}, ${covered})`]
      })
      return [`create table ${qualified(schema, table)} (${[...columns, ...composite, ...unique].join(', ')})`]
    })
    .join(';\n')
}

const given = { counted: ' auto_increment', random: ' default (uuid())', not: '' }

/** Removes the rows of tables, and inserts the first ones. */
export function mariadbContents(schema: string, tables: readonly DerivedTable[]): string {
  return tables
    .flatMap((table) => [
      `delete from ${qualified(schema, table)}`,
      ...insertion(schema, table),
      ...(table.given === 'counted'
        ? [`alter table ${qualified(schema, table)} auto_increment = ${nextKey(table)}`]
        : []),
    ])
    .join(';\n')
}

function insertion(schema: string, table: DerivedTable): readonly string[] {
  const { columns, rows, key, unique } = table
  if (rows.length === 0) return []
  const covers = unique.flatMap(({ except }, index) => (key === null || except.length === 0 ? [] : [{ except, index }]))
  const values = rows.map((row) => {
    const covered = covers.map(({ except }) => (except.includes(row[key ?? '']) ? 'null' : '1'))
    return `(${[...columns.map(({ name, held }) => literal(row[name], held)), ...covered].join(', ')})`
  })
  const names = [...columns.map(({ name }) => quoted(name)), ...covers.map(({ index }) => coverColumn(index))]
  const insert = `insert into ${qualified(schema, table)} (${names.join(', ')}) values`
  // A key of 0 would be replaced by the next one.
  return [`set @@sql_mode = concat(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')`, `${insert} ${values.join(', ')}`]
}

/** The column that is null in the rows that a unique index does not cover. */
function coverColumn(index: number): string {
  return quoted(`covered ${index}`)
}

function nextKey({ key, rows }: DerivedTable): number {
  const keys = rows.map((row) => Number(key === null ? 0 : row[key])).filter(Number.isSafeInteger)
  return Math.max(0, ...keys) + 1
}

function literal(value: unknown, held: Held): string {
  const json = jsonOf(value, held)
  if (json === 'null') return 'null'
  switch (held) {
    case 'integer':
    case 'number':
    case 'exact':
    case 'boolean':
      return json
    case 'json':
      return escape(json)
    case 'instant':
      return escape(new Date(value as string | Date).toISOString().slice(0, -1).replace('T', ' '))
    case 'text':
    case 'date':
    case 'time':
      return escape(JSON.parse(json))
  }
}

function listed(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

function qualified(schema: string, { name }: DerivedTable): string {
  return `${quoted(schema)}.${quoted(name)}`
}

export function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
