import { createServer, defineResource, type FilterKit, id, model, morphTo, type Server } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one } from '../support/linkage-writer.js'
import { linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'

/** Rows whose type columns have the names of classes, as other programs write them. */
function rows() {
  const linked = linkedRows()
  return {
    ...linked,
    playlists: [
      { id: 1, title: 'Road Trip', dedicatedToId: 1, dedicatedToType: 'Artist' },
      { id: 2, title: 'Rainy Day', dedicatedToId: null, dedicatedToType: null },
      { id: 3, title: 'Night', dedicatedToId: 1, dedicatedToType: 'Label' },
      // The name of the type itself is none of the stored names.
      { id: 4, title: 'Day', dedicatedToId: 1, dedicatedToType: 'artists' },
    ],
    items: [
      { id: 1, playlistId: 1, itemId: 1, itemType: 'Artist' },
      { id: 2, playlistId: 1, itemId: 2, itemType: 'Music::Album' },
      { id: 3, playlistId: 2, itemId: 1, itemType: 'Music::Album' },
    ],
  }
}

const members = { artists: { storedType: 'Artist' }, albums: { storedType: 'Music::Album' } }

const plainMusic = (): Server<readonly []> => linkedMusic({ members, data: storedData(rows()) }) as Server<readonly []>

/** The same with a scope, so that the store has to return whether each related resource is visible. */
const scopedMusic = (): Server<readonly []> => {
  const scoped = { artists: { ...members.artists, scope }, albums: { ...members.albums, scope } }
  return linkedMusic({ members: scoped, data: storedData(rows()) }) as Server<readonly []>
}

const scope = (_context: unknown, f: FilterKit<string>) => f.in('title').fixed(titles)

const titles = [...linkedRows().artists, ...linkedRows().albums].map(({ title }) => title)

describe.each([
  { name: 'a type', music: plainMusic },
  { name: 'a type with a scope', music: scopedMusic },
])('$name whose name in type columns is another one', ({ music }) => {
  test('is read in linkage, at the related address and included', async () => {
    const api = linkageWriter(music())
    const list = await api.get('/playlists?include=dedicatedTo&sort=id')
    expect(list.resources.map(({ relationships }) => relationships?.['dedicatedTo']?.data)).toEqual([
      one('artists', '1'),
      null,
      null,
      null,
    ])
    expect(list.document?.included?.map(({ type, id: key }) => `${type} ${key}`)).toEqual(['artists 1'])
    expect((await api.get('/playlists/1/dedicatedTo')).resource).toMatchObject({ type: 'artists', id: '1' })
    expect((await api.get('/playlists/3/dedicatedTo')).document?.data).toBeNull()
    expect((await api.get('/playlists/1/items')).resources.map(({ type, id: key }) => `${type} ${key}`)).toEqual([
      'artists 1',
      'albums 2',
    ])
  })

  test('has the members that refer to it', async () => {
    const api = linkageWriter(music())
    expect((await api.get('/artists/1/dedications')).resources.map(({ id: key }) => key)).toEqual(['1'])
    expect((await api.get('/artists/1/collections')).resources.map(({ id: key }) => key)).toEqual(['1'])
    const [dedication] = (await api.get('/artists/1/dedications')).resources
    expect(dedication?.relationships?.['dedicatedTo']?.data).toEqual(one('artists', '1'))
    const included = await api.get('/artists/1?include=dedications,collections')
    expect(included.document?.included?.map(({ type, id: key }) => `${type} ${key}`)).toEqual(['playlists 1'])
  })

  test('is written by its stored name, and found again', async () => {
    const api = linkageWriter(music())
    expect((await api.replace('/playlists/2/dedicatedTo', one('albums', '2'))).status).toBe(200)
    expect((await api.get('/playlists/2/relationships/dedicatedTo')).document?.data).toEqual(one('albums', '2'))
    expect((await api.replace('/artists/2/dedications', [one('playlists', '3'), one('playlists', '4')])).status).toBe(
      200,
    )
    expect((await api.get('/playlists/3/relationships/dedicatedTo')).document?.data).toEqual(one('artists', '2'))
    expect((await api.remove('/artists/2/dedications', [one('playlists', '4')])).status).toBe(200)
    expect((await api.get('/playlists/4/relationships/dedicatedTo')).document?.data).toBeNull()
    const wanted = [one('artists', '3'), one('albums', '2')]
    expect((await api.replace('/playlists/1/items', wanted)).status).toBe(200)
    expect((await api.get('/playlists/1/relationships/items')).document?.data).toEqual(wanted)
    expect((await api.remove('/playlists/1/items', [one('albums', '2')])).status).toBe(200)
    expect((await api.get('/artists/3/collections')).resources.map(({ id: key }) => key)).toEqual(['1'])
    const made = await api.create('/playlists', { dedicatedTo: one('artists', '3') })
    expect((await api.get('/artists/3/dedications')).resources.map(({ id: key }) => key)).toEqual([made.resource.id])
  })
})

test('two types of one relation cannot have the same stored name', () => {
  const titled = { attributes: (a: { string(): never }) => ({ title: a.string() }) }
  const named = (type: string, storedType: unknown) =>
    defineResource(type, {
      model: model<{ id: number; title: string }>(type),
      id: id(),
      ...titled,
      storedType,
    } as never)
  const likes = defineResource('likes', {
    model: model<{ id: number; itemId: number; itemType: string }>('likes'),
    id: id(),
    relations: { item: morphTo(['albums', 'tracks']) },
  })
  const build =
    (...types: readonly unknown[]) =>
    () =>
      createServer({
        resources: [...types, likes] as never,
        data: storedData({ albums: [], tracks: [], likes: [] }),
        access: 'open',
      })
  expect(build(named('albums', 'Item'), named('tracks', 'Item'))).toThrow(
    "cannot distinguish 'tracks' from 'albums': both have the storedType 'Item'",
  )
  expect(build(named('albums', 7), named('tracks', 'Item'))).toThrow('storedType')
})
