import { createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { ColumnType } from '../../../../src/stores/sql/schema/column-type.js'
import type { TableOptions } from '../../../../src/stores/sql/schema/table.js'
import type { TestClient } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'

/** Ids over each type of column: the id that a response shows finds its row everywhere, or `ready()` refuses the column. */

interface ThingRow {
  id: unknown
  note: string | null
}

type KeyColumn = readonly [type: string, values: readonly string[], isServed: boolean]

const refused = (type: string, ...values: readonly string[]): KeyColumn => [type, values, false]
const served = (type: string, ...values: readonly string[]): KeyColumn => [type, values, true]

const postgres: readonly KeyColumn[] = [
  served('text', "'abc'", "'12'", "'É 😀'", "'a,b'"),
  served('varchar(20)', "'abc'", "'12'"),
  served('char(4)', "'abc'", "'abcd'"),
  served('name', "'abc'", "'b'"),
  served('smallint', '0', '-1', '32767'),
  served('integer', '0', '-1', '2147483647'),
  served('bigint', '0', '-1', '9007199254740993', '9223372036854775807'),
  served('oid', '1', '4294967295'),
  served('numeric(10,0)', '0', '-1', '9999999999'),
  served('numeric(30,0)', '1', '9007199254740993', '123456789012345678901234567890'),
  served('money', '0', '1.5', '1000'),
  served('boolean', 'true', 'false'),
  served('date', "'2026-01-31'", "'0044-03-15 BC'", "'infinity'", "'12026-01-01'"),
  served('time', "'12:00:00'", "'12:00:00.123456'", "'24:00:00'"),
  served('timetz', "'12:00:00+02'", "'12:00:00.5-03'"),
  served('interval', "'1 day'", "'1 month 2 days 03:04:05'", "'-1 year'"),
  served('timestamp(0)', "'2026-01-31 12:00:00'", "'2026-01-31 12:00:01'", "'0044-03-15 BC'", "'12026-01-01'", "'infinity'"),
  served('timestamptz(3)', "'2026-01-31 12:00:00.123+02'", "'2026-01-31 12:00:00.124+02'", "'infinity'", "'-infinity'"),
  served('uuid', "'0f8fad5b-d9cb-469f-a165-70867728950e'", "'00000000-0000-0000-0000-000000000000'"),
  served('mood', "'sad'", "'glad'"),
  served('macaddr', "'08:00:2b:01:02:03'", "'08:00:2b:01:02:04'"),
  served('cidr', "'10.0.0.0/8'", "'::1/128'"),
  served('pg_lsn', "'16/B374D848'", "'16/B374D849'"),
  served('bit(4)', "B'1010'", "B'0000'"),
  served('int4range', "'[1,5)'", "'[1,)'"),
  refused('numeric', '1.50', '0.1', '9007199254740993'),
  refused('numeric(10,2)', '1.50', '0.1'),
  refused('real', '0.1', '1', '16777217'),
  refused('double precision', '0.1', '1e20', "'NaN'"),
  refused('inet', "'10.0.0.1'", "'10.0.0.0/8'"),
  refused('bytea', String.raw`'\x00ff'`, String.raw`'\x'`),
  refused('jsonb', `'{"b": 1}'`, `'"a"'`, '\'1\''),
  refused('text[]', "'{a,b}'", "'{}'"),
  refused('integer[]', "'{1,2}'", "'{3}'"),
] // biome-ignore format: a table

const sqlite: readonly KeyColumn[] = [
  served('text', "'abc'", "'12'", "'É 😀'", "'a,b'"),
  served('varchar(20)', "'abc'", "'12'"),
  served('integer', '0', '-1', '2147483647'),
  served('bigint', '0', '-1', '9007199254740993', '9223372036854775807'),
  served('boolean', '0', '1'),
  served('uuid', "'0f8fad5b-d9cb-469f-a165-70867728950e'", "'00000000-0000-0000-0000-000000000000'"),
  served('date', "'2026-01-31'", "'2026-02-01'", "'31.1.2026'", "'2026-01-31 00:00:00'"),
  refused('datetime', "'2026-01-31 12:00:00'", "'2026-01-31T12:00:00.123Z'"),
  served('time', "'12:00:00'", "'12:00'"),
  refused('decimal(10,2)', '1.50', '0.1'),
  refused('decimal(10,0)', '1', '2'),
  refused('numeric', '1.50', '0.1'),
  refused('real', '0.1', '1'),
  refused('double precision', '0.1', '1'),
  refused('blob', "x'00ff'", "x'01'"),
  refused('json', `'{"b": 1}'`, `'"a"'`, '\'1\''),
] // biome-ignore format: a table

const shows = async (api: TestClient, query: string): Promise<readonly string[]> =>
  (await api.get(`/things?page[size]=100&${query}`)).resources.map((each) => each.id)

async function expectFound(api: TestClient, key: string): Promise<void> {
  const path = `/things/${encodeURIComponent(key)}`
  expect((await api.get(path)).resource.id).toBe(key)
  // A comma separates the values of a set.
  if (!key.includes(',')) expect(await shows(api, `filter[id]=${encodeURIComponent(key)}`)).toEqual([key])
  const body = { data: { type: 'things', id: key, attributes: { note: key } } }
  expect((await api.patch(path, { body })).resource).toMatchObject({ id: key, attributes: { note: key } })
}

async function idsOfPages(api: TestClient, sort: string, atMost: number): Promise<readonly string[]> {
  const seen: string[] = []
  for (let next: unknown = `/things?sort=${sort}`; typeof next === 'string' && seen.length <= atMost; ) {
    const page = await api.get(next.replace('http://localhost', ''))
    seen.push(...page.resources.map((each) => each.id))
    next = page.document?.links?.['next']
  }
  return seen
}

describe.each([[...emptyDatabases[0], postgres] as const, [...emptyDatabases[1], sqlite] as const])(
  'On %s',
  (engine, open, columns) => {
    let scratch: EmptyDatabase
    beforeEach(async () => {
      scratch = await open()
      if (engine === 'PostgreSQL') await scratch.run("create type mood as enum ('sad', 'glad')")
    })
    afterEach(() => scratch.end())

    const serving = (declared: TableOptions<ThingRow> = {}) => {
      const things = defineResource('things', {
        model: table<ThingRow>('things', declared),
        id: id().requireClientId(),
        attributes: (a) => ({ note: a.string().nullable() }),
        pagination: cursorPage({ size: 1, maxSize: 100 }),
      })
      return createServer({ resources: [things], data: sqlData(scratch.database) })
    }

    const create = async (type: string, values: readonly string[]): Promise<void> => {
      const rows = values.map((value) => `(${value}, null)`).join(', ')
      await scratch.run(
        `create table things (id ${type} not null primary key, note text); insert into things values ${rows}`,
      )
    }

    test.each(columns)('an id over %s', async (type, values, isServed) => {
      await create(type, values)
      const server = serving()
      const { missing } = await server.inspect()
      if (!isServed) {
        expect(missing).toEqual([
          expect.stringMatching(
            /^The column 'id' of the table 'things' has the type '.+', which does not fit ids: an id that a response shows may not find its row\. Declare another unique column as the id of 'things', or (?:change|declare) .+\.$/,
          ),
        ])
        await expect(server.ready()).rejects.toThrow('[key-kind:things.id]')
        return
      }
      expect(missing).toEqual([])
      const api = client(server)
      const shown = await shows(api, '')
      expect(shown.length).toBe(values.length)
      for (const key of shown) await expectFound(api, key)
      expect(await idsOfPages(api, 'id', shown.length)).toEqual(shown)
      expect(await idsOfPages(api, '-id', shown.length)).toEqual(shown.toReversed())
    })

    const remedies: readonly (readonly [type: string, declared: ColumnType, values: readonly string[]])[] = [
      ['numeric', 'integer', ['1', '2', '10']],
      ['real', 'integer', ['1', '2', '10']],
      ['datetime', 'text', ["'2026-01-31 12:00:00'", "'2026-01-31T12:00:00.123Z'"]],
      ['datetime', 'instant', ["'2026-01-31T12:00:00.122Z'", "'2026-01-31T12:00:00.123Z'"]],
      ['blob', 'text', ["'a'", "'b'"]],
      ['json', 'text', ["'a'", "'b'"]],
    ]
    test.runIf(engine === 'SQLite').each(remedies)('an id over %s that is declared as %s', async (type, to, values) => {
      await create(type, values)
      const server = serving({ columns: { id: to } })
      await server.ready()
      const api = client(server)
      const shown = await shows(api, '')
      expect(shown.length).toBe(values.length)
      for (const key of shown) await expectFound(api, key)
      expect(await idsOfPages(api, 'id', shown.length)).toEqual(shown)
    })

    test('a part of a composite id that cannot be found is refused too', async () => {
      await scratch.run(
        'create table things (id integer not null, price real not null, note text, primary key (id, price))',
      )
      const things = defineResource('things', {
        model: table<ThingRow & { price: number }>('things'),
        id: id(['id', 'price']).requireClientId(),
        attributes: (a) => ({ note: a.string().nullable() }),
      })
      const { missing } = await createServer({ resources: [things], data: sqlData(scratch.database) }).inspect()
      expect(missing).toEqual([expect.stringContaining("The column 'price' of the table 'things' has the type")])
    })
  },
)
