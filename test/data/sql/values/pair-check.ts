import { type AttributeKit, createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import { expect } from 'vitest'
import { client } from '../../../support/client.js'
import type { EmptyDatabase } from '../../../support/empty-databases.js'

/** Checks decision 43 for a kind over a column: values as they are read can be sent back, filtered and sorted by. */

interface ThingRow {
  id: number
  v: unknown
  note: string | null
}

type Kit = AttributeKit<ThingRow>
type Declared = ReturnType<Kit['string']>

/** A kind, and values that a client may write. */
interface Kind {
  readonly name: string
  readonly declare: (a: Kit) => unknown
  readonly fresh: readonly unknown[]
  readonly isScalar: boolean
}

export const scalar = (name: string, declare: Kind['declare'], ...fresh: readonly unknown[]): Kind => {
  return { name, declare, fresh, isScalar: true }
}
export const composite = (name: string, declare: Kind['declare'], ...fresh: readonly unknown[]): Kind => {
  return { name, declare, fresh, isScalar: false }
}

export const kinds: readonly Kind[] = [
  scalar('string()', (a) => a.string(), 'abc', '12', ''),
  scalar('integer()', (a) => a.integer(), 0, -7, 123, 2 ** 53 - 1),
  scalar('bigint()', (a) => a.bigint(), '0', '-7', '9007199254740993', '-9223372036854775808'),
  scalar('decimal()', (a) => a.decimal(), 0, 1.5, -7, 1e-7, 123),
  scalar('boolean()', (a) => a.boolean(), true, false),
  scalar('dateTime()', (a) => a.dateTime(), '2026-01-31T12:30:15Z', '2026-01-31T12:30:15.678+02:00'),
  scalar('date()', (a) => a.date(), '2026-01-31', '0001-01-01', '9999-12-31'),
  scalar('time()', (a) => a.time(), '12:30:15', '00:00:00', '23:59:59.999'),
  composite('arrayList()', (a) => a.arrayList(), ['a', 'b'], []),
  composite("arrayList().of('integer')", (a) => a.arrayList().of('integer'), [1, 2], []),
  composite("arrayList().of('bigint')", (a) => a.arrayList().of('bigint'), ['9007199254740993'], []),
  composite("arrayList().of('number')", (a) => a.arrayList().of('number'), [1.5, 1e-7], []),
  composite("arrayList().of('boolean')", (a) => a.arrayList().of('boolean'), [true, false], []),
  composite('arrayHash()', (a) => a.arrayHash(), { a: 1 }, {}),
]

interface Pair {
  readonly scratch: EmptyDatabase
  readonly kind: Kind
  /** SQL that reads the column as text, to compare it before and after. */
  readonly columnText: string
}

interface Served {
  readonly api: TestClient
  readonly logged: string[]
}

function serving({ scratch, kind }: Pair): Served & { ready(): Promise<unknown> } {
  const things = defineResource('things', {
    model: table<ThingRow>('things'),
    id: id(),
    attributes: (a) => {
      const v = (kind.declare(a) as Declared).nullable()
      return { v: kind.isScalar ? v.sortable() : v, note: a.string().nullable() }
    },
    filters: (f) => ({ v: f.where('v'), among: f.in('v') }),
    pagination: cursorPage({ size: 3, maxSize: 100 }),
  })
  const logged: string[] = []
  const logger = {
    error: ({ err }: { err: unknown }) => void logged.push(err instanceof Error ? err.message : String(err)),
  }
  const server = createServer({ resources: [things], data: sqlData(scratch.database), logger })
  return { api: client(server), logged, ready: () => server.ready() }
}

/** Checks a pair. Returns the message by which `ready()` refuses it, `null` if the pair is served. */
export async function checkPair(pair: Pair): Promise<string | null> {
  const served = serving(pair)
  try {
    await served.ready()
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    expect(message).toMatch(
      /The column 'v' of the table 'things' has the type '.+', which does not fit the attribute 'v' of 'things': .+/,
    )
    return message
  }
  const ids = ((await pair.scratch.rows('select id from things order by id')) as { id: number }[]).map((row) =>
    String(row.id),
  )
  for (const key of ids) await checkRow(pair, served, key)
  if (pair.kind.isScalar) await checkOrders(pair, served.api, ids)
  await checkWrites(pair, served)
  return null
}

async function textOf({ scratch, columnText }: Pair, key: string): Promise<unknown> {
  return (await scratch.rows(`select ${columnText} as text from things where id = ${key}`))[0]
}

async function checkRow(pair: Pair, { api, logged }: Served, key: string): Promise<void> {
  logged.length = 0
  const read = await api.get(`/things/${key}`)
  const where = `${pair.kind.name}, row ${key}`
  if (!Object.hasOwn(read.resource.attributes ?? {}, 'v')) {
    const message = new RegExp(
      `^The resource '${key}' of 'things' is shown without 'v': the column 'v' holds .+, which the kind .+ cannot show\\. .+\\.$`,
      's',
    )
    expect([where, read.status, logged]).toEqual([where, 200, [expect.stringMatching(message)]])
    return
  }
  expect([where, read.status, logged]).toEqual([where, 200, []])
  const value = read.resource.attributes?.['v']
  const before = await textOf(pair, key)
  const sent = await api.patch(`/things/${key}`, { body: { data: read.resource } })
  expect([where, value, sent.status, sent.errors]).toEqual([where, value, 200, []])
  const besides = { data: { type: 'things', id: key, attributes: { v: value, note: 'sent back' } } }
  expect([where, (await api.patch(`/things/${key}`, { body: besides })).status]).toEqual([where, 200])
  expect([where, await textOf(pair, key)]).toEqual([where, before])
  await expectFound({ api, logged }, { key, value, where })
}

/** A list is found by each of its items, an object by nothing. */
async function expectFound(
  { api, logged }: Served,
  { key, value, where }: { readonly key: string; readonly value: unknown; readonly where: string },
): Promise<void> {
  const items = Array.isArray(value) ? value.filter((item) => item !== null) : [value]
  for (const item of items) {
    if (item === null || item === undefined || typeof item === 'object') continue
    // A blank value of a filter has its own meaning, and a comma separates the values of a set.
    if (String(item).trim() === '' || String(item).length > 1000) continue
    const sought = encodeURIComponent(String(item))
    for (const filter of String(item).includes(',') ? ['v'] : ['v', 'among']) {
      const found = await api.get(`/things?filter[${filter}]=${sought}&fields[things]=note&page[size]=100`)
      expect(`${where} ${filter} ${item} ${found.status} ${logged.join()}`).toBe(`${where} ${filter} ${item} 200 `)
      expect(`${where} ${filter} ${item} ${found.resources.some((each) => each.id === key)}`).toBe(
        `${where} ${filter} ${item} true`,
      )
    }
  }
}

async function checkOrders({ kind }: Pair, api: TestClient, ids: readonly string[]): Promise<void> {
  for (const sort of ['v', '-v']) {
    const seen: string[] = []
    let next: unknown = `/things?sort=${sort}&fields[things]=note`
    while (typeof next === 'string' && seen.length <= ids.length) {
      const page = await api.get(next.replace('http://localhost', ''))
      expect([kind.name, sort, page.status]).toEqual([kind.name, sort, 200])
      seen.push(...page.resources.map((each) => each.id))
      next = page.document?.links?.['next']
    }
    expect([kind.name, sort, seen.toSorted()]).toEqual([kind.name, sort, ids.toSorted()])
  }
}

/** A written value is returned as it is read later, or is refused with 422. */
async function checkWrites(pair: Pair, { api, logged }: Served): Promise<void> {
  for (const value of pair.kind.fresh) {
    const where = `${pair.kind.name}, ${JSON.stringify(value)}`
    logged.length = 0
    const made = await api.post('/things', { body: { data: { type: 'things', attributes: { v: value } } } })
    // Each column that a boolean fits can hold `true`.
    const mayRefuse = value !== true
    expect([where, made.status, logged]).toEqual([where, mayRefuse && made.status === 422 ? 422 : 201, []])
    if (made.status === 422) continue
    const { id: key, attributes } = made.resource
    expect([where, (await api.get(`/things/${key}`)).resource.attributes]).toEqual([where, attributes])
    await checkRow(pair, { api, logged }, key)
    const again = { data: { type: 'things', id: '1', attributes: { v: value } } }
    expect([where, (await api.patch('/things/1', { body: again })).resource.attributes?.['v']]).toEqual([
      where,
      attributes?.['v'],
    ])
  }
}
