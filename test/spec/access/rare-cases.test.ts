import { belongsTo, createServer, defineResource, id, model, morphTo } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/** Cases that the declarations of the walk do not have. */

const labels = defineResource('labels', {
  model: model<{ readonly id: number; readonly level: number; readonly owner: number }>('labels'),
  id: id(),
  attributes: (a) => ({ level: a.integer() }),
  policy: (p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
})

interface Artist {
  readonly id: number
  readonly level: number
  readonly labelId: number | null
}

const artists = defineResource('artists', {
  model: model<Artist>('artists'),
  id: id(),
  attributes: (a) => ({
    level: a.integer().compareWith('labelLevel', '<='),
    labelLevel: a.integer().on('label').storedAs('level').nullable().readOnly(),
  }),
  relations: { label: belongsTo('labels').nullable().withData() },
  policy: () => ({ viewAny: true, view: true, create: true, update: true }),
})

const singles = defineResource('singles', {
  model: model<{ readonly id: number; readonly title: string; readonly labelId: number | null }>('singles'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { label: belongsTo('labels').nullable().withData() },
  defaults: () => ({ labelId: 1 }),
  policy: () => ({ viewAny: true, view: true, create: true }),
})

/** Covers are invisible without credentials, whatever `view` decides. */
const covers = defineResource('covers', {
  model: model<{ readonly id: number }>('covers'),
  id: id(),
  policy: () => ({ before: ({ caller }) => (caller === null ? false : null), viewAny: true, view: true }),
})

const notes = defineResource('notes', {
  model: model<{ readonly id: number; readonly subjectId: number; readonly subjectType: string }>('notes'),
  id: id(),
  relations: { subject: morphTo(['covers', 'labels']).withData() },
  policy: () => ({ viewAny: true, view: true }),
})

interface Album {
  readonly id: number
  readonly title: string
  readonly deletedAt: Date | null
}

/** Shows only deleted rows. */
const albums = defineResource('albums', {
  model: model<Album>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  softDeletes: true,
  policy: (p) => ({ viewAny: true, view: p.isNotNull('deletedAt'), restore: true }),
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    labels: [{ id: 1, level: 3, owner: 1 }],
    artists: [{ id: 1, level: 1, labelId: null }],
    singles: [{ id: 1, title: 'One', labelId: 1 }],
    albums: [{ id: 1, title: 'One', deletedAt: new Date(0) }],
    covers: [{ id: 1 }],
    notes: [
      { id: 1, subjectId: 1, subjectType: 'covers' },
      { id: 2, subjectId: 1, subjectType: 'labels' },
    ],
  })
  const resources = [labels, artists, singles, albums, covers, notes] as const
  send = sender(createServer({ resources, data, middleware: [byNumber] }))
})

const linked = (type: string, of: string) => ({ [type.slice(0, -1)]: { data: { type, id: of } } })

const updateArtist = (as: number, level: number, label: string) => {
  const data = { type: 'artists', id: '1', attributes: { level }, relationships: linked('labels', label) }
  return send('PATCH', '/artists/1', { as, body: { data } })
}

test('sent values are not compared with a value of a row that the caller cannot see', async () => {
  expect((await updateArtist(1, 5, '1')).status).toBe(422)
  // The same response as for a label that does not exist.
  const [hidden, missing] = [await updateArtist(2, 5, '1'), await updateArtist(2, 5, '7')]
  expect([hidden.status, hidden.text.replaceAll("'1'", "'7'")]).toEqual([missing.status, missing.text])
  expect((await updateArtist(1, 2, '1')).status).toBe(200)
})

test('the response to a create does not name a row that the caller cannot see, whatever the source of its key', async () => {
  const body = { data: { type: 'singles', attributes: { title: 'New' } } }
  const labelOf = async (as: number): Promise<unknown> => {
    const { resource } = await send('POST', '/singles', { as, body })
    return resource.relationships?.['label']?.data
  }
  expect(await labelOf(1)).toEqual({ type: 'labels', id: '1' })
  expect(await labelOf(2)).toBeNull()
  const { resource } = await send('GET', '/singles/1', { as: 2 })
  expect(resource.relationships?.['label']?.data).toBeNull()
})

test('a row that would be invisible is not restored', async () => {
  const { status } = await send('POST', '/albums/1/-actions/restore', { as: 1 })
  expect(status).toBe(403)
})

const subjects = async (as?: number): Promise<readonly unknown[]> => {
  const { resources } = await send('GET', '/notes', as === undefined ? {} : { as })
  return resources.map(({ relationships }) => relationships?.['subject']?.data)
}

test('linkage to one of several types names no row that the caller cannot see, by its rule or by before', async () => {
  expect(await subjects()).toEqual([null, null])
  expect(await subjects(1)).toEqual([
    { type: 'covers', id: '1' },
    { type: 'labels', id: '1' },
  ])
  expect(await subjects(2)).toEqual([{ type: 'covers', id: '1' }, null])
})
