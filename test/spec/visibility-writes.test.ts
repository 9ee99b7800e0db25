import { belongsTo, belongsToMany, createServer, defineResource, id, model, type RequestContext } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { one, linkageWriter } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

const staff = { headers: { 'X-Staff': 'yes' } }
const isStranger = ({ request }: RequestContext): boolean => request?.header('x-staff') !== 'yes'

const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id() })

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; margin: number | null; note: string | null; labelId: number | null }>(
    'albums',
  ),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    // Strangers neither see nor write it, although it is required.
    margin: a
      .integer()
      .nullable()
      .required()
      .hidden((_row, context) => isStranger(context)),
    // Strangers see it in rows that have none.
    note: a
      .string()
      .nullable()
      .hidden((row, context) => row.note !== null && isStranger(context)),
  }),
  relations: {
    label: belongsTo('labels').hidden((_row, context) => isStranger(context)),
    others: belongsToMany('labels')
      .through('deals', { owner: 'albumId', member: 'labelId' })
      .fields((a) => ({
        share: a
          .integer()
          .nullable()
          .hidden((_row, context) => isStranger(context)),
      })),
  },
})

function music(unknownMembers: 'ignore' | 'reject' = 'ignore') {
  const data = storedData({
    labels: [{ id: 1 }, { id: 2 }],
    albums: [
      { id: 1, title: 'Kid A', margin: 10, note: 'secret', labelId: 1 },
      { id: 2, title: 'Amnesiac', margin: 20, note: null, labelId: 1 },
    ],
    deals: [{ id: 1, albumId: 1, labelId: 1, share: 50 }],
  })
  return linkageWriter(createServer({ resources: [labels, albums], data, unknownMembers }))
}

const album = (attributes: object, relationships: object = {}, key?: string) => ({
  body: { data: { type: 'albums', ...(key === undefined ? {} : { id: key }), attributes, relationships } },
})
const label = { label: { data: one('labels', '2') } }

describe('a field that is hidden from the caller is an unknown member of its writes', () => {
  test('of a create', async () => {
    const api = music()
    const { resource } = await api.post('/albums', album({ title: 'Demos', margin: 99, note: 'mine' }, label))
    const stored = (await api.get(`/albums/${resource.id}`, staff)).resource
    // The new row would hide the note.
    expect(stored.attributes).toEqual({ title: 'Demos', margin: null, note: null })
    expect(stored.relationships?.['label']?.data).toBeNull()
  })

  test('of an update', async () => {
    const api = music()
    expect((await api.patch('/albums/1', album({ title: 'Kid B', margin: 99, note: 'x' }, label, '1'))).status).toBe(
      200,
    )
    const stored = (await api.get('/albums/1', staff)).resource
    expect(stored.attributes).toEqual({ title: 'Kid B', margin: 10, note: 'secret' })
    expect(stored.relationships?.['label']?.data).toEqual(one('labels', '1'))
  })

  test('also if only the row after the write hides it', async () => {
    const api = music()
    const sent = album({ note: 'x', title: 'Amnesia' }, {}, '2')
    expect((await api.patch('/albums/2', sent)).status).toBe(200)
    const { attributes } = (await api.get('/albums/2', staff)).resource
    expect(attributes).toMatchObject({ note: null, title: 'Amnesia' })
    expect((await api.patch('/albums/2', { ...sent, ...staff })).status).toBe(200)
    expect((await api.get('/albums/2', staff)).resource.attributes).toMatchObject({ note: 'x' })
  })

  test('of a join row', async () => {
    const api = music()
    await api.replace('/albums/1/others', [one('labels', '1', { share: 1 }), one('labels', '2', { share: 2 })])
    const { document } = await api.get('/albums/1/relationships/others', staff)
    expect(document?.data).toEqual([one('labels', '1', { share: 50 }), one('labels', '2', { share: null })])
  })

  test('which is 422 if unknown members are refused', async () => {
    const api = music('reject')
    const refused = [
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/margin' },
      { status: 422, code: 'RELATIONSHIP_UNRECOGNIZED', pointer: '/data/relationships/label' },
    ]
    expectErrors(await api.post('/albums', album({ margin: 99 }, label)), refused)
    expectErrors(await api.patch('/albums/1', album({ margin: 99 }, label, '1')), refused)
    const note = { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/note' }
    expectErrors(await api.patch('/albums/1', album({ note: 'x' }, {}, '1')), [note])
  })

  test('and is written by callers who see it', async () => {
    const api = music('reject')
    const body = album({ title: 'Kid B', margin: 99, note: 'x' }, label, '1')
    expect((await api.patch('/albums/1', { ...body, ...staff })).resource.attributes).toEqual({
      title: 'Kid B',
      margin: 99,
      note: 'x',
    })
  })
})
