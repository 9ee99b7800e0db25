import { createServer, defineResource, type FilterKit, id, model, type RowRule, type RuleKit } from 'ashlar'
import type { FilterDeclaration } from '../../../src/declare/resource/filters/filter-declaration.js'
import { describe, expect, inject, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idsIn, sender } from './access-client.js'

/** Rules and scopes compare columns, whatever attributes show of them. */

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly publishAt: Date | null
  /** A number. Attributes of texts need a type that the compiler does not check. */
  // oxlint-disable-next-line typescript/no-explicit-any -- Another type would be a compile error of a.string().
  readonly level: any
  readonly tenantId: bigint | null
}

const noon = Date.UTC(2026, 0, 31, 12)
const HOUR = 3_600_000

const rows: readonly AlbumRow[] = [
  { id: 1, title: 'Published', publishAt: new Date(noon - HOUR), level: 9, tenantId: 9_007_199_254_740_992n },
  { id: 2, title: 'This evening', publishAt: new Date(noon + HOUR), level: 10, tenantId: 9_007_199_254_740_993n },
  { id: 3, title: 'Tomorrow', publishAt: new Date(noon + 24 * HOUR), level: 100, tenantId: 9_007_199_254_740_995n },
  { id: 4, title: 'Never', publishAt: null, level: null, tenantId: null },
]

const columns = { albums: { publishAt: 'instant', level: 'integer', tenantId: 'integer' } } as const

type Rule = (p: RuleKit<AlbumRow>) => RowRule

function serve(rule: Rule): ReturnType<typeof sender> {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string(),
      // Each shows less than its column holds. On SQLite, a day cannot be shown of a text with an instant.
      day: a.date().nullable().hidden().storedAs('publishAt'),
      publishAt: a.dateTime().nullable().readOnly(),
      level: a.string().nullable(),
      tenantId: a.decimal().nullable(),
    }),
    policy: (p) => ({ viewAny: true, view: rule(p), update: rule(p), create: rule(p) }),
  })
  return sender(
    createServer({ resources: [albums], data: storedData({ albums: rows }, columns), middleware: [byNumber] }),
  )
}

const max = new Date(noon)

describe('a rule compares the column, not the attribute', () => {
  test.each<readonly [name: string, rule: Rule, ids: readonly string[]]>([
    ['an instant that an attribute shows as a day', (p) => p.range('publishAt', { max }), ['1']],
    ['the same from below', (p) => p.range('publishAt', { min: max }), ['2', '3']],
    ['the same, negated', (p) => p.not(p.range('publishAt', { max })), ['2', '3', '4']],
    ['an equal instant', (p) => p.eq('publishAt', new Date(noon + HOUR)), ['2']],
    ['a day, which is its first instant', (p) => p.eq('publishAt', new Date(Date.UTC(2026, 0, 31))), []],
    ['instants in a list', (p) => p.in('publishAt', [new Date(noon - HOUR), new Date(noon)]), ['1']],
    ['numbers that an attribute shows as text', (p) => p.range('level', { min: 10 }), ['2', '3']],
    ['the same to a maximum', (p) => p.range('level', { max: 10 }), ['1', '2']],
    ['the same, negated', (p) => p.not(p.range('level', { max: 10 })), ['3', '4']],
    ['the digits of a number', (p) => p.eq('level', '10'), ['2']],
    ['digits that a double loses', (p) => p.eq('tenantId', '9007199254740993' as never), ['2']],
    ['the same in a list', (p) => p.in('tenantId', ['9007199254740993' as never]), ['2']],
    ['the same as a bigint', (p) => p.eq('tenantId', 9_007_199_254_740_993n), ['2']],
    ['the same in a range', (p) => p.range('tenantId', { min: 9_007_199_254_740_994n }), ['3']],
    ['the same, negated', (p) => p.not(p.eq('tenantId', '9007199254740993' as never)), ['1', '3', '4']],
  ])('%s', async (_name, rule, ids) => {
    const send = serve(rule)
    expect(idsIn(await send('GET', '/albums?sort=id', { as: 1 }))).toEqual(ids)
    for (const each of ['1', '2', '3', '4']) {
      const isMet = ids.includes(each)
      expect((await send('GET', `/albums/${each}`, { as: 1 })).status).toBe(isMet ? 200 : 404)
      const body = { data: { type: 'albums', id: each, attributes: { title: 'Changed' } } }
      expect((await send('PATCH', `/albums/${each}`, { as: 1, body })).status).toBe(isMet ? 200 : 404)
    }
  })
})

const idsBy = (rule: Rule): Promise<readonly string[]> => serve(rule)('GET', '/albums', { as: 1 }).then(idsIn)

describe('a value that the column cannot be compared with meets neither a rule nor its negation', () => {
  test.each<readonly [name: string, column: keyof AlbumRow, value: unknown]>([
    ['a word and numbers', 'level', 'many'],
    ['a boolean and numbers', 'level', true],
    ['an instant and numbers', 'level', max],
    ['a number and instants', 'publishAt', noon],
    ['a word and instants', 'publishAt', 'noon'],
    ['an instant and texts', 'title', max],
    ['a boolean and texts', 'title', true],
  ])('%s', async (_name, column, value) => {
    const bound = value as never
    const rules: readonly Rule[] = [
      (p) => p.eq(column, bound),
      (p) => p.all(p.not(p.eq(column, bound)), p.isNotNull(column)),
      (p) => p.all(p.not(p.in(column, [bound])), p.isNotNull(column)),
      (p) => p.range(column, { min: bound }),
      (p) => p.all(p.not(p.range(column, { min: bound })), p.isNotNull(column)),
    ]
    for (const rule of rules) expect(idsIn(await serve(rule)('GET', '/albums', { as: 1 }))).toEqual([])
  })

  test('a number equals its digits in a column of texts, but has no order there', async () => {
    expect(await idsBy((p) => p.eq('title', 7 as never))).toEqual([])
    expect(await idsBy((p) => p.not(p.eq('title', 7 as never)))).toEqual(['1', '2', '3', '4'])
    expect(await idsBy((p) => p.range('title', { min: 7 as never }))).toEqual([])
    expect(await idsBy((p) => p.range('title', { max: 7 as never }))).toEqual([])
  })
})

const idsInScope = async (scope: (f: FilterKit<string>) => FilterDeclaration): Promise<readonly string[]> => {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      publishAt: a.date().nullable().hidden(),
      level: a.string().nullable(),
      tenantId: a.decimal().nullable(),
    }),
    scope: (_context, f) => scope(f as FilterKit<string>),
  })
  const send = sender(createServer({ resources: [albums], data: storedData({ albums: rows }, columns) }))
  return idsIn(await send('GET', '/albums?sort=id'))
}

test('a scope compares the column too', async () => {
  expect(await idsInScope((f) => f.where('publishAt', '<=').fixed(max))).toEqual(['1'])
  expect(await idsInScope((f) => f.where('level', '>=').fixed(10))).toEqual(['2', '3'])
  expect(await idsInScope((f) => f.where('tenantId').fixed('9007199254740993'))).toEqual(['2'])
})

test('a create is checked by the column', async () => {
  const send = serve((p) => p.range('level', { max: 10 }))
  const create = async (level: string): Promise<number> => {
    const body = { data: { type: 'albums', attributes: { title: 'New', level } } }
    return (await send('POST', '/albums', { as: 1, body })).status
  }
  // As texts, '9' would be greater than '10', and '100' as small as '10'. The memory store would hold a text among numbers.
  expect(await create('9')).toBe(inject('store') === 'memory' ? 403 : 201)
  expect(await create('100')).toBe(403)
})
