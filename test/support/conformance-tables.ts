import { idempotencyTable, type SqlDataOptions, table } from 'ashlar/sql'
import { type ConformanceModel, conformanceModels, type ConformanceSeeds } from 'ashlar/testing'
import type { ConformanceValue } from '../../src/tools/testing/store-conformance/catalogue-models.js'

type Engine = 'sqlite' | 'postgres' | 'mysql' | 'mariadb'

/** The types of columns as a user would choose them. */
const types: Readonly<Record<Engine, Readonly<Record<ConformanceValue, string>>>> = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    number: 'real',
    boolean: 'boolean',
    instant: 'text',
    date: 'text',
    list: 'text',
  },
  postgres: {
    text: 'text',
    integer: 'integer',
    number: 'double precision',
    boolean: 'boolean',
    instant: 'timestamptz',
    date: 'date',
    list: 'text[]',
  },
  mysql: mysqlTypes('utf8mb4_0900_bin'),
  mariadb: mysqlTypes('utf8mb4_nopad_bin'),
}

function mysqlTypes(collation: string): Readonly<Record<ConformanceValue, string>> {
  return {
    text: `varchar(255) character set utf8mb4 collate ${collation}`,
    integer: 'int',
    number: 'double',
    boolean: 'tinyint(1)',
    instant: 'datetime(6)',
    date: 'date',
    list: 'json',
  }
}

/** Quotes a name. */
function quoted(engine: Engine, name: string): string {
  return isMysql(engine) ? `\`${name}\`` : `"${name}"`
}

function isMysql(engine: Engine): boolean {
  return engine === 'mysql' || engine === 'mariadb'
}

/** The statements that make the tables of the conformance suite. */
export function conformanceTables(engine: Engine): readonly string[] {
  return [...idempotencyTable(engine), ...modelTables(engine)]
}

function modelTables(engine: Engine): readonly string[] {
  return conformanceModels.map(({ name, key, givesKeys, columns, unique, checks }) => {
    const parts = columns.map((column) => {
      if (column.name === key && givesKeys)
        return `${quoted(engine, key)} ${isMysql(engine) ? 'int auto_increment primary key' : 'serial'}`
      const constraint = column.name === key ? ' primary key' : column.nullable ? '' : ' not null'
      const target = column.references === null ? '' : ` references ${referenced(engine, column.references)}`
      return `${quoted(engine, column.name)} ${types[engine][column.holds]}${constraint}${target}`
    })
    const sets = unique.map((set) => `unique (${set.map((column) => quoted(engine, column)).join(', ')})`)
    const rules = checks.map(
      (rule) => `constraint ${rule.name} check (${quoted(engine, rule.column)} >= ${rule.least})`,
    )
    return `create table ${name} (${[...parts, ...sets, ...rules].join(', ')})`
  })
}

/** MySQL wants the name of the column too. */
function referenced(engine: Engine, to: string): string {
  const key = conformanceModels.find(({ name }) => name === to)?.key ?? 'id'
  return isMysql(engine) && !to.includes('(') ? `${to} (${key})` : to
}

/** The statements that give the tables these rows, and no others. */
export function conformanceRows(engine: Engine, seeds: ConformanceSeeds): readonly string[] {
  return [
    'delete from ashlar_idempotency',
    ...conformanceModels.toReversed().map(({ name }) => `delete from ${name}`),
    ...conformanceModels.map((model) => insertion(engine, model, seeds[model.name] ?? [])),
    ...(engine !== 'postgres' ? [] : conformanceModels.filter(({ givesKeys }) => givesKeys).map(nextKey)),
  ]
}

function insertion(engine: Engine, { name, columns }: ConformanceModel, rows: ConformanceSeeds[string]): string {
  const names = columns.map((column) => quoted(engine, column.name)).join(', ')
  const literals = rows.map((row) => `(${columns.map((column) => literal(engine, row[column.name])).join(', ')})`)
  return `insert into ${name} (${names}) values ${literals.join(', ')}`
}

function literal(engine: Engine, value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) {
    const iso = value.toISOString()
    return isMysql(engine) ? `'${iso.slice(0, -1).replace('T', ' ')}'` : `'${iso}'`
  }
  if (typeof value === 'string') {
    const escaped = value.replaceAll("'", "''")
    return `'${isMysql(engine) ? escaped.replaceAll('\\', '\\\\') : escaped}'`
  }
  const json = JSON.stringify(value)
  return engine !== 'postgres' ? `'${json}'` : `'${json.replace(/^\[(.*)\]$/, '{$1}')}'`
}

/** Past the keys of the rows. */
function nextKey({ name, key }: ConformanceModel): string {
  return `select setval(pg_get_serial_sequence('${name}', '${key}'), (select max("${key}") from ${name}))`
}

export const conformanceOptions: Pick<SqlDataOptions, 'tables'> = {
  tables: conformanceModels.map(({ name, key }) => table<Record<string, unknown>>(name, key === null ? {} : { key })),
}
