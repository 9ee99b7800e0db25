import { type CaseDeclaration, casesNeeding, expectIds, successOrErrors } from '../case-declaration.js'
import { onlyPricedHeaders } from '../catalogue-types.js'
import { expectSame } from '../expect-same.js'

/** Cases of one row, by its id. */
export const rowCases: readonly CaseDeclaration[] = casesNeeding([], {
  async 'a row is found by id, with values of every type'({ api }) {
    const response = await api.get('/albums/2')
    expectSame(
      'The attributes of GET /albums/2',
      successOrErrors(response, ({ resource }) => resource.attributes),
      {
        title: 'Kid A',
        price: 12.25,
        discs: 2,
        explicit: false,
        releasedOn: '2000-10-02',
        addedAt: '2024-01-01T10:00:00.500+00:00',
        genres: ['electronic', 'rock'],
      },
    )
  },

  async 'a row is found by a text key'({ api }) {
    const response = await api.get('/playlists/road')
    expectSame(
      'The title of GET /playlists/road',
      successOrErrors(response, ({ resource }) => resource.attributes),
      {
        title: 'Road trip',
      },
    )
  },

  async 'null is returned as null, and an empty list as an empty list'({ api }) {
    const attributes: unknown[] = []
    for (const id of ['7', '8', '6']) {
      const response = await api.get(`/albums/${id}?fields[albums]=price,explicit,releasedOn,addedAt,genres`)
      attributes.push(successOrErrors(response, ({ resource }) => resource.attributes))
    }
    expectSame('The attributes of the albums 7, 8 and 6', attributes, [
      { price: -1.5, explicit: null, releasedOn: null, addedAt: null, genres: ['rock', 'jazz'] },
      { price: null, explicit: true, releasedOn: '2016-05-08', addedAt: '2024-01-01T09:59:59.999+00:00', genres: [] },
      { price: 0, explicit: false, releasedOn: '1999-06-12', addedAt: '2024-01-01T10:00:00+00:00', genres: null },
    ])
  },

  async 'an unknown id finds no row'({ api }) {
    for (const path of ['/albums/99', '/playlists/nowhere']) {
      expectSame(`The status of GET ${path}`, (await api.get(path)).status, 404)
    }
  },

  async 'an invalid key finds no row, and 01 is not the key 1'({ api }) {
    for (const id of ['01', '1.0', '+1', '%201', '1e0', '0x1', 'one', 'null', '99999999999999999999999', '-1']) {
      expectSame(`The status of GET /albums/${id}`, (await api.get(`/albums/${id}`)).status, 404)
    }
  },

  async 'a text key must match completely, with its case'({ api }) {
    for (const id of ['Road', 'roa', 'road%20', 'ro%25']) {
      expectSame(`The status of GET /playlists/${id}`, (await api.get(`/playlists/${id}`)).status, 404)
    }
  },

  async 'a row that does not meet a condition is not found'({ api }) {
    const statuses: number[] = []
    for (const id of ['4', '5']) statuses.push((await api.get(`/albums/${id}`, { headers: onlyPricedHeaders })).status)
    expectSame(
      'The statuses of an album with a price and of one without, in the scope of albums with a price',
      statuses,
      [200, 404],
    )
    await expectIds({ api }, '/albums', ['1', '2', '3', '4', '6', '7'], { headers: onlyPricedHeaders })
  },
})
