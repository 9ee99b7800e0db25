import { authenticate, belongsTo, createServer, defineResource, hasMany, id, model, type RuleKit } from 'ashlar'
import { expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'

/** Members of a relation refer back to their owner, which the caller sees, and by other relations to rows that it may not see. */

interface Owned {
  readonly id: number
  readonly tenantId: number
}

const ofTenant = (p: RuleKit<Owned>) => p.signedIn(({ caller }) => p.eq('tenantId', (caller as Owned).tenantId))

const artists = defineResource('artists', {
  model: model<Owned>('artists'),
  id: id(),
  policy: (p) => ({ viewAny: true, view: ofTenant(p) }),
  relations: { albums: hasMany('albums').via('artistId'), produced: hasMany('albums').via('producerId') },
})

const albums = defineResource('albums', {
  model: model<Owned & { artistId: number; producerId: number }>('albums'),
  id: id(),
  policy: () => ({ viewAny: true, view: true }),
  relations: { artist: belongsTo('artists'), producer: belongsTo('artists') },
})

function api() {
  const data = storedData({
    artists: [
      { id: 1, tenantId: 7 },
      { id: 2, tenantId: 8 },
      { id: 3, tenantId: 7 },
    ],
    albums: [
      { id: 1, artistId: 1, producerId: 2, tenantId: 7 },
      { id: 2, artistId: 2, producerId: 1, tenantId: 7 },
      { id: 3, artistId: 1, producerId: 3, tenantId: 7 },
    ],
  })
  const caller = authenticate({ challenge: 'Tenant', caller: () => ({ tenantId: 7 }) })
  return client(createServer({ resources: [artists, albums], data, middleware: [caller] }))
}

const artist = (key: string) => ({ type: 'artists', id: key })

test.each([
  [
    '/artists/1?include=albums',
    [
      ['1', artist('1'), null],
      ['3', artist('1'), artist('3')],
    ],
  ],
  [
    '/artists/1/albums',
    [
      ['1', artist('1'), null],
      ['3', artist('1'), artist('3')],
    ],
  ],
  ['/artists/1?include=produced', [['2', null, artist('1')]]],
  ['/artists/1/produced', [['2', null, artist('1')]]],
  [
    '/artists?include=albums,produced',
    [
      ['1', artist('1'), null],
      ['3', artist('1'), artist('3')],
      ['2', null, artist('1')],
    ],
  ],
])('GET %s shows the owner, and no row of another tenant', async (path, expected) => {
  const response = await api().get(path)
  const { data, included = [] } = response.document ?? {}
  const shown = [...(Array.isArray(data) ? data : []), ...included].filter(({ type }) => type === 'albums')
  const linkage = shown.map(({ id: key, relationships }) => [
    key,
    relationships?.['artist']?.data,
    relationships?.['producer']?.data,
  ])
  expect(linkage.toSorted()).toEqual(expected.toSorted())
})
