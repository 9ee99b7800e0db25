import {
  authenticate,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  type Policy,
  type RuleKit,
} from 'ashlar'
import { sqlFilter } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const byNumber = authenticate({
  challenge: 'Number',
  caller: (request) => {
    const number = request.header('authorization')
    return number === undefined ? null : { id: Number(number) }
  },
})

const idOf = (caller: unknown): number => (caller as { readonly id: number }).id

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly year: number | null
  readonly label: string | null
  readonly ownerId: number
}

interface TrackRow {
  readonly id: number
  readonly title: string
  readonly albumId: number | null
}

type AlbumRules = (p: RuleKit<AlbumRow>) => Policy
type TrackRules = (p: RuleKit<TrackRow>) => Policy

const open: Policy = { viewAny: true, view: true, update: true }

function serve(albumRules: AlbumRules, trackRules: TrackRules = () => open): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), year: a.integer().nullable(), label: a.string().nullable() }),
    relations: { tracks: hasMany('tracks') },
    policy: albumRules,
  })
  const tracks = defineResource('tracks', {
    model: model<TrackRow>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { album: belongsTo('albums') },
    policy: trackRules,
  })
  const data = storedData({
    albums: [
      { id: 1, title: 'One', year: 1997, label: 'XL', ownerId: 1 },
      { id: 2, title: 'Two', year: 2007, label: null, ownerId: 2 },
      { id: 3, title: 'Three', year: null, label: 'EMI', ownerId: 1 },
    ],
    tracks: [
      { id: 1, title: 'Airbag', albumId: 1 },
      { id: 2, title: 'Nude', albumId: 2 },
      { id: 3, title: 'Single', albumId: null },
    ],
  })
  return client(createServer({ resources: [albums, tracks], data, middleware: [byNumber] }))
}

const ids = async (api: TestClient, path: string, as = '1'): Promise<readonly string[]> => {
  const { document } = await api.request('GET', path, { headers: { Authorization: as } })
  return (document as { readonly data: readonly { readonly id: string }[] }).data.map((each) => each.id)
}

const patch = async (api: TestClient, type: string, of: string, attributes: Readonly<Record<string, unknown>>) => {
  const sent = { headers: { Authorization: '1' }, body: resourceBody(type, attributes, of) }
  return (await api.request('PATCH', `/${type}/${of}`, sent)).status
}

describe('not()', () => {
  const none = undefined as unknown as number
  const nothing = null as unknown as number
  test.each<readonly [name: string, rule: AlbumRules, expected: readonly string[]]>([
    ['eq', (p) => ({ viewAny: true, view: p.not(p.eq('year', 1997)) }), ['2', '3']],
    ['eq of a text', (p) => ({ viewAny: true, view: p.not(p.eq('label', 'XL')) }), ['2', '3']],
    ['isNull', (p) => ({ viewAny: true, view: p.not(p.isNull('label')) }), ['1', '3']],
    ['in', (p) => ({ viewAny: true, view: p.not(p.in('year', [1997, 2007])) }), ['3']],
    ['range', (p) => ({ viewAny: true, view: p.not(p.range('year', { min: 2000 })) }), ['1', '3']],
    ['any', (p) => ({ viewAny: true, view: p.not(p.any(p.eq('year', 1997), p.eq('label', 'EMI'))) }), ['2']],
    ['all', (p) => ({ viewAny: true, view: p.not(p.all(p.eq('ownerId', 1), p.isNull('year'))) }), ['1', '2']],
    ['related', (p) => ({ viewAny: true, view: p.not(p.related('tracks')) }), ['3']],
    [
      'related with a rule',
      (p) => ({ viewAny: true, view: p.not(p.related('tracks', (q) => q.eq('title', 'Nude'))) }),
      ['1', '3'],
    ],
    ['not', (p) => ({ viewAny: true, view: p.not(p.not(p.eq('year', 1997))) }), ['1']],
    ['true', (p) => ({ viewAny: true, view: p.not(true) }), []],
    ['false', (p) => ({ viewAny: true, view: p.not(false) }), ['1', '2', '3']],
    ['a missing value', (p) => ({ viewAny: true, view: p.not(p.eq('year', none)) }), []],
    ['a missing value in a list', (p) => ({ viewAny: true, view: p.not(p.in('year', [1997, none])) }), []],
    ['a missing bound', (p) => ({ viewAny: true, view: p.not(p.any(p.range('year', { min: none }))) }), []],
    ['null', (p) => ({ viewAny: true, view: p.not(p.eq('year', nothing)) }), []],
    ['null in a list', (p) => ({ viewAny: true, view: p.not(p.in('year', [1997, nothing])) }), []],
    ['a bound that is null', (p) => ({ viewAny: true, view: p.not(p.range('year', { min: nothing })) }), []],
  ])('of %s matches the rows that do not meet it', async (_name, rule, expected) => {
    expect(await ids(serve(rule), '/albums')).toEqual(expected)
  })

  test('applies to the row after a write', async () => {
    const api = serve((p) => ({ viewAny: true, view: true, update: p.not(p.eq('label', 'XL')) }))
    expect(await patch(api, 'albums', '1', { title: 'New' })).toBe(403)
    expect(await patch(api, 'albums', '2', { title: 'New' })).toBe(200)
    expect(await patch(api, 'albums', '2', { label: 'XL' })).toBe(403)
    expect(await patch(api, 'albums', '2', { label: 'EMI' })).toBe(200)
  })
})

