import type { TestClient, TestDocument, TestResource } from 'ashlar/testing'
import type { TestIdentifier, TestRelationship } from '../../src/tools/testing/test-response.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { linkageWriter } from '../support/linkage-writer.js'
import { shown } from '../support/shown.js'

const pathOf = (link: unknown): string => {
  expect(link).toMatch(/^http:\/\/localhost\//)
  return String(link).slice('http://localhost'.length)
}

/** Returns the document at a link, read once. */
function follower(api: TestClient): (link: unknown) => Promise<TestDocument> {
  const read = new Map<string, TestDocument>()
  return async (link) => {
    const path = pathOf(link)
    const known = read.get(path)
    if (known !== undefined) return known
    const { status, document } = await api.get(path)
    expect(`${status} ${path}`).toBe(`200 ${path}`)
    if (document === undefined) throw new Error(`There is no document at ${path}.`)
    read.set(path, document)
    return document
  }
}

type Data = TestDocument['data']

const listOf = (data: Data | TestRelationship['data']): readonly TestIdentifier[] => [data ?? []].flat()

/** On the default server users are only referred to, so they have no address there. */
const isAddressed = ({ type }: TestIdentifier, path: string): boolean => type !== 'users' || path.startsWith('/admin')

const starts = [
  '/albums?include=artist,tracks&page[size]=2',
  '/albums?filter[title]=o&sort=-title,artist.name&page[size]=1&fields[albums]=title,artist,tracks',
  '/artists?include=albums.tracks',
  '/artists/1/albums?page[size]=1',
  '/artists/1/relationships/albums?page[size]=1&sort=-title',
  '/tracks?page[size]=2',
  '/tracks?page[kind]=cursor&page[size]=2&sort=-trackNumber',
  '/tracks?page[offset]=2&page[limit]=2',
  '/playlists?include=orderedTracks,publicOwner',
  '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c/orderedTracks?page[size]=2',
  '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c/relationships/orderedTracks',
  '/libraries?include=items',
  '/libraries/1/items?page[size]=2&page[number]=2',
  '/favorites?include=favoritable',
  '/products?include=parent',
  '/public-profiles?page[size]=1',
  '/countries',
  '/devices',
  '/admin/albums?page[size]=2',
  '/admin/users',
]

const api = linkageWriter(catalogueServer())
const follow = follower(api)

/** Some relationships are empty. */
beforeAll(async () => {
  expect((await api.replace('/favorites/fav-1d/favoritable', null)).status).toBe(200)
  expect((await api.create('/libraries', {})).status).toBe(201)
})

async function resourcesOf(start: string): Promise<readonly TestResource[]> {
  const { data, included = [] } = await follow(`http://localhost${start}`)
  const primary = [data ?? []].flat() as readonly TestResource[]
  return [...primary, ...included].filter((resource) => 'links' in resource)
}

describe('every link of a document responds 200', () => {
  test.each(starts)('links.self of resources shows the resource: %s', async (start) => {
    for (const resource of await resourcesOf(start)) {
      if (!isAddressed(resource, start)) continue
      expect(shown((await follow(resource.links?.['self'])).data)).toEqual(shown(resource))
    }
  })

  test.each(starts)('self of relationships shows the linkage, related the resources: %s', async (start) => {
    for (const { relationships = {} } of await resourcesOf(start)) {
      for (const { data, links = {} } of Object.values(relationships)) {
        const linkage = links['self'] === undefined ? undefined : (await follow(links['self'])).data
        const related = links['related'] === undefined ? undefined : (await follow(links['related'])).data
        if (linkage !== undefined && related !== undefined) {
          expect(shown(listOf(linkage)).toSorted()).toEqual(shown(listOf(related)).toSorted())
        }
        if (linkage !== undefined && data !== undefined) expect(shown(listOf(data))).toEqual(shown(listOf(linkage)))
      }
    }
  })

  test.each(starts)('links of the document show it again, and its pages: %s', async (start) => {
    const document = await follow(`http://localhost${start}`)
    const { self, first, prev, next, last, related } = document.links ?? {}
    expect((await follow(self)).data).toEqual(document.data)
    for (const link of [first, prev, next, last, related]) if (link !== undefined) await follow(link)
    if (next !== undefined) {
      const following = await follow(next)
      expect((await follow(following.links?.['prev'])).data).toEqual(document.data)
    }
    if (prev !== undefined) {
      const previous = await follow(prev)
      expect((await follow(previous.links?.['next'])).data).toEqual(document.data)
    }
    if (first !== undefined) expect((await follow(first)).links).not.toHaveProperty('prev')
    if (last !== undefined) expect((await follow(last)).links).not.toHaveProperty('next')
  })

  test('walking next from the first page shows every resource once', async () => {
    for (const [start, all] of [
      ['/albums?page[size]=1', 4],
      ['/tracks?page[kind]=cursor&page[size]=2&sort=-trackNumber', 12],
      ['/tracks?page[limit]=2', 12],
    ] as const) {
      const met: string[] = []
      for (let link: unknown = `http://localhost${start}`; link !== undefined; ) {
        const document = await follow(link)
        met.push(...shown(document.data))
        link = document.links?.['next']
      }
      expect(met).toHaveLength(all)
      expect(new Set(met).size).toBe(met.length)
    }
  })
})
