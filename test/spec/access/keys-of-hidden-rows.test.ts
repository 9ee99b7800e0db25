import { belongsTo, createServer, cursorPage, defineResource, id, model } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, idsIn, sender } from './access-client.js'

/** A filter or a sort on the column of a foreign key sees no more than the linkage of the relation. */

const labels = defineResource('labels', {
  model: model<{ readonly id: number; readonly owner: number }>('labels'),
  id: id(),
  policy: (p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
})

const artists = defineResource('artists', {
  model: model<{ readonly id: number; readonly labelId: number | null }>('artists'),
  id: id(),
  relations: { label: belongsTo('labels').nullable() },
  filters: (f) => ({
    key: f.where('labelId'),
    other: f.where('labelId', '!='),
    keys: f.in('labelId'),
    none: f.isNull('labelId'),
    some: f.isNotNull('labelId'),
    either: f.any({ key: f.where('labelId'), id: f.where('id') }),
  }),
  sorts: (s) => ({ key: s.field('labelId') }),
  pagination: cursorPage(),
  policy: 'public',
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    labels: [
      { id: 1, owner: 1 },
      { id: 2, owner: 2 },
      { id: 3, owner: 1 },
    ],
    artists: [
      { id: 1, labelId: 3 },
      { id: 2, labelId: 2 },
      { id: 3, labelId: null },
      { id: 4, labelId: 1 },
    ],
  })
  send = sender(createServer({ resources: [labels, artists], data, middleware: [byNumber] }))
})

test.each([
  ['filter[key]=1', ['4'], []],
  ['filter[key]=2', [], ['2']],
  ['filter[other]=1', ['1'], ['2']],
  ['filter[keys]=1,2,3', ['1', '4'], ['2']],
  ['filter[none]=1', ['2', '3'], ['1', '3', '4']],
  ['filter[some]=1', ['1', '4'], ['2']],
  ['filter[either]=2', ['2'], ['2']],
  ['filter[either]=1', ['1', '4'], ['1']],
] as const)('%s', async (query, ofFirst, ofSecond) => {
  expect(idsIn(await send('GET', `/artists?${query}`, { as: 1 }))).toEqual(ofFirst)
  expect(idsIn(await send('GET', `/artists?${query}`, { as: 2 }))).toEqual(ofSecond)
})

const sorted = async (as: number): Promise<readonly string[]> => idsIn(await send('GET', '/artists?sort=-key', { as }))

const next = async (as: number): Promise<unknown> => {
  const { document } = await send('GET', '/artists?sort=key&page[size]=1&filter[either]=4', { as })
  return document?.links?.['next']
}

test('in a sort, and in the cursors of its pages', async () => {
  expect((await sorted(1)).filter((key) => key === '1' || key === '4')).toEqual(['1', '4'])
  // Hidden keys are all null, so that the id decides.
  expect((await sorted(2)).filter((key) => key !== '2')).toEqual(['4', '3', '1'])
  expect(await next(2)).toEqual(await next(3))
})