const own: AlbumRules = (p) => ({
  viewAny: true,
  view: p.signedIn(({ caller }) => p.any(p.eq('ownerId', idOf(caller)), p.eq('year', 2007))),
  update: p.signedIn(({ caller }) => p.eq('ownerId', idOf(caller))),
  custom: { never: false, always: true, checked: p.check(() => true) },
})

const byAbility =
  (ability: string): TrackRules =>
  (p) => ({ viewAny: true, view: true, update: p.granted('album', ability) })

const always: TrackRules = (p) => ({ viewAny: true, view: p.granted('album', 'always') })

const never: TrackRules = (p) => ({ viewAny: true, view: p.any(p.granted('album', 'never'), p.isNull('albumId')) })

const others: TrackRules = (p) => ({ viewAny: true, view: p.not(p.granted('album', 'update')) })

const status = (api: TestClient): Promise<number> => patch(api, 'tracks', '1', { title: 'New' })

const circular: AlbumRules = (p) => ({ viewAny: true, view: true, update: p.granted('tracks', 'update') })

describe('granted()', () => {
  test('evaluates the policy of the related row', async () => {
    const api = serve(own, byAbility('update'))
    expect(await patch(api, 'tracks', '1', { title: 'New' })).toBe(200)
    expect(await patch(api, 'tracks', '2', { title: 'New' })).toBe(403)
    expect(await patch(api, 'tracks', '3', { title: 'New' })).toBe(403)
  })

  test('filters lists, and needs a visible row', async () => {
    expect(
      await ids(
        serve(own, (p) => ({ viewAny: true, view: p.granted('album', 'update') })),
        '/tracks',
      ),
    ).toEqual(['1'])
    expect(await ids(serve(own, always), '/tracks', '1')).toEqual(['1', '2'])
    expect(await ids(serve(own, always), '/tracks', '2')).toEqual(['2'])
    expect(await ids(serve(own, never), '/tracks')).toEqual(['3'])
    expect(await ids(serve(own, others), '/tracks')).toEqual(['2', '3'])
  })

  test('fails for an ability that it cannot evaluate', async () => {
    expect(await status(serve(own, byAbility('unknown')))).toBe(500)
    expect(await status(serve(own, byAbility('checked')))).toBe(500)
    expect(await status(serve(circular, byAbility('update')))).toBe(500)
  })
})

test('sql() is an expression for SQL stores, with a function for others', async () => {
  const isOld = sqlFilter<AlbumRow>(({ column, context }) => sql`${column('year')} < ${2000 + idOf(context.caller)}`)
  const api = serve((p) => ({
    viewAny: true,
    view: p.any(
      p.sql(isOld, ({ year }, { caller }) => year !== null && year < 2000 + idOf(caller)),
      p.eq('label', 'EMI'),
    ),
  }))
  expect(await ids(api, '/albums', '1')).toEqual(['1', '3'])
  expect(await ids(api, '/albums', '10')).toEqual(['1', '2', '3'])
  expect(await ids(api, '/albums', '1')).toEqual(['1', '3'])
})
