import { createServer, cursorPage, defineResource, hasMany, id, model, numberPage, pageMenu } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { parametersOf } from '../support/described-parameters.js'
import { client } from '../support/client.js'

interface Row {
  id: number
  title: string
  artistId: number
}

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

interface Lists {
  readonly paginator: AnyPaginator | null
  readonly countable: boolean
}

/** A server whose albums are a collection, and a relation of each artist, with the same pages. */
function serverWith({ paginator, countable }: Lists, settings: object = {}) {
  const albums = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    pagination: () => paginator,
    countable,
  })
  const relation = hasMany('albums').via('artistId')
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { albums: countable ? relation.countable() : relation },
  })
  const rows = [1, 2, 3].map((each) => ({ id: each, title: `Album ${each}`, artistId: 1 }))
  const data = memoryData({ albums: rows, artists: [{ id: 1, name: 'Radiohead' }] })
  return createServer({ resources: [albums, artists], data, ...settings })
}

function described(server: ReturnType<typeof serverWith>) {
  const { paths, components } = server.openapi() as Loose
  const { schemas } = components as Loose
  const { meta } = schemas['AlbumsCollection'].properties as Loose
  const pages = [meta.properties.page?.$ref ?? meta.properties.page?.anyOf].flat().filter(Boolean) as (
    | string
    | { readonly $ref: string }
  )[]
  const names = pages.map((each) => (typeof each === 'string' ? each : each.$ref).split('/').at(-1) ?? '')
  return {
    total: 'total' in meta.properties,
    required: meta.required as unknown,
    pages: names.map((name) => [name, Object.keys(schemas[name].properties), schemas[name].required] as const),
    ofLinkage: schemas['ArtistsAlbumsRelationshipDocument'].properties.meta as Loose,
    ofRelationship: schemas['ArtistsAlbumsRelationship'].properties.meta as Loose,
    isMetaRequired: schemas['AlbumsCollection'].required.includes('meta') as boolean,
    countsOf: (path: string) =>
      (parametersOf(server.openapi(), paths[path].get).find(({ name }) => name === 'withCount')?.schema as Loose)?.[
        'items'
      ].enum as unknown,
  }
}

/** Reads the lists, each as it is and with its total, and holds the responses to the document. */
async function readAll(server: ReturnType<typeof serverWith>, isCountable: boolean): Promise<readonly unknown[]> {
  const api = client(server, { isDescribed: 'always' })
  const headers = { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }
  const paths = ['/albums', '/artists/1/albums', '/artists/1/relationships/albums']
  const totals: unknown[] = []
  for (const path of isCountable ? paths.flatMap((each) => [each, `${each}?withCount=_self_`]) : paths) {
    totals.push((await api.get(path, { headers })).document?.meta?.['total'])
  }
  return totals
}

const none = undefined

