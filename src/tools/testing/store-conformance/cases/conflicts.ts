import type { Conflict } from '../../../../declare/resource/capabilities/store-conflict.js'
import { expectErrors } from '../../expect-errors.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectSuccess, expectIds } from '../case-declaration.js'
import { conflictsOf } from '../direct-store.js'
import { expectSame } from '../expect-same.js'

/** Returns the kind, the type and the sorted columns of each conflict. */
function summaries(conflicts: readonly Conflict[]): readonly object[] {
  return conflicts.map((conflict) => ({
    kind: conflict.kind,
    type: conflict.type,
    ...('columns' in conflict ? { columns: conflict.columns.toSorted() } : {}),
  }))
}

async function expectConflicts(what: string, work: () => Promise<unknown>, expected: readonly object[]): Promise<void> {
  expectSame(`The conflicts of ${what}`, summaries(await conflictsOf(work)), expected)
}

/** A store may report a conflict without its column. A reported column must be the right one. */
async function expectConflictInColumn(
  what: string,
  work: () => Promise<unknown>,
  { column, ...expected }: { readonly kind: string; readonly type: string; readonly column: string },
): Promise<void> {
  const conflicts = await conflictsOf(work)
  const columns = conflicts.flatMap((conflict) => ('columns' in conflict ? conflict.columns : []))
  expectSame(`The conflicts of ${what}`, summaries(conflicts), [{ ...expected, columns }])
  if (columns.length > 0) expectSame(`The columns of ${what}`, columns, [column])
}

const artist = (id: number) => ({ artist: { data: { type: 'artists', id: String(id) } } })

