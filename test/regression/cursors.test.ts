import { createServer, cursorPage, defineResource, id, model, morphToMany } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

const encoded = (prefix: string): ReturnType<typeof id> =>
  id().encodeUsing<number>({
    encode: (key) => `${prefix}${key * 7}`,
    decode: (wireId) => (wireId.startsWith(prefix) ? Number(wireId.slice(prefix.length)) / 7 : null),
  })

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: encoded('a'),
  attributes: (a) => ({ title: a.string().sortable() }),
  pagination: cursorPage({ size: 1 }),
})

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: encoded('b'),
})

const libraries = defineResource('libraries', {
  model: model<{ id: number }>('libraries'),
  id: id(),
  relations: {
    items: morphToMany(['albums', 'artists'])
      .through('items', { owner: 'libraryId', member: 'itemId', memberType: 'itemType' })
      .paginate(cursorPage({ size: 1 })),
  },
})

const api = client(
  createServer({
    resources: [albums, artists, libraries],
    data: memoryData({
      albums: [
        { id: 1, title: 'Same' },
        { id: 2, title: 'Same' },
        { id: 3, title: 'Other' },
      ],
      artists: [{ id: 4 }, { id: 5 }],
      libraries: [{ id: 1 }],
      items: [
        { id: 1, libraryId: 1, itemId: 2, itemType: 'albums' },
        { id: 2, libraryId: 1, itemId: 5, itemType: 'artists' },
        { id: 3, libraryId: 1, itemId: 4, itemType: 'artists' },
      ],
    }),
  }),
)

async function walk(path: string): Promise<{ ids: readonly string[]; tokens: readonly string[] }> {
  const ids: string[] = []
  const tokens: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { resources, document } = await api.get(next)
    ids.push(...resources.map((resource) => resource.id))
    const { links } = document as { readonly links: { readonly next?: string } }
    const token = links.next === undefined ? null : new URL(links.next).searchParams.get('page[after]')
    if (token !== null) tokens.push(Buffer.from(token, 'base64url').toString())
    next = links.next?.slice(new URL(links.next).origin.length)
  }
  return { ids, tokens }
}

test('cursors hold ids as clients know them, never the keys behind them', async () => {
  const { ids, tokens } = await walk('/albums?sort=title')
  expect(ids).toEqual(['a21', 'a7', 'a14'])
  expect(tokens).toEqual(['[["title","id"],["Other","a21"]]', '[["title","id"],["Same","a7"]]'])
})

test('over several types each id is that of its own type', async () => {
  const { ids, tokens } = await walk('/libraries/1/items')
  expect(ids).toEqual(['a14', 'b28', 'b35'])
  expect(tokens.map((token) => JSON.parse(token)[1])).toEqual([
    [0, 'a14'],
    [1, 'b28'],
  ])
})

test('an id that has no key is no cursor of this server', async () => {
  const token = Buffer.from('[["title","id"],["Same",1]]').toString('base64url')
  const { errors } = await api.get(`/albums?sort=title&page[after]=${token}`)
  expect(errors).toMatchObject([{ status: '400', code: 'CURSOR_MALFORMED', source: { parameter: 'page[after]' } }])
})
