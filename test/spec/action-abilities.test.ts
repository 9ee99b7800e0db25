import { reply, authenticate, BuildError, createServer, defineResource, id, metaResult, model, rowRules } from 'ashlar'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const byNumber = authenticate({
  challenge: 'Number',
  caller: (request) => {
    const number = request.header('authorization')
    return number === undefined ? null : { id: Number(number) }
  },
})

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly ownerId: number
  readonly deletedAt: Date | null
}

const owned = rowRules<AlbumRow>()
const own = owned.signedIn(({ caller }) => owned.eq('ownerId', (caller as unknown as { readonly id: number }).id))
const signedIn = owned.signedIn(() => true)

let handled = 0
const handle = (): ReturnType<typeof reply.meta> => {
  handled += 1
  return reply.meta({ done: true })
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  filters: (f) => ({ trashed: f.withTrashed() }),
  softDeletes: { restoreAbility: 'recover', forceDeleteAbility: false },
  actions: (a) => ({
    share: a.resource({ ability: 'share', asLink: true, responds: metaResult(), handle }),
    check: a.resource({ ability: 'inspect', responds: metaResult(), methods: ['GET'], handle }),
    like: a.resource({ ability: false, asLink: true, responds: metaResult(), handle }),
    odd: a.resource({ allowed: ({ id: key }) => key % 2 === 1, responds: metaResult(), handle }),
    import: a.collection({ ability: 'import', responds: metaResult(), handle }),
    count: a.collection({ ability: 'share', responds: metaResult(), handle }),
    survey: a.collection({ ability: 'inspect', responds: metaResult(), handle }),
  }),
  policy: (p) => ({
    viewAny: true,
    view: true,
    delete: true,
    custom: {
      share: own,
      recover: own,
      import: signedIn,
      inspect: p.check(({ row, incoming }) => row?.title === 'One' && incoming === null),
    },
  }),
})

/** The same rows. A function decides about restoring them, by a column that is not shown. */
const mixes = defineResource('mixes', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  filters: (f) => ({ trashed: f.withTrashed() }),
  softDeletes: {},
  policy: (p) => ({ viewAny: true, view: true, delete: true, restore: p.check(({ row }) => row?.ownerId === 2) }),
})

let api: TestClient

beforeEach(() => {
  handled = 0
  const data = storedData({
    albums: [
      { id: 1, title: 'One', ownerId: 1, deletedAt: null },
      { id: 2, title: 'Two', ownerId: 2, deletedAt: null },
      { id: 3, title: 'Three', ownerId: 1, deletedAt: new Date('2026-01-01T00:00:00.000Z') },
      { id: 4, title: 'Four', ownerId: 2, deletedAt: new Date('2026-01-01T00:00:00.000Z') },
    ],
  })
  api = client(createServer({ resources: [albums, mixes], data, middleware: [byNumber] }))
})

const send = (method: string, path: string, as?: string): ReturnType<TestClient['request']> =>
  api.request(method, path, { headers: as === undefined ? {} : { Authorization: as } })

const status = async (method: string, path: string, as?: string): Promise<number> =>
  (await send(method, path, as)).status

const links = async (path: string, as?: string): Promise<readonly string[]> => {
  const { document } = await send('GET', path, as)
  const { data } = document as { readonly data: readonly { readonly id: string; readonly links: object }[] }
  return data.map((each) => [each.id, ...Object.keys(each.links).filter((name) => name !== 'self')].join(' '))
}

describe('an action with an ability', () => {
  test('is 401 without a caller, 404 for a missing resource, then 403, and is not run', async () => {
    expect(await status('POST', '/albums/7/-actions/share')).toBe(401)
    expect(await status('POST', '/albums/7/-actions/share', '1')).toBe(404)
    expect(await status('POST', '/albums/3/-actions/share', '1')).toBe(404)
    expect(await status('POST', '/albums/1/-actions/share')).toBe(401)
    expect(await status('POST', '/albums/1/-actions/share', '2')).toBe(403)
    expect(handled).toBe(0)
    expect(await status('POST', '/albums/1/-actions/share', '1')).toBe(200)
    expect(handled).toBe(1)
  })

  test('may be decided by a function, or need no ability', async () => {
    expect(await status('GET', '/albums/1/-actions/check', '1')).toBe(200)
    expect(await status('GET', '/albums/2/-actions/check', '1')).toBe(403)
    expect(await status('POST', '/albums/2/-actions/like')).toBe(200)
  })

  test('on the collection is decided by the caller', async () => {
    expect(await status('POST', '/albums/-actions/import')).toBe(401)
    expect(await status('POST', '/albums/-actions/import', '1')).toBe(200)
    // A rule about rows cannot decide: the program is wrong.
    expect(await status('POST', '/albums/-actions/count')).toBe(401)
    expect(await status('POST', '/albums/-actions/count', '1')).toBe(500)
    expect(await status('POST', '/albums/-actions/survey', '1')).toBe(403)
  })

  test('has a link only if the caller may follow it', async () => {
    expect(await links('/albums', '1')).toEqual(['1 share like', '2 like'])
    expect(await links('/albums')).toEqual(['1 like', '2 like'])
    expect(await links('/albums?fields[albums]=title', '2')).toEqual(['1 like', '2 share like'])
  })
})

test('allowed is 401 without a caller, and 403 with one', async () => {
  expect(await status('POST', '/albums/2/-actions/odd')).toBe(401)
  expect(await status('POST', '/albums/2/-actions/odd', '1')).toBe(403)
  expect(await status('POST', '/albums/1/-actions/odd')).toBe(200)
})

test('the actions of soft deletes may need other abilities, or none', async () => {
  expect(await links('/albums?filter[trashed]=true', '1')).toEqual([
    '1 share like',
    '2 like',
    '3 share like restore',
    '4 like',
  ])
  expect(await status('POST', '/albums/4/-actions/restore')).toBe(401)
  expect(await status('POST', '/albums/4/-actions/restore', '1')).toBe(403)
  expect(await status('POST', '/albums/3/-actions/restore', '1')).toBe(200)
  expect(await status('POST', '/albums/4/-actions/force-delete')).toBe(204)
})

test('a function that decides on a link gets the whole row', async () => {
  const fields = 'fields[mixes]=title'
  expect(await links(`/mixes?filter[trashed]=true&${fields}`, '1')).toEqual(['1', '2', '3', '4 restore'])
})

test('an action without an access rule is refused on a server that authenticates', () => {
  const open = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    actions: (a) => ({
      play: a.resource({ responds: metaResult(), handle }),
      buy: a.resource({ ability: 'purchase', responds: metaResult(), handle }),
    }),
    policy: () => ({ viewAny: true, view: true }),
  })
  const build = (): unknown =>
    createServer({ resources: [open], data: storedData({ albums: [] }), middleware: [byNumber] })
  expect(build).toThrow(BuildError)
  expect(build).toThrow(
    "albums.actions.play: does not declare who may call it, but the server 'default' authenticates its callers. Remedy: name an ability of the policy with ability, or set ability: false if everybody may call it.",
  )
  expect(build).toThrow("albums.actions.buy.ability: names the ability 'purchase', which the policy does not declare.")
})
