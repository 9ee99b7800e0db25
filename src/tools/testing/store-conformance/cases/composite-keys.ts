import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds, expectSuccess, listCase, successOrErrors } from '../case-declaration.js'
import { conflictsOf } from '../direct-store.js'
import { expectSame } from '../expect-same.js'

/** Cases of types whose id is made of several columns. */
const reading = casesNeeding(['compositeKeys'], {
  async 'a row with a composite key is found by the values of its columns'({ api }) {
    const response = await api.get('/tracks/1-10')
    expectSame(
      'The attributes of GET /tracks/1-10',
      successOrErrors(response, ({ resource }) => resource.attributes),
      { title: 'No Surprises' },
    )
    for (const id of ['1', '1-', '1-3', '01-1', '1-01', '1-1-1', '1~-1', 'a-1']) {
      expectSame(`The status of GET /tracks/${id}`, (await api.get(`/tracks/${id}`)).status, 404)
    }
  },
  'rows with a composite key are ordered by its columns': listCase('/tracks', ['1-1', '1-2', '1-10', '2-1']),
  'rows are filtered by composite keys': listCase('/tracks?filter[id]=1-10,2-1,2-2,x', ['1-10', '2-1']),
  'rows are filtered by composite keys that they do not have': listCase('/tracks?filter[idNot]=1-10,2-1', [
    '1-1',
    '1-2',
  ]),
  async 'pages continue after a row with a composite key'({ api }) {
    const { links } = expectSuccess('GET', await api.get('/tracks?page[size]=2')).document ?? {}
    await expectIds({ api }, decodeURI(pathOf(links?.['next'])), ['1-10', '2-1'])
  },
})

const related = casesNeeding(['compositeKeys', 'relations'], {
  'a composite foreign key refers to its row': async ({ api }) => {
    const response = await api.get('/lyrics/1/track')
    expectSame(
      'The track of lyrics 1',
      successOrErrors(response, ({ resource }) => resource.id),
      '1-1',
    )
  },
  'the rows that refer to a composite key are found by it': listCase('/tracks/1-10/lyrics', ['2', '3']),
  'a part of a composite key refers to several rows': listCase('/albums/1/tracks', ['1-1', '1-2', '1-10']),
  async 'relations over composite keys are read for several parents'({ api }) {
    const { resources } = expectSuccess('GET', await api.get('/tracks?include=lyrics'))
    const members = resources.map(({ id, relationships }) => {
      const linkage = relationships?.['lyrics']?.data
      return [id, Array.isArray(linkage) ? linkage.map((member) => member.id) : linkage]
    })
    expectSame('The lyrics of each track', members, [
      ['1-1', ['1']],
      ['1-2', []],
      ['1-10', ['2', '3']],
      ['2-1', []],
    ])
  },
})

const writing = casesNeeding(['compositeKeys', 'writes'], {
  async 'a row is written and deleted by its whole key'({ store }) {
    const [changed, deleted] = [await store.key('tracks', '1-2'), await store.key('tracks', '1-10')]
    await store.update('tracks', changed, { title: 'Changed' })
    expectSame('Whether the deleted row existed', await store.delete('tracks', deleted), true)
    expectSame('Whether it existed afterwards', await store.delete('tracks', deleted), false)
    const titles = await Promise.all(
      ['1-1', '1-2', '1-10', '2-1'].map(async (id) => (await store.find('tracks', id))?.['title'] ?? null),
    )
    expectSame('The titles', titles, ['Airbag', 'Changed', null, 'Everything'])
  },
  async 'a taken composite key is a conflict'({ store }) {
    const { albumId, number } = await store.row('tracks', '1-2')
    const create = () => store.create('tracks', { albumId, number, title: 'Twice' })
    const conflicts = (await conflictsOf(create)).map(({ kind, type }) => ({ kind, type }))
    expectSame('The conflicts', conflicts, [{ kind: 'key', type: 'tracks' }])
  },
})

export const compositeKeyCases: readonly CaseDeclaration[] = [...reading, ...related, ...writing]

function pathOf(link: unknown): string {
  const { pathname, search } = new URL(String(link))
  return pathname + search
}
