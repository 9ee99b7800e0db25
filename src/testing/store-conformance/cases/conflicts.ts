import type { Conflict } from '../../../resource/capabilities/store-conflict.js'
import { expectErrors } from '../../expect-errors.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectDone, expectListed } from '../case-declaration.js'
import { conflictsOf } from '../direct-store.js'
import { expectSame } from '../expect-same.js'

/** What every conflict says: its kind and type, and the columns in any order. */
function told(conflicts: readonly Conflict[]): readonly object[] {
  return conflicts.map((conflict) => ({
    kind: conflict.kind,
    type: conflict.type,
    ...('columns' in conflict ? { columns: conflict.columns.toSorted() } : {}),
  }))
}

async function expectRefused(what: string, work: () => Promise<unknown>, expected: readonly object[]): Promise<void> {
  expectSame(`The conflicts of ${what}`, told(await conflictsOf(work)), expected)
}

const artist = (id: number) => ({ artist: { data: { type: 'artists', id: String(id) } } })

const ofSets = casesWith(['unique'], {
  async 'a conflict of a unique column names it'({ store }) {
    await expectRefused('a second Radiohead', () => store.create('artists', { name: 'Radiohead' }), [
      { kind: 'unique', type: 'artists', columns: ['name'] },
    ])
  },
  async 'a conflict of a unique set names its columns'({ store }) {
    await expectRefused('a second Kid A', () => store.create('albums', { title: 'Kid A', artistId: 1 }), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
  },
  async 'an update comes into conflict like a new row'({ api, store }) {
    await expectRefused('a changed title', () => store.update('albums', 1, { title: 'Kid A' }), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
    await expectListed({ api }, '/albums?filter[title]=Kid A', ['2'])
  },
  async 'a row is in no conflict with itself'({ api }) {
    const data = { type: 'artists', id: '1', attributes: { name: 'Radiohead', country: 'UK' } }
    expectDone('PATCH /artists/1', await api.patch('/artists/1', { body: { data } }))
  },
  async 'null is in no conflict, and neither are texts of another case'({ store }) {
    for (const artistId of [null, null, 1]) await store.create('albums', { title: 'Ágætis byrjun', artistId })
    await store.create('artists', { name: 'radiohead' })
  },
  async 'a row that was refused is not there'({ api, store }) {
    await conflictsOf(() => store.create('artists', { name: 'Radiohead', country: 'XX' }))
    await expectListed({ api }, '/artists?filter[country]=XX', [])
    await store.create('artists', { name: 'Radiohead II', country: 'XX' })
  },
  async 'a client is told of a conflict at the attribute'({ api }) {
    const body = { data: { type: 'artists', attributes: { name: 'Björk' } } }
    expectErrors(await api.post('/artists', { body }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
    ])
  },
})

const ofSetsAndRelations = casesWith(['unique', 'relations'], {
  async 'a member whose key changes comes into conflict like any row'({ api }) {
    const data = { type: 'albums', attributes: { title: 'Kid A' }, relationships: artist(4) }
    const { resource } = expectDone('POST /albums', await api.post('/albums', { body: { data } }))
    const linkage = { data: [{ type: 'albums', id: resource.id }] }
    const { status, errors } = await api.post('/artists/1/relationships/albums', { body: linkage })
    expectSame('The status and code', [status, errors[0]?.code], [422, 'VALIDATION_FAILED'])
    await expectListed({ api }, '/artists/4/albums', [resource.id])
  },
})

const ofKeys = casesWith(['writes'], {
  async 'a key that is taken is a conflict of keys'({ api, store }) {
    await expectRefused('a second row', () => store.create('playlists', { code: 'road', title: 'Other' }), [
      { kind: 'key', type: 'playlists' },
    ])
    await expectListed({ api }, '/playlists?sort=-title', ['road', 'empty', 'home'])
  },
  async 'a client is told that its id is taken'({ api }) {
    const body = { data: { type: 'playlists', id: 'road', attributes: { title: 'Other' } } }
    expectErrors(await api.post('/playlists', { body }), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
  },
})

const ofReferences = casesWith(['references'], {
  async 'a key that leads nowhere is a conflict of references'({ api, store }) {
    await expectRefused('an album of nobody', () => store.create('albums', { title: 'Lost', artistId: 99 }), [
      { kind: 'reference', type: 'albums', columns: ['artistId'] },
    ])
    await expectRefused('an album that is moved to nobody', () => store.update('albums', 1, { artistId: 99 }), [
      { kind: 'reference', type: 'albums', columns: ['artistId'] },
    ])
    await expectListed({ api }, '/albums?filter[artistId]=99', [])
  },
  async 'a row that others point at is in use, and not deleted'({ api, store }) {
    await expectRefused('the deletion of an artist', () => store.delete('artists', 1), [
      { kind: 'inUse', type: 'artists' },
    ])
    expectErrors(await api.delete('/artists/1'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    await expectListed({ api }, '/artists?filter[name]=Radiohead', ['1'])
  },
})

const ofMembers = casesWith(['references', 'relations'], {
  async 'a member that is gone when it is added is a conflict of references'({ store }) {
    const added = [{ type: 'albums', key: 99, values: {} }]
    const conflicts = await conflictsOf(() => store.mutate('artists', 'albums', { id: 4 }, { added }))
    expectSame(
      'The kinds of the conflicts',
      conflicts.map(({ kind }) => kind),
      ['reference'],
    )
  },
})

/** What a store refuses because of what it holds. */
export const conflictCases: readonly CaseDeclaration[] = [
  ...ofSets,
  ...ofSetsAndRelations,
  ...ofKeys,
  ...ofReferences,
  ...ofMembers,
]