describe('the total of a list is described', () => {
  test('as always present, if the list is shown whole', async () => {
    const server = serverWith({ paginator: null, countable: false })
    const { total, required, pages, isMetaRequired, countsOf } = described(server)
    expect({ total, required, pages, isMetaRequired }).toEqual({
      total: true,
      required: ['total'],
      pages: [],
      isMetaRequired: true,
    })
    expect(countsOf('/albums')).toBeUndefined()
    expect(await readAll(server, false)).toEqual([3, 3, 3])
  })

  test('as always present, if all its pages are counted', async () => {
    const server = serverWith({ paginator: numberPage().withCount(), countable: false })
    const { required, pages, ofLinkage } = described(server)
    expect(required).toEqual(['page', 'total'])
    const members = ['currentPage', 'perPage', 'from', 'to', 'total', 'lastPage']
    expect(pages).toEqual([['CountedNumberPageMeta', [...members, 'unlinked'], members]])
    expect(ofLinkage['properties']).toHaveProperty('total')
    expect(await readAll(server, false)).toEqual([3, 3, none])
  })

  test('as present on demand next to an estimate, which takes its place', async () => {
    const server = serverWith({ paginator: numberPage().withCount().estimable(), countable: false })
    const { required, pages, ofLinkage } = described(server)
    expect(required).toEqual(['page'])
    const members = ['currentPage', 'perPage', 'from', 'to']
    expect(pages).toEqual([
      ['EstimableCountableNumberPageMeta', [...members, 'total', 'lastPage', 'estimatedTotal', 'unlinked'], members],
    ])
    expect(Object.keys(ofLinkage['properties'].page.properties)).toEqual(['estimatedTotal', 'unlinked'])
    const { paths } = server.openapi() as Loose
    const page = parametersOf(server.openapi(), paths['/albums'].get).find(({ name }) => name === 'page')
    expect((page as Loose)['schema'].properties.count).toMatchObject({ type: 'string', const: 'estimate' })
    expect(await readAll(server, false)).toEqual([3, 3, none])
  })

  test('as present on demand, if clients may request it', async () => {
    const server = serverWith({ paginator: numberPage(), countable: true })
    const { total, required, pages, ofLinkage, ofRelationship, countsOf } = described(server)
    expect([total, required]).toEqual([true, ['page']])
    const members = ['currentPage', 'perPage', 'from', 'to']
    expect(pages).toEqual([['CountableNumberPageMeta', [...members, 'total', 'lastPage', 'unlinked'], members]])
    expect(ofLinkage['properties']).toHaveProperty('total')
    expect(ofRelationship['properties']).toHaveProperty('total')
    expect(countsOf('/albums')).toEqual(['_self_'])
    expect(countsOf('/artists/{id}/albums')).toEqual(['_self_'])
    expect(countsOf('/artists/{id}/relationships/albums')).toEqual(['_self_'])
    expect(countsOf('/artists')).toEqual(['albums'])
    expect(await readAll(server, true)).toEqual([none, 3, none, 3, none, 3])
  })

  test('as missing, if clients cannot request it', async () => {
    const server = serverWith({ paginator: numberPage(), countable: false })
    const { total, required, pages, ofLinkage, ofRelationship } = described(server)
    expect([total, required]).toEqual([false, ['page']])
    const members = ['currentPage', 'perPage', 'from', 'to']
    expect(pages).toEqual([['NumberPageMeta', [...members, 'unlinked'], members]])
    expect([ofLinkage, ofRelationship]).toEqual([
      { type: 'object', properties: { page: expect.objectContaining({ type: 'object' }) } },
      { $ref: '#/components/schemas/Meta' },
    ])
    expect(await readAll(server, false)).toEqual([none, none, none])
  })

  test('as missing, if the server has not registered the profile', () => {
    const { total, pages, ofRelationship, countsOf } = described(
      serverWith({ paginator: numberPage(), countable: true }, { profiles: [] }),
    )
    expect([total, pages[0]?.[0], countsOf('/albums')]).toEqual([false, 'NumberPageMeta', undefined])
    expect(ofRelationship).toEqual({ $ref: '#/components/schemas/Meta' })
  })

  test('as missing from cursor pages, for which it cannot be requested either', async () => {
    const server = serverWith({ paginator: cursorPage(), countable: true })
    const { total, pages, countsOf } = described(server)
    expect([total, pages.map(([name]) => name)]).toEqual([false, ['CursorPageMeta']])
    expect(countsOf('/albums')).toBeUndefined()
    expect(countsOf('/artists/{id}/relationships/albums')).toEqual(['_self_'])
    expect(await readAll(server, false)).toEqual([none, none, none])
  })

  test('for each kind of a menu', async () => {
    const paginator = pageMenu([numberPage().withCount(), cursorPage()])
    const server = serverWith({ paginator, countable: false })
    const { total, required, pages } = described(server)
    expect([total, required]).toEqual([true, ['page']])
    expect(pages.map(([name]) => name)).toEqual(['CountedNumberPageMeta', 'CursorPageMeta'])
    expect(await readAll(server, false)).toEqual([3, 3, none])
  })
})
