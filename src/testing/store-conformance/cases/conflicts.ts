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

/** A store need not know which column it was; what it names must be that. */
async function expectRefusedColumn(
  what: string,
  work: () => Promise<unknown>,
  { column, ...expected }: { readonly kind: string; readonly type: string; readonly column: string },
): Promise<void> {
  const conflicts = await conflictsOf(work)
  const columns = conflicts.flatMap((conflict) => ('columns' in conflict ? conflict.columns : []))
  expectSame(`The conflicts of ${what}`, told(conflicts), [{ ...expected, columns }])
  if (columns.length > 0) expectSame(`The columns of ${what}`, columns, [column])
}

const artist = (id: number) => ({ artist: { data: { type: 'artists', id: String(id) } } })

const ofSets = casesWith(['unique'], {
  async 'a conflict of a unique column names it'({ store }) {
    await expectRefused('a second Radiohead', () => store.create('artists', { name: 'Radiohead' }), [
      { kind: 'unique', type: 'artists', columns: ['name'] },
    ])
  },
  async 'a conflict of a unique set names its columns'({ store }) {
    const artistId = await store.key('artists', '1')
    await expectRefused('a second Kid A', () => store.create('albums', { title: 'Kid A', artistId }), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
  },
  async 'an update comes into conflict like a new row'({ api, store }) {
    const key = await store.key('albums', '1')
    await expectRefused('a changed title', () => store.update('albums', key, { title: 'Kid A' }), [
      { kind: 'unique', type: 'albums', columns: ['artistId', 'title'] },
    ])
    await expectListed({ api }, '/albums?filter[title]=Kid A', ['2'])
  },
  async 'a row is in no conflict with itself'({ api }) {
    const data = { type: 'artists', id: '1', attributes: { name: 'Radiohead', country: 'UK' } }
    expectDone('PATCH /artists/1', await api.patch('/artists/1', { body: { data } }))
  },
  async 'null is in no conflict, and neither are texts of another case'({ store }) {
    const artists = [null, null, await store.key('artists', '1')]
    for (const artistId of artists) await store.create('albums', { title: 'Ágætis byrjun', artistId })
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
    const refused = [{ kind: 'reference', type: 'albums', columns: ['artistId'] }]
    const [key, artistId] = [await store.key('albums', '1'), await store.key('artists', '4')]
    await store.delete('artists', artistId)
    await expectRefused('an album of nobody', () => store.create('albums', { title: 'Lost', artistId }), refused)
    await expectRefused('an album that is moved to nobody', () => store.update('albums', key, { artistId }), refused)
    await expectListed({ api }, '/albums?filter[artistId]=4', [])
  },
  async 'a row that others point at is in use, and not deleted'({ api, store }) {
    const key = await store.key('artists', '1')
    await expectRefused('the deletion of an artist', () => store.delete('artists', key), [
      { kind: 'inUse', type: 'artists' },
    ])
    expectErrors(await api.delete('/artists/1'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    await expectListed({ api }, '/artists?filter[name]=Radiohead', ['1'])
  },
})

const ofMembers = casesWith(['unique', 'relations', 'joins'], {
  async 'a conflict of one of several members names that one, or none'({ store }) {
    const [owner, other] = [await store.row('artists', '1'), await store.key('artists', '4')]
    const { id: twin } = await store.create('albums', { title: 'Kid A', artistId: other })
    const keys = [await store.key('albums', '6'), twin, await store.key('albums', '7')]
    const added = keys.map((key) => ({ type: 'albums', key, values: {} }))
    const conflicts = await conflictsOf(() => store.mutate('artists', 'albums', owner, { added }))
    expectSame('The conflicts', told(conflicts), [{ kind: 'unique', type: 'albums', columns: ['artistId', 'title'] }])
    for (const conflict of conflicts) {
      const named = 'key' in conflict ? conflict.key : undefined
      if (named !== undefined) expectSame('The key of the member in conflict', named, twin)
    }
  },
})

const ofRows = [
  ...casesWith(['required'], {
    async 'a row without a value that it must have is a conflict of null'({ api, store }) {
      const refused = [{ kind: 'null', type: 'albums', columns: ['title'] }]
      const key = await store.key('albums', '1')
      await expectRefused('an album whose title is null', () => store.create('albums', { title: null }), refused)
      await expectRefused('an album without a title', () => store.create('albums', { discs: 1 }), refused)
      await expectRefused('an album that loses its title', () => store.update('albums', key, { title: null }), refused)
      await expectListed({ api }, '/albums?filter[starts]=OK', ['1'])
    },
  }),
  ...casesWith(['checks'], {
    async 'a row that breaks a rule of the store is a conflict of checks'({ store }) {
      const key = await store.key('albums', '1')
      const refused = { kind: 'check', type: 'albums', column: 'discs' }
      await expectRefusedColumn(
        'a new album of no discs',
        () => store.create('albums', { title: 'X', discs: 0 }),
        refused,
      )
      await expectRefusedColumn(
        'an album that loses its discs',
        () => store.update('albums', key, { discs: 0 }),
        refused,
      )
    },
    async 'a client is told of a rule that is broken'({ api }) {
      const data = { type: 'albums', id: '1', attributes: { discs: 0 } }
      const { status, errors } = await api.patch('/albums/1', { body: { data } })
      expectSame('The status and code', [status, errors[0]?.code], [422, 'VALIDATION_FAILED'])
      await expectListed({ api }, '/albums?filter[discs]=0', [])
    },
  }),
  ...casesWith(['typed'], {
    async 'a value that its column cannot hold is a conflict of values'({ store }) {
      const key = await store.key('albums', '1')
      const refused = { kind: 'value', type: 'albums', column: 'discs' }
      await expectRefusedColumn(
        'a text for a number',
        () => store.create('albums', { title: 'X', discs: 'x' }),
        refused,
      )
      await expectRefusedColumn('a text for a number', () => store.update('albums', key, { discs: 'x' }), refused)
    },
  }),
]

const ofReferencesOfMembers = casesWith(['references', 'relations', 'joins'], {
  async 'a member that is gone when it is added is a conflict of references'({ store }) {
    const key = await store.key('albums', '7')
    await store.delete('albums', key)
    const owner = await store.row('artists', '4')
    const added = [{ type: 'albums', key, values: {} }]
    const conflicts = await conflictsOf(() => store.mutate('artists', 'albums', owner, { added }))
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
  ...ofRows,
  ...ofMembers,
  ...ofReferencesOfMembers,
]
