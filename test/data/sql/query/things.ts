import type { Provider } from '../../../../src/declare/resource/capabilities/provider.js'
import { memoryProvider } from '../../../../src/stores/memory/memory-provider.js'
import { memoryStore } from '../../../../src/stores/memory/memory-store.js'
import type { DataSource } from '../../../../src/stores/common/data-source.js'
import { genericData } from '../dialect/generic-dialect.js'
import type { SqlDataOptions } from '../../../../src/stores/sql/sql-data-options.js'
import { sqlData } from '../../../../src/stores/sql/sql-data.js'
import { table } from '../../../../src/stores/sql/schema/table.js'
import type { CompiledType } from '../../../../src/declare/resource/compiled/compiled-type.js'
import { compileType } from '../../../../src/server/assembly/compile/compile-type.js'
import { defineResource } from '../../../../src/declare/resource/define/define-resource.js'
import { id } from '../../../../src/declare/resource/fields/id-declaration.js'
import type { RawDeclaration } from '../../../../src/declare/resource/define/raw-declaration.js'
import type { RelationLink, RelationStorage } from '../../../../src/declare/resource/compiled/relation-link.js'
import {
  belongsTo,
  belongsToMany,
  hasMany,
  hasOne,
  morphTo,
  morphToMany,
} from '../../../../src/declare/resource/relations/relation-kit.js'
import { newFile, openPool, takeSchema } from '../../../support/open-databases.js'

/** Rows with a column of every kind, and relations of every kind between them. */

export interface ThingRow {
  readonly id: number
  readonly label: string | null
  readonly size: number | null
  readonly weight: number | null
  readonly loud: boolean | null
  readonly at: Date | null
  readonly day: string | null
  readonly hour: string | null
  readonly tags: readonly string[] | null
  readonly rank: number
  readonly ownerId: number | null
}

const compiled = (declaration: unknown): CompiledType => compileType(declaration as RawDeclaration)

export const things: CompiledType = compiled(
  defineResource('things', {
    model: table<ThingRow>('things'),
    id: id(),
    attributes: (a) => ({
      label: a.string().nullable(),
      size: a.integer().nullable(),
      weight: a.decimal().nullable(),
      loud: a.boolean().nullable(),
      at: a.dateTime().nullable(),
      day: a.date().nullable(),
      hour: a.time().nullable(),
      tags: a.arrayList().nullable(),
      rank: a.integer(),
    }),
    relations: {
      owner: belongsTo('owners'),
      friends: belongsToMany('things')
        .through('friends', { owner: 'one', member: 'other' })
        .fields((a) => ({ since: a.integer() })),
    },
  }),
)

