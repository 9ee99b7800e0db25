import { describe, expect, test } from 'vitest'
import { compile } from '../../support/compile.js'
import { isLong } from '../../support/runs.js'
import { databases, type PulledDatabase } from './pulled.js'
import { oddPostgres, oddSqlite } from './unusual-schemas.js'
import { chinook, northwind, northwindKeys, pagila, pagilaKeys } from './schemas.js'

type Client = Awaited<ReturnType<PulledDatabase['client']>>

interface Case {
  readonly name: string
  readonly open: (sql: string) => Promise<PulledDatabase>
  readonly sql: string
  readonly types: number
  /** The columns that identify the rows of its views. */
  readonly keys?: readonly string[]
  /** The arguments of `ashlar verify`; `null` in short runs, where it is left out. */
  readonly verified: readonly string[] | null
}

const { SQLite, PostgreSQL } = databases

const cases: readonly Case[] = [
  { name: 'a music shop on SQLite', open: SQLite, sql: chinook, types: 10, verified: null },
  {
    name: 'a trade in food on SQLite',
    open: SQLite,
    sql: northwind('SQLite'),
    keys: northwindKeys,
    types: 12,
    verified: ['--write'],
  },
  {
    name: 'a trade in food on PostgreSQL',
    open: PostgreSQL,
    sql: northwind('PostgreSQL'),
    keys: northwindKeys,
    types: 12,
    verified: null,
  },
  {
    name: 'a rental of films on PostgreSQL',
    open: PostgreSQL,
    sql: pagila,
    keys: pagilaKeys,
    types: 13,
    verified: ['--write'],
  },
  // A table of it refers to one that is not there, so that SQLite takes no row.
  {
    name: 'odd names and keys on SQLite',
    open: SQLite,
    sql: oddSqlite,
    keys: ['with_key=id'],
    types: 20,
    verified: [],
  },
  {
    name: 'odd names and keys on PostgreSQL',
    open: PostgreSQL,
    sql: oddPostgres,
    keys: ['updatable=id', 'by_name=name'],
    types: 21,
    verified: null,
  },
]

describe.each(cases)('$name', ({ open, sql, types, keys = [], verified }) => {
  test('is pulled, built, checked, served and verified, without a change of a file, and a second pull changes nothing', async () => {
    const pulled = await open(sql)
    const ended = await pulled.pull(...keys.flatMap((key) => ['--key', key]))
    expect(ended, ended.err).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toContain(`\n${types} types, `)
    expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
    const client = await pulled.client()
    for (const path of await collections(pulled)) await readAll(client, path)
    if (verified !== null || isLong) {
      const report = await pulled.verify(...(verified ?? []))
      expect(report.code, report.out).toBe(0)
    }
    const before = pulled.texts()
    expect((await pulled.pull('--check')).code).toBe(0)
    expect((await pulled.pull()).out).toMatch(/, 0 files changed\.\n/)
    expect(pulled.texts()).toEqual(before)
  })
})

test.each([
  {
    casing: 'snake_case',
    open: databases.SQLite,
    sql: northwind('SQLite'),
    path: '/order_details/1-1',
    name: 'line_total',
  },
  { casing: 'kebab-case', open: databases.PostgreSQL, sql: pagila, path: '/films/1', name: 'projected-revenue' },
])('names in $casing are served too', async ({ casing, open, sql, path, name }) => {
  const pulled = await open(sql)
  await pulled.pull('--casing', casing)
  expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
  const client = await pulled.client()
  for (const collection of await collections(pulled)) await readAll(client, collection)
  expect((await client.get(path)).resource.attributes).toHaveProperty([name])
})

/** The odd ones in all casings, the others as most people have them. */
const casingsOf: Readonly<Record<number, readonly string[]>> = {
  4: ['camelCase', 'kebab-case'],
  5: ['camelCase', 'snake_case'],
}

test('all declarations compile under strict, in every casing', async () => {
  const files: Record<string, string> = {}
  for (const [index, { open, sql, keys = [] }] of cases.entries()) {
    for (const casing of casingsOf[index] ?? ['camelCase']) {
      const pulled = await open(sql)
      await pulled.pull('--casing', casing, ...keys.flatMap((key) => ['--key', key]))
      for (const [path, text] of Object.entries(pulled.texts())) files[`${index}-${casing}/${path}`] = text
    }
  }
  const compiled = await compile(files)
  const faults = Object.keys(files).flatMap((path) =>
    compiled.diagnosticsOf(path).map(({ line, message }) => `${path}:${line} ${message}`),
  )
  expect(faults).toEqual([])
})

async function collections(pulled: PulledDatabase): Promise<readonly string[]> {
  const texts = Object.values(pulled.texts())
  return texts.flatMap((text) => [...text.matchAll(/defineResource\('([^']+)'/g)].map(([, type]) => `/${type}`))
}

/** Attributes over JSON that is no object: clients can write objects only, as the pull notes. */
const isList = (name: string, value: unknown): boolean => /^(?:anything|list)$/.test(name) && Array.isArray(value)

/** Resources can be sent back as they were read, unless the type is read-only. */
async function sendBack(client: Client, url: string): Promise<void> {
  const { type, id, attributes = {} } = (await client.get(url)).resource
  const sent = Object.fromEntries(Object.entries(attributes).filter(([name, value]) => !isList(name, value)))
  const { status, document } = await client.patch(url, { data: { type, id, attributes: sent } })
  expect([200, 405], `${url}: ${JSON.stringify(document)}`).toContain(status)
  if (status === 200) expect((await client.get(url)).resource.attributes ?? {}).toEqual(attributes)
}

/**
 * Reads a collection, each of its resources, all of their relations, and each of these included; and sends resources back. Short runs do so
 * for two of its resources.
 */
async function readAll(client: Client, path: string): Promise<void> {
  const list = await client.get(path)
  expect(list.status, `${path}: ${JSON.stringify(list.document)}`).toBe(200)
  for (const { id, relationships = {} } of list.resources.slice(0, isLong ? undefined : 2)) {
    const resourceUrl = `${path}/${encodeURIComponent(id)}`
    const names = Object.keys(relationships)
    const include = names.length === 0 ? '' : `?include=${names.join(',')}`
    for (const url of [
      resourceUrl,
      `${resourceUrl}${include}`,
      ...names.flatMap((name) => [`${resourceUrl}/${name}`, `${resourceUrl}/relationships/${name}`]),
    ]) {
      const { status, document } = await client.get(url)
      expect(status, `${url}: ${JSON.stringify(document)}`).toBe(200)
    }
    await sendBack(client, resourceUrl)
  }
}
