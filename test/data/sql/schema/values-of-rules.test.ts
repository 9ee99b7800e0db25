import { createServer, defineResource, id, type RowRule, type RuleKit } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'

interface AlbumRow {
  readonly id: number
  readonly level: number
  readonly title: string
  readonly price: string
}

type Rule = (p: RuleKit<AlbumRow>) => RowRule

describe.each(emptyDatabases)('Rules of a policy on %s', (engine, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
    await scratch.run('create table albums (id integer primary key, level integer, title text, price text)')
    await scratch.run(`insert into albums values (1, 9, '9', '9.50'), (2, 10, '10', '10.00')`)
  })
  afterEach(() => scratch.end())

  const serve = (rule: Rule, columns: object = {}) => {
    const albums = defineResource('albums', {
      model: table<AlbumRow>('albums', columns),
      id: id().requireClientId(),
      attributes: (a) => ({ title: a.string() }),
      policy: (p) => ({ viewAny: true, view: rule(p) }),
    })
    return createServer({ resources: [albums], data: sqlData(scratch.database) })
  }

  const ids = async (rule: Rule, columns: object = {}): Promise<readonly (string | undefined)[]> =>
    (await client(serve(rule, columns)).get('/albums?sort=id')).resources.map((each) => each.id)

  test.each<readonly [name: string, rule: Rule, message: RegExp]>([
    [
      'a value of another type',
      (p) => p.not(p.eq('level', 'many' as never)),
      /^The rule 'view' of 'albums' compares the column 'level' of the table 'albums' with "many", which its type 'integer' does not allow: no row meets the rule\. Give a value of the column\.$/i,
    ],
    [
      'one of several values',
      (p) => p.any(p.eq('id', 1), p.in('level', [9, true as never])),
      /compares the column 'level' of the table 'albums' with true, /,
    ],
    [
      'the order of texts and numbers',
      (p) => p.range('price', { max: 10 as never }),
      /compares the column 'price' of the table 'albums' by size with 10, which its type 'text' does not allow/i,
    ],
    [
      'a column that does not exist',
      (p) => p.eq('genre' as never, 'rock' as never),
      /^The rule 'view' of 'albums' needs a column for 'genre', which the table 'albums' does not have\.$/,
    ],
  ])('are refused before the first request: %s', async (_name, rule, message) => {
    await expect(serve(rule).ready()).rejects.toThrow(message)
  })

  test('pass if the columns can be compared', async () => {
    await serve((p) => p.all(p.eq('title', '9'), p.range('level', { min: 1 }), p.in('level', ['9' as never]))).ready()
    await serve((p) => p.range('price', { max: 10 as never }), { columns: { price: 'decimal' } }).ready()
  })

  test('deny everything until then', async () => {
    expect(await ids((p) => p.eq('level', 'many' as never))).toEqual([])
    expect(await ids((p) => p.not(p.eq('level', 'many' as never)))).toEqual([])
    expect(await ids((p) => p.range('price', { max: '9.00' }))).toEqual(['2'])
    expect(await ids((p) => p.range('price', { max: 9.99 as never }))).toEqual([])
    expect(await ids((p) => p.range('price', { max: 9.99 as never }), { columns: { price: 'decimal' } })).toEqual(['1'])
  })

  test('a row is checked with the moment that the column has rounded', async () => {
    const type = engine === 'PostgreSQL' ? 'timestamptz(0)' : 'datetime'
    await scratch.run(`create table events (id integer primary key, at ${type})`)
    const at = new Date('2026-01-31T12:00:00.400Z')
    const events = defineResource('events', {
      model: table<{ readonly id: number; readonly at: Date }>('events'),
      id: id().requireClientId(),
      attributes: (a) => ({ at: a.dateTime() }),
      policy: (p) => ({ viewAny: true, view: true, create: p.eq('at', at) }),
    })
    const api = client(createServer({ resources: [events], data: sqlData(scratch.database) }))
    const body = { data: { type: 'events', id: '1', attributes: { at: at.toISOString() } } }
    const { status } = await api.request('POST', '/events', { body })
    expect([status, await scratch.rows('select id from events')]).toEqual(
      engine === 'PostgreSQL' ? [401, []] : [201, [{ id: 1 }]],
    )
  })
})
