import { createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import { expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/**
 * A write reads the current members in the default order of its own caller. Only caller 9 sees the titles that they are ordered by:
 * for the others, the order of another request would reveal them.
 */

const maySeeTitles = ({ caller }: RequestContext): boolean => caller !== null && idOf(caller) === 9

const tracks = defineResource('tracks', {
  model: model<{ readonly id: number; readonly title: string; readonly albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({
    title: a
      .string()
      .sortable()
      .writeOnly((context) => context === null || !maySeeTitles(context)),
  }),
  defaultSort: ['title'],
  policy: 'public',
})

/** Albums note the tracks that the last write gave them, in their order. */
const albums = defineResource('albums', {
  model: model<{ readonly id: number; readonly listing: string }>('albums'),
  id: id(),
  attributes: (a) => ({ listing: a.string().readOnly() }),
  relations: {
    tracks: hasMany('tracks')
      .via('albumId')
      .fillUsing((_row, members) => ({
        listing: (members as readonly { readonly id: string }[]).map((member) => member.id).join(' '),
      })),
  },
  policy: () => ({ viewAny: true, view: true, update: true }),
})

test.each([{ callers: [9, 1, 9, 1] }, { callers: [1, 9, 1, 9] }])(
  'a write has the members in the order of its caller, whoever wrote before: $callers',
  async ({ callers }) => {
    const data = storedData({
      albums: [{ id: 1, listing: '' }],
      tracks: [
        { id: 1, title: 'Lucky', albumId: 1 },
        { id: 2, title: 'Electioneering', albumId: 1 },
        { id: 3, title: 'Airbag', albumId: 1 },
        { id: 4, title: 'Lull', albumId: null },
      ],
    })
    const send = sender(createServer({ resources: [albums, tracks], data, middleware: [byNumber] }))
    for (const as of callers) {
      const body = { data: [{ type: 'tracks', id: '4' }] }
      expect((await send('POST', '/albums/1/relationships/tracks', { as, body })).status).toBe(200)
      const { attributes } = (await send('GET', '/albums/1', { as })).resource
      expect(attributes).toEqual({ listing: as === 9 ? '3 2 1 4' : '1 2 3 4' })
    }
  },
)