const uniqueCases = casesNeeding(['unique'], {
  async 'a conflict of a unique column names the column'({ store }) {
    await expectConflicts('a second Radiohead', () => store.create('artists', { name: 'Radiohead' }), [
      { kind: 'unique', type: 'artists', columns: ['name'] },
    ])
  },
  async 'a conflict of a unique set names its columns'({ store }) {
    const artistId = await store.key('artists', '1')
    await expectConflicts('a second Kid A', () => store.create('albums', { title: 'Kid A', artistId }), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
  },
  async 'an update reports unique conflicts like a new row'({ api, store }) {
    const key = await store.key('albums', '1')
    await expectConflicts('a changed title', () => store.update('albums', key, { title: 'Kid A' }), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
    await expectIds({ api }, '/albums?filter[title]=Kid A', ['2'])
  },
  async 'a row does not conflict with itself'({ api }) {
    const data = { type: 'artists', id: '1', attributes: { name: 'Radiohead', country: 'UK' } }
    expectSuccess('PATCH /artists/1', await api.patch('/artists/1', { body: { data } }))
  },
  async 'null does not conflict, and neither does text that differs in case'({ store }) {
    const artists = [null, null, await store.key('artists', '1')]
    for (const artistId of artists) await store.create('albums', { title: 'Ágætis byrjun', artistId })
    await store.create('artists', { name: 'radiohead' })
  },
  async 'a rejected row is not stored'({ api, store }) {
    await conflictsOf(() => store.create('artists', { name: 'Radiohead', country: 'XX' }))
    await expectIds({ api }, '/artists?filter[country]=XX', [])
    await store.create('artists', { name: 'Radiohead II', country: 'XX' })
  },
  async 'the client gets an error for the attribute in conflict'({ api }) {
    const body = { data: { type: 'artists', attributes: { name: 'Björk' } } }
    expectErrors(await api.post('/artists', { body }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
    ])
  },
})

const uniqueMemberCases = casesNeeding(['unique', 'relations'], {
  async 'a member whose foreign key changes reports unique conflicts'({ api }) {
    const data = { type: 'albums', attributes: { title: 'Kid A' }, relationships: artist(4) }
    const { resource } = expectSuccess('POST /albums', await api.post('/albums', { body: { data } }))
    const linkage = { data: [{ type: 'albums', id: resource.id }] }
    const { status, errors } = await api.post('/artists/1/relationships/albums', { body: linkage })
    expectSame('The status and code', [status, errors[0]?.code], [422, 'VALIDATION_FAILED'])
    await expectIds({ api }, '/artists/4/albums', [resource.id])
  },
})

const keyCases = casesNeeding(['writes'], {
  async 'a duplicate key is a conflict of kind key'({ api, store }) {
    await expectConflicts('a second row', () => store.create('playlists', { code: 'road', title: 'Other' }), [
      { kind: 'key', type: 'playlists' },
    ])
    await expectIds({ api }, '/playlists?sort=-title', ['road', 'empty', 'home'])
  },
  async 'the client gets an error for an id that already exists'({ api }) {
    const body = { data: { type: 'playlists', id: 'road', attributes: { title: 'Other' } } }
    expectErrors(await api.post('/playlists', { body }), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
  },
})

const referenceCases = casesNeeding(['references'], {
  async 'a foreign key without a row is a conflict of kind reference'({ api, store }) {
    const expected = [{ kind: 'reference', type: 'albums', columns: ['artistId'] }]
    const [key, artistId] = [await store.key('albums', '1'), await store.key('artists', '4')]
    await store.delete('artists', artistId)
    await expectConflicts(
      'a new album of a deleted artist',
      () => store.create('albums', { title: 'Lost', artistId }),
      expected,
    )
    await expectConflicts(
      'an album that is moved to a deleted artist',
      () => store.update('albums', key, { artistId }),
      expected,
    )
    await expectIds({ api }, '/albums?filter[artistId]=4', [])
  },
  async 'a row that other rows refer to is in use and is not deleted'({ api, store }) {
    const key = await store.key('artists', '1')
    await expectConflicts('the deletion of an artist', () => store.delete('artists', key), [
      { kind: 'inUse', type: 'artists' },
    ])
    expectErrors(await api.delete('/artists/1'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    await expectIds({ api }, '/artists?filter[name]=Radiohead', ['1'])
  },
})

const severalMemberCases = casesNeeding(['unique', 'relations', 'joins'], {
  async 'a conflict of one of several members has the key of that member, or no key'({ store }) {
    const [owner, other] = [await store.row('artists', '1'), await store.key('artists', '4')]
    const { id: twin } = await store.create('albums', { title: 'Kid A', artistId: other })
    const keys = [await store.key('albums', '6'), twin, await store.key('albums', '7')]
    const added = keys.map((key) => ({ type: 'albums', key, values: {} }))
    const conflicts = await conflictsOf(() => store.mutateRelationship('artists', 'albums', owner, { added }))
    expectSame('The conflicts', summaries(conflicts), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
    for (const conflict of conflicts) {
      const key = 'key' in conflict ? conflict.key : undefined
      if (key !== undefined) expectSame('The key of the member in conflict', key, twin)
    }
  },
})

const valueCases = [
  ...casesNeeding(['required'], {
    async 'null in a required column is a conflict of kind null'({ api, store }) {
      const expected = [{ kind: 'null', type: 'albums', columns: ['title'] }]
      const key = await store.key('albums', '1')
      await expectConflicts('an album whose title is null', () => store.create('albums', { title: null }), expected)
      await expectConflicts('an album without a title', () => store.create('albums', { discs: 1 }), expected)
      await expectConflicts(
        'an album whose title is set to null',
        () => store.update('albums', key, { title: null }),
        expected,
      )
      await expectIds({ api }, '/albums?filter[starts]=OK', ['1'])
    },
  }),
  ...casesNeeding(['checks'], {
    async 'a row that violates a check is a conflict of kind check'({ store }) {
      const key = await store.key('albums', '1')
      const expected = { kind: 'check', type: 'albums', column: 'discs' }
      await expectConflictInColumn(
        'a new album with 0 discs',
        () => store.create('albums', { title: 'X', discs: 0 }),
        expected,
      )
      await expectConflictInColumn(
        'an album that is changed to 0 discs',
        () => store.update('albums', key, { discs: 0 }),
        expected,
      )
    },
    async 'the client gets an error for a violated check'({ api }) {
      const data = { type: 'albums', id: '1', attributes: { discs: 0 } }
      const { status, errors } = await api.patch('/albums/1', { body: { data } })
      expectSame('The status and code', [status, errors[0]?.code], [422, 'VALIDATION_FAILED'])
      await expectIds({ api }, '/albums?filter[discs]=0', [])
    },
  }),
  ...casesNeeding(['typed'], {
    async 'a value of the wrong type is a conflict of kind value'({ store }) {
      const key = await store.key('albums', '1')
      const expected = { kind: 'value', type: 'albums', column: 'discs' }
      await expectConflictInColumn(
        'a new album with text in an integer column',
        () => store.create('albums', { title: 'X', discs: 'x' }),
        expected,
      )
      await expectConflictInColumn(
        'an album that is changed to text in an integer column',
        () => store.update('albums', key, { discs: 'x' }),
        expected,
      )
    },
  }),
]

const memberReferenceCases = casesNeeding(['references', 'relations', 'joins'], {
  async 'a deleted row that is added as a member is a conflict of kind reference'({ store }) {
    const key = await store.key('albums', '7')
    await store.delete('albums', key)
    const owner = await store.row('artists', '4')
    const added = [{ type: 'albums', key, values: {} }]
    const conflicts = await conflictsOf(() => store.mutateRelationship('artists', 'albums', owner, { added }))
    expectSame(
      'The kinds of the conflicts',
      conflicts.map(({ kind }) => kind),
      ['reference'],
    )
  },
})

/** Cases of writes that conflict with stored rows, or with constraints of the store. */
export const conflictCases: readonly CaseDeclaration[] = [
  ...uniqueCases,
  ...uniqueMemberCases,
  ...keyCases,
  ...referenceCases,
  ...valueCases,
  ...severalMemberCases,
  ...memberReferenceCases,
]