const owners: CompiledType = compiled(
  defineResource('owners', {
    model: table<{ id: number; name: string; subjectId: number | null; subjectType: string | null }>('owners'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: {
      things: hasMany('things').via('ownerId'),
      favourite: hasOne('things').via('ownerId'),
      subject: morphTo(['things', 'owners']),
      items: morphToMany(['owners', 'things']).through('items', { owner: 'list', member: 'item', memberType: 'kind' }),
    },
  }),
)

function link(
  owner: CompiledType,
  name: string,
  targets: readonly CompiledType[],
  storage: RelationStorage,
): RelationLink {
  const relation = owner.relationNamed.get(name)
  if (relation === undefined) throw new Error(`There is no relation '${name}'.`)
  return { name, spec: relation.spec, owner, targets, storage }
}

const plain = (key: string) => ({ id: key, type: null })

export const links: Readonly<Record<string, RelationLink>> = {
  owner: link(things, 'owner', [owners], { kind: 'ownKey', key: plain('ownerId') }),
  things: link(owners, 'things', [things], { kind: 'relatedKey', key: plain('ownerId') }),
  favourite: link(owners, 'favourite', [things], { kind: 'relatedKey', key: plain('ownerId') }),
  friends: link(things, 'friends', [things], {
    kind: 'join',
    model: 'friends',
    owner: plain('one'),
    member: plain('other'),
  }),
  subject: link(owners, 'subject', [things, owners], {
    kind: 'ownKey',
    key: { id: 'subjectId', type: 'subjectType' },
  }),
  items: link(owners, 'items', [owners, things], {
    kind: 'join',
    model: 'items',
    owner: plain('list'),
    member: { id: 'item', type: 'kind' },
  }),
}

/** The same rows in memory and in a database. */
export interface Twin {
  readonly memory: Required<Provider>
  readonly sql: Required<Provider>
  /** The same database through a store that caches no statement. */
  readonly forgetful: Required<Provider>
  /** The texts that the two have sent since the last call. */
  readonly sent: () => { readonly cached: readonly string[]; readonly uncached: readonly string[] }
  readonly rows: Readonly<Record<string, readonly object[]>>
}

type Rows = Readonly<Record<string, readonly object[]>>

/** The engines, and SQLite with the generic dialect of the tests. */
export const twinEngines = ['sqlite', 'postgres', 'generic'] as const

export async function twins(
  engine: (typeof twinEngines)[number],
  worlds: readonly (readonly ThingRow[])[],
): Promise<readonly Twin[]> {
  const made: Twin[] = []
  for (const drawn of worlds) {
    const rows = peopled(drawn)
    const database =
      engine === 'postgres' ? await postgresTwin(rows) : sqliteTwin(rows, engine === 'generic' ? genericData : sqlData)
    const [cached, uncached]: [string[], string[]] = [[], []]
    const providerOf = (texts: string[], options: SqlDataOptions): Required<Provider> => {
      const data = database({ ...options, tables, onStatement: ({ sql }) => texts.push(sql) })
      for (const type of [things, owners]) data.provider(type)
      return data.provider(things) as Required<Provider>
    }
    made.push({
      rows,
      memory: memoryProvider(memoryStore(rows)) as Required<Provider>,
      sql: providerOf(cached, {}),
      forgetful: providerOf(uncached, { maxStatements: 0 }),
      sent: () => ({ cached: cached.splice(0), uncached: uncached.splice(0) }),
    })
  }
  return made
}

/** Numbers the things, and relates them to each other only by their numbers. */
function peopled(drawn: readonly ThingRow[]): Rows {
  const rows = drawn.map((thing, index) => ({ ...thing, id: index + 1 }))
  const pairs = rows.flatMap(({ id: one }) =>
    [one * 2, one * 3, one * 2 + 1].map((other) => ({ one, other: (other % (rows.length + 1)) + 1 })),
  )
  const joined = [...new Map(pairs.map((pair) => [`${pair.one} ${pair.other}`, pair])).values()]
  return {
    things: rows,
    owners: [
      { id: 1, name: 'Ada', subjectId: 1, subjectType: 'things' },
      { id: 2, name: 'ada', subjectId: 1, subjectType: 'owners' },
      { id: 3, name: 'Émile', subjectId: 99, subjectType: 'things' },
      { id: 4, name: '', subjectId: null, subjectType: null },
    ],
    // One of them twice: the first counts.
    friends: [...joined, ...joined.slice(0, 1)].map((pair, since) => ({ id: since + 1, ...pair, since })),
    items: [1, 2, 3].flatMap((list) => [
      { list, item: list, kind: 'things' },
      { list, item: list, kind: 'owners' },
      { list, item: list + 1, kind: 'things' },
      { list, item: 77, kind: 'owners' },
      { list, item: 1, kind: 'robots' },
    ]),
  }
}

const columns = {
  things: { id: 'key', label: 'text', size: 'integer', weight: 'real', loud: 'boolean', at: 'instant', day: 'date', hour: 'time', tags: 'json', rank: 'integer not null', ownerId: 'integer' },
  owners: { id: 'key', name: 'text', subjectId: 'integer', subjectType: 'text' },
  friends: { id: 'key', one: 'integer', other: 'integer', since: 'integer' },
  items: { list: 'integer', item: 'integer', kind: 'text' },
} as const // biome-ignore format: tables

const sqliteTypes: Readonly<Record<string, string>> = {
  key: 'integer primary key not null',
  boolean: 'integer',
  instant: 'text',
  json: 'text',
}
const postgresTypes: Readonly<Record<string, string>> = {
  key: 'integer primary key',
  real: 'double precision',
  instant: 'timestamptz',
  json: 'jsonb',
}

function definitions(types: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(columns).map(([name, members]) => {
    const parts = Object.entries(members).map(([column, type]) => `"${column}" ${types[type] ?? type}`)
    return `create table "${name}" (${parts.join(', ')})`
  })
}

const tables = [
  table<{ id: number; one: number; other: number; since: number }>('friends'),
  table<{ list: number; item: number; kind: string }>('items', { key: ['list', 'item', 'kind'] }),
]

type OnDatabase = (options: SqlDataOptions) => DataSource

function sqliteTwin(rows: Rows, dataOn: typeof genericData): OnDatabase {
  const database = newFile()
  for (const definition of definitions(sqliteTypes)) database.exec(definition)
  for (const [name, members] of Object.entries(columns)) {
    const names = Object.keys(members)
    const insert = database.prepare(
      `insert into "${name}" (${names.map((each) => `"${each}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    for (const row of rows[name] ?? []) {
      insert.run(...names.map((each) => held((row as Readonly<Record<string, unknown>>)[each])))
    }
  }
  return (options) => dataOn(database, options)
}

function held(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number)
}

async function postgresTwin(rows: Rows): Promise<OnDatabase> {
  const [pool, { schema, isNew }] = [openPool(), takeSchema('things')]
  const client = await pool.connect()
  try {
    // Another file of this worker may have left the tables, with its rows.
    const names = Object.keys(columns).map((name) => `"${name}"`)
    const emptied = `truncate ${names.join()} cascade`
    await client.query(`${isNew ? `create schema ${schema};` : ''} set search_path to ${schema}`)
    for (const text of isNew ? definitions(postgresTypes) : [emptied]) await client.query(text)
    for (const name of Object.keys(columns)) {
      const json = JSON.stringify(rows[name])
      await client.query(`insert into "${name}" select * from json_populate_recordset(null::"${name}", $1)`, [json])
    }
  } finally {
    client.release(true)
  }
  return (options) => sqlData(pool, { ...options, schema })
}
