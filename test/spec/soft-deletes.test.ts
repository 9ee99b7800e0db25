import {
  type ActionKit,
  belongsTo,
  hasMany,
  reply,
  type FilterKit,
  HttpError,
  metaResult,
  type RequestContext,
} from 'ashlar'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { trashServer } from '../support/trashed-music.js'

const idsOf = ({ resources }: TestResponse): readonly string[] => resources.map(({ id }) => id)
const countable = {
  Accept: 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"',
}
const relationshipQueries = {
  Accept: 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/relationship-queries/"',
}

describe('a delete', () => {
  test('marks the row with the current time, and responds like every delete', async () => {
    const api = client(trashServer())
    const before = Date.now()
    const response = await api.delete('/albums/1')
    expect([response.status, response.text]).toEqual([204, ''])
    const [trashed] = (await api.get('/albums?filter[onlyTrashed]=true&filter[title]=OK Computer')).resources
    expect(trashed?.attributes?.['title']).toBe('OK Computer')
    const deletedAt = new Date(String(trashed?.attributes?.['deletedAt'])).getTime()
    expect(deletedAt).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000)
    expect(deletedAt).toBeLessThanOrEqual(Date.now())
  })

  test('of a deleted resource is 404', async () => {
    const api = client(trashServer())
    expectErrors(await api.delete('/albums/2'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('runs the hooks of deletes, and none of updates', async () => {
    const ran: string[] = []
    const hooks = Object.fromEntries(
      ['beforeSave', 'beforeUpdate', 'beforeDelete', 'afterUpdate', 'afterSave', 'afterDelete'].map((name) => [
        name,
        () => void ran.push(name),
      ]),
    )
    const api = client(trashServer({ hooks }))
    await api.delete('/albums/1')
    expect(ran).toEqual(['beforeDelete', 'afterDelete'])
    await api.post('/albums/1/-actions/restore')
    expect(ran).toEqual(['beforeDelete', 'afterDelete'])
  })

  test('may be refused by a hook, and then nothing is marked', async () => {
    const hooks = {
      beforeDelete: () => {
        throw new HttpError(403)
      },
    }
    const api = client(trashServer({ hooks }))
    expectErrors(await api.delete('/albums/1'), [{ status: 403 }])
    expect((await api.get('/albums/1')).status).toBe(200)
  })
})

describe('a row in the trash does not exist', () => {
  test('not in the collection, and not in its count', async () => {
    const response = await client(trashServer()).get('/albums?withCount=_self_', { headers: countable })
    expect(idsOf(response)).toEqual(['1', '3'])
    expect(response.document?.meta).toMatchObject({ page: { total: 2 } })
  })

  test('not at its own URL, for any operation', async () => {
    const api = client(trashServer())
    const body = resourceBody('albums', { title: 'x' }, '2')
    const responses = [
      await api.get('/albums/2'),
      await api.patch('/albums/2', { body }),
      await api.delete('/albums/2'),
      await api.get('/albums/2/artist'),
      await api.get('/albums/2/relationships/artist'),
      await api.patch('/albums/2/relationships/artist', { body: { data: null } }),
    ]
    for (const response of responses) expectErrors(response, [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('not as a related resource, of any kind of relation', async () => {
    const api = client(trashServer())
    expect(idsOf(await api.get('/artists/1/albums'))).toEqual(['1'])
    expect((await api.get('/artists/1/favourite')).document?.data).toBe(null)
    expect((await api.get('/artists/3/debut')).document?.data).toBe(null)
    expect(idsOf(await api.get('/shelves/1/albums'))).toEqual(['1'])
    expect((await api.get('/shelves/1/item')).document?.data).toBe(null)
    expect((await api.get('/shelves/1/things')).resources.map(({ type }) => type)).toEqual(['artists'])
  })

  test('not in linkage, neither at its own URL nor in its owner', async () => {
    const api = client(trashServer())
    const album = { type: 'albums', id: '1' }
    expect((await api.get('/artists/1/relationships/albums')).document?.data).toEqual([album])
    expect((await api.get('/artists/1/relationships/favourite')).document?.data).toBe(null)
    const { relationships } = (await api.get('/artists/1')).resource
    expect(relationships?.['albums']?.data).toEqual([album])
    expect(relationships?.['favourite']?.data).toBe(null)
    const shelf = (await api.get('/shelves/1')).resource.relationships
    expect(shelf?.['item']?.data).toBe(null)
    expect(shelf?.['albums']?.data).toEqual([album])
    expect(shelf?.['things']?.data).toEqual([{ type: 'artists', id: '1' }])
  })

  test('not among included resources', async () => {
    const response = await client(trashServer()).get('/artists?include=albums,favourite')
    expect(response.document?.included?.map(({ id }) => id)).toEqual(['1', '3'])
  })

  test('not in the counts of relations', async () => {
    const response = await client(trashServer()).get('/artists?withCount=albums', { headers: countable })
    expect(response.resources.map(({ relationships }) => relationships?.['albums']?.meta)).toEqual([
      { total: 1 },
      { total: 1 },
      { total: 0 },
    ])
  })

  test('not on the paths of filters and sorts', async () => {
    const api = client(trashServer())
    expect(idsOf(await api.get('/artists?filter[withAlbums]='))).toEqual(['1', '2'])
    expect(idsOf(await api.get('/artists?filter[album]=Debut'))).toEqual([])
    // Without an existing favourite, an artist comes last.
    expect(idsOf(await api.get('/artists?sort=favourite'))).toEqual(['2', '1', '3'])
  })

  test('not for writes of linkage', async () => {
    const api = client(trashServer())
    const body = { data: { type: 'albums', id: '2' } }
    expectErrors(await api.patch('/artists/2/relationships/favourite', { body }), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
  })

  test('not for user-defined actions', async () => {
    const over = {
      actions: (a: ActionKit<RowObject>) => ({
        play: a.resource({ responds: metaResult(), handle: () => reply.meta({}) }),
      }),
    }
    const api = client(trashServer(over))
    expect((await api.post('/albums/1/-actions/play')).status).toBe(200)
    expectErrors(await api.post('/albums/2/-actions/play'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })
})

describe('restore', () => {
  test('restores a row unchanged', async () => {
    const api = client(trashServer())
    const response = await api.post('/albums/2/-actions/restore?include=artist')
    expect(response.status).toBe(200)
    expect(response.resource).toMatchObject({ id: '2', attributes: { title: 'Pablo Honey', deletedAt: null } })
    expect(response.document?.included).toMatchObject([{ type: 'artists', id: '1' }])
    expect(idsOf(await api.get('/artists/1/albums'))).toEqual(['1', '2'])
  })

  test('returns a row that is not deleted unchanged', async () => {
    const api = client(trashServer())
    expect((await api.post('/albums/1/-actions/restore')).resource).toMatchObject({ id: '1' })
    expectErrors(await api.post('/albums/9/-actions/restore'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('is a link of resources in the trash, and of no others', async () => {
    const api = client(trashServer())
    const links = (await api.get('/albums?filter[withTrashed]=true&fields[albums]=title')).resources.map(
      (album) => album.links,
    )
    expect(links).toEqual([
      { self: 'http://localhost/albums/1' },
      {
        self: 'http://localhost/albums/2',
        restore: { href: 'http://localhost/albums/2/-actions/restore', meta: { method: 'POST' } },
      },
      { self: 'http://localhost/albums/3' },
      {
        self: 'http://localhost/albums/4',
        restore: { href: 'http://localhost/albums/4/-actions/restore', meta: { method: 'POST' } },
      },
    ])
  })
})

describe('force-delete', () => {
  test('deletes permanently, both resources in the trash and others', async () => {
    const api = client(trashServer())
    for (const path of ['/albums/1/-actions/force-delete', '/albums/2/-actions/force-delete']) {
      const response = await api.post(path)
      expect([response.status, response.text]).toEqual([204, ''])
      expectErrors(await api.post(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    }
    expect(idsOf(await api.get('/albums?filter[withTrashed]=true'))).toEqual(['3', '4'])
  })

  test('runs the hooks of deletes, which may refuse it or replace the response', async () => {
    const calls: unknown[] = []
    const hooks = {
      beforeDelete: (row: { id: number }, { operation }: { operation: string }) => {
        calls.push([row.id, operation])
        if (row.id === 1) throw new HttpError(403)
      },
      afterDelete: (row: { title: string }) => reply.meta({ gone: row.title }),
    }
    const api = client(trashServer({ hooks }))
    expectErrors(await api.post('/albums/1/-actions/force-delete'), [{ status: 403 }])
    expect((await api.get('/albums/1')).status).toBe(200)
    expect((await api.post('/albums/2/-actions/force-delete')).document?.meta).toEqual({ gone: 'Pablo Honey' })
    expect(calls).toEqual([
      [1, 'CustomAction'],
      [2, 'CustomAction'],
    ])
  })
})

describe('filters for the trash', () => {
  const lists = [
    ['withTrashed', ['1', '2', '3', '4'], ['1', '2']],
    ['onlyTrashed', ['2', '4'], ['2']],
  ] as const

  test.each(lists)('%s=true applies to collections, and to related ones', async (key, all, ofArtist) => {
    const api = client(trashServer())
    expect(idsOf(await api.get(`/albums?filter[${key}]=true`))).toEqual(all)
    expect(idsOf(await api.get(`/artists/1/albums?filter[${key}]=1`))).toEqual(ofArtist)
    const linkage = (await api.get(`/artists/1/relationships/albums?filter[${key}]=yes`)).document?.data
    expect(linkage).toEqual(ofArtist.map((id) => ({ type: 'albums', id })))
  })

  test.each(lists)('%s is a boolean, and without effect when it is false', async (key) => {
    const api = client(trashServer())
    for (const no of ['false', '0', ''])
      expect(idsOf(await api.get(`/albums?filter[${key}]=${no}`))).toEqual(['1', '3'])
    expectErrors(await api.get(`/albums?filter[${key}]=perhaps`), [
      { status: 400, code: 'FILTER_VALUE_INVALID', parameter: `filter[${key}]` },
    ])
  })

  test('are combined with others, and only wins over with', async () => {
    const api = client(trashServer())
    expect(idsOf(await api.get('/albums?filter[withTrashed]=true&filter[title]=Debut'))).toEqual(['4'])
    expect(idsOf(await api.get('/albums?filter[withTrashed]=true&filter[onlyTrashed]=true'))).toEqual(['2', '4'])
  })

  test('apply to that list only: rows related to its members stay hidden', async () => {
    const response = await client(trashServer()).get('/albums?filter[withTrashed]=true&include=artist.albums')
    expect(idsOf(response)).toEqual(['1', '2', '3', '4'])
    const radiohead = response.document?.included?.find(({ type, id }) => type === 'artists' && id === '1')
    expect(radiohead?.relationships?.['albums']?.data).toEqual([{ type: 'albums', id: '1' }])
  })

  test('leave the linkage of an included resource to a shown one in the trash null', async () => {
    const relations = { artist: belongsTo('artists'), fans: hasMany('artists').via('favouriteId') }
    const response = await client(trashServer({ relations })).get('/albums?filter[withTrashed]=true&include=fans')
    const favourites = response.document?.included?.map(({ id, relationships }) => [
      id,
      relationships?.['favourite']?.data,
    ])
    expect(favourites).toEqual([
      ['1', null],
      ['2', { type: 'albums', id: '3' }],
    ])
  })

  test('show the resource of a to-one relation', async () => {
    const api = client(trashServer())
    expect((await api.get('/artists/1/favourite?filter[withTrashed]=true')).resource).toMatchObject({ id: '2' })
    expect((await api.get('/artists/1/relationships/favourite?filter[withTrashed]=true')).document?.data).toEqual({
      type: 'albums',
      id: '2',
    })
  })

  test('apply to relationships in relationship queries, and to their counts', async () => {
    const api = client(trashServer())
    const path = '/artists/1?include=albums&relatedQuery[albums][filter][onlyTrashed]=true'
    const response = await api.get(path, { headers: relationshipQueries })
    expect(response.document?.included?.map(({ id }) => id)).toEqual(['2'])
    const both = `${relationshipQueries.Accept.slice(0, -1)} ${countable.Accept.split('"')[1]}"`
    const counted = await api.get(`${path}&withCount=albums`, { headers: { Accept: both } })
    expect(counted.resource.relationships?.['albums']?.meta).toMatchObject({ total: 1 })
  })

  test('are counted and paged like other lists', async () => {
    const path = '/albums?filter[onlyTrashed]=true&page[size]=1&page[number]=2&withCount=_self_'
    const response = await client(trashServer()).get(path, { headers: countable })
    expect(idsOf(response)).toEqual(['4'])
    expect(response.document?.meta).toMatchObject({ page: { total: 2 } })
  })

  test('do not change the scope', async () => {
    const over = { scope: (_context: RequestContext, f: FilterKit<string>) => f.where('artistId').fixed(1) }
    const api = client(trashServer(over))
    expect(idsOf(await api.get('/albums?filter[withTrashed]=true'))).toEqual(['1', '2'])
    expectErrors(await api.post('/albums/4/-actions/restore'), [{ status: 404 }])
    expectErrors(await api.post('/albums/4/-actions/force-delete'), [{ status: 404 }])
    expect((await api.post('/albums/2/-actions/restore')).status).toBe(200)
  })

  test('cannot be used in a scope: it would hide nothing', async () => {
    const over = { scope: (_context: RequestContext, f: FilterKit<string>) => f.withTrashed() }
    const api = client(trashServer(over, { logger: null }))
    expectErrors(await api.get('/albums'), [{ status: 500 }])
  })
})

describe('options', () => {
  test('name the paths of the actions, or remove them', async () => {
    const api = client(trashServer({ softDeletes: { restorePath: 'bring-back', forceDelete: false } }))
    expect((await api.post('/albums/2/-actions/bring-back')).status).toBe(200)
    for (const path of ['restore', 'force-delete']) {
      expectErrors(await api.post(`/albums/2/-actions/${path}`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    }
  })

  test('without a delete there are no actions, unless they are requested', async () => {
    const operations = ['FetchCollection', 'FetchOne']
    const closed = client(trashServer({ operations }))
    expectErrors(await closed.post('/albums/2/-actions/restore'), [{ status: 404 }])
    expectErrors(await closed.post('/albums/2/-actions/force-delete'), [{ status: 404 }])
    expect(idsOf(await closed.get('/albums'))).toEqual(['1', '3'])
    const open = client(trashServer({ operations, softDeletes: { restore: true } }))
    expect((await open.post('/albums/2/-actions/restore')).status).toBe(200)
    expectErrors(await open.post('/albums/2/-actions/force-delete'), [{ status: 404 }])
  })
})
