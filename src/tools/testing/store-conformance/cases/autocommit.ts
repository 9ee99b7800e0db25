import type { ColumnValues } from '../../../../declare/resource/capabilities/persister.js'
import type { RowObject } from '../../../../declare/resource/fields/field-spec.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds } from '../case-declaration.js'
import type { Catalogue } from '../catalogue.js'
import { expectSame } from '../expect-same.js'

const withoutKey = (row: RowObject | null): object | null => (row === null ? null : { ...row, id: 'the key' })

/** Fails if a shortcut did nothing where nothing hinders it. */
function done<Result>(name: string, option: string, result: Result | null): Result {
  if (result !== null && result !== false) return result
  throw new Error(
    `shortcuts.${name} writes nothing: set the option ${option}: false if the store has no such function.`,
  )
}

const someAlbum = { title: 'One', price: 1.5, genres: ['rock'], addedAt: new Date('2024-01-01T00:00:00.001Z') }

async function expectAlbums({ api }: Catalogue, ids: readonly string[]): Promise<void> {
  await expectIds({ api }, '/albums?sort=id', ids)
}

const seeded = ['1', '2', '3', '4', '5', '6', '7', '8']

const creates = casesNeeding(['autocommit'], {
  async 'shortcuts.create.autocommit returns the same row as create, and stores it'({ api, store, shortcuts }) {
    const values = { ...someAlbum, artistId: shortcuts.key('artists', '1') }
    const created = await shortcuts.create('albums', values, [shortcuts.reference('artistId', 'artists')])
    const row = done('create.autocommit', 'autocommit', created)
    await expectIds({ api }, '/albums?filter[title]=One', [String(row['id'])])
    await store.delete('albums', row['id'])
    const other = await store.create('albums', { ...someAlbum, artistId: await store.key('artists', '1') })
    expectSame('The row of create.autocommit, compared with that of create', withoutKey(row), withoutKey(other))
  },
  async 'shortcuts.create.autocommit stores nothing if a row that it refers to does not exist'(catalogue) {
    const { shortcuts } = catalogue
    const values = { title: 'One', artistId: shortcuts.key('artists', '99') }
    const created = await shortcuts.create('albums', values, [shortcuts.reference('artistId', 'artists')])
    expectSame('The result of create.autocommit', created, null)
    await expectAlbums(catalogue, seeded)
  },
  async 'shortcuts.create.autocommit stores nothing if a row that it refers to does not meet its conditions'(
    catalogue,
  ) {
    const { shortcuts } = catalogue
    const values = { title: 'One', artistId: shortcuts.key('artists', '2') }
    for (const condition of shortcuts.forms('create', 'artists', shortcuts.equals('artists', 'country', 'GB'))) {
      const references = [shortcuts.reference('artistId', 'artists', [condition])]
      expectSame(
        `The result of create.autocommit with a condition of the kind ${condition.kind}`,
        await shortcuts.create('albums', values, references),
        null,
      )
    }
    await expectAlbums(catalogue, seeded)
  },
})

const checkedCreates = casesNeeding(['autocommit'], {
  async 'shortcuts.create stores nothing if a stored row does not meet the conditions, if it has checksRows'(
    catalogue,
  ) {
    const { shortcuts } = catalogue
    const [met, unmet] = ['One', 'Two'].map((title) => shortcuts.equals('albums', 'title', title))
    if (met === undefined || unmet === undefined) return
    if (shortcuts.checksRows('albums', 'autocommit')) {
      expectSame('The result of create.autocommit', await shortcuts.create('albums', someAlbum, [], [unmet]), null)
      await expectAlbums(catalogue, seeded)
      const created = await shortcuts.create('albums', someAlbum, [], [met])
      const row = done('create.autocommit', 'autocommit', created)
      await catalogue.store.delete('albums', row['id'])
    }
    if (!shortcuts.checksRows('albums', 'autocommitMany')) return
    const rows = [{ title: 'One' }, { title: 'Two' }]
    expectSame(
      'The result of create.autocommitMany with a row that does not meet the conditions',
      await shortcuts.createMany('albums', rows, [], [met]),
      null,
    )
    await expectAlbums(catalogue, seeded)
  },
})

const uniqueCreates = casesNeeding(['autocommit', 'unique'], {
  async 'shortcuts.create.autocommit returns null for a duplicate, and throws no conflict'({ shortcuts }) {
    expectSame('The result of create.autocommit', await shortcuts.create('artists', { name: 'Radiohead' }), null)
  },
})

const createsMany = casesNeeding(['autocommitTogether'], {
  async 'shortcuts.create.autocommitMany returns the same rows as single creates, in the same order'({
    store,
    shortcuts,
  }) {
    const titled = (title: string): ColumnValues => ({ title, artistId: shortcuts.key('artists', '1') })
    const rows = [titled('One'), titled('Two'), titled('Three')]
    const created = await shortcuts.createMany('albums', rows, [shortcuts.reference('artistId', 'artists')])
    const many = done('create.autocommitMany', 'autocommitTogether', created)
    for (const row of many) await store.delete('albums', row['id'])
    const artistId = await store.key('artists', '1')
    const single: RowObject[] = []
    for (const values of rows) single.push(await store.create('albums', { ...values, artistId }))
    expectSame(
      'The rows of create.autocommitMany, compared with those of create',
      many.map(withoutKey),
      single.map(withoutKey),
    )
  },
  async 'shortcuts.create.autocommitMany stores all rows or none'(catalogue) {
    const { shortcuts } = catalogue
    const rows = ['1', '99'].map((id) => ({ title: `Of ${id}`, artistId: shortcuts.key('artists', id) }))
    const created = await shortcuts.createMany('albums', rows, [shortcuts.reference('artistId', 'artists')])
    expectSame('The result of create.autocommitMany with a missing row', created, null)
    for (const condition of shortcuts.forms('create', 'artists', shortcuts.equals('artists', 'country', 'GB'))) {
      const referring = ['1', '2'].map((id) => ({ title: `Of ${id}`, artistId: shortcuts.key('artists', id) }))
      const references = [shortcuts.reference('artistId', 'artists', [condition])]
      expectSame(
        `The result of create.autocommitMany with a condition of the kind ${condition.kind}`,
        await shortcuts.createMany('albums', referring, references),
        null,
      )
    }
    await expectAlbums(catalogue, seeded)
  },
})

const updates = casesNeeding(['autocommit'], {
  async 'shortcuts.update.autocommit returns the whole row, and stores the values'({ store, shortcuts }) {
    const { country: _country, ...unchanged } = await store.row('artists', '4')
    const updated = await shortcuts.update('artists', '4', { country: 'FR' })
    expectSame('The row of update.autocommit', done('update.autocommit', 'autocommit', updated), {
      ...unchanged,
      country: 'FR',
    })
    expectSame('The stored row', await store.row('artists', '4'), { ...unchanged, country: 'FR' })
  },
  async 'shortcuts.update.autocommit changes nothing if the row does not exist, or does not meet its conditions'({
    store,
    shortcuts,
  }) {
    expectSame('The result for a missing row', await shortcuts.update('artists', '99', { country: 'FR' }), null)
    const before = await store.row('artists', '2')
    for (const condition of shortcuts.forms('update', 'artists', shortcuts.equals('artists', 'country', 'GB'))) {
      expectSame(
        `The result of update.autocommit with a condition of the kind ${condition.kind}`,
        await shortcuts.update('artists', '2', { name: 'Other' }, { conditions: [condition] }),
        null,
      )
    }
    expectSame('The stored row', await store.row('artists', '2'), before)
  },
  async 'shortcuts.update.autocommit changes nothing if a row that it refers to does not exist'({ store, shortcuts }) {
    const before = await store.row('albums', '1')
    const values = { artistId: shortcuts.key('artists', '99') }
    const references = [shortcuts.reference('artistId', 'artists')]
    expectSame('The result of update.autocommit', await shortcuts.update('albums', '1', values, { references }), null)
    expectSame('The stored row', await store.row('albums', '1'), before)
  },
  async 'shortcuts.update.autocommit raises a version by one, if it has raisesVersions'({ shortcuts }) {
    if (!shortcuts.raisesVersions('albums')) return
    const discs: unknown[] = []
    for (const id of ['3', '7']) {
      const row = await shortcuts.update('albums', id, { price: 2.5 }, { raises: 'discs' })
      discs.push(done('update.autocommit', 'autocommit', row)['discs'])
    }
    expectSame('The columns that were 10 and null', discs, [11, 1])
  },
})

const joined = casesNeeding(['autocommit', 'transactions'], {
  async 'shortcuts.update.autocommit is undone with the transaction, if it has joinsTransactions'({
    store,
    shortcuts,
  }) {
    if (!shortcuts.joinsTransactions('update', 'artists')) return
    const before = await store.row('artists', '4')
    const undone = new Error('undone')
    const work = store.transactions.run(async (transaction) => {
      const row = await shortcuts.update('artists', '4', { country: 'FR' }, { transaction })
      done('update.autocommit in a transaction', 'autocommit', row)
      expectSame('The row in the transaction', await store.find('artists', '4', { transaction }), {
        ...before,
        country: 'FR',
      })
      throw undone
    })
    await work.catch((thrown: unknown) => {
      if (thrown !== undone) throw thrown
    })
    expectSame('The stored row', await store.row('artists', '4'), before)
  },
})

const joinedUnique = casesNeeding(['autocommit', 'transactions', 'unique'], {
  async 'a refused shortcuts.update.autocommit does not end the transaction, if it has joinsTransactions'({
    store,
    shortcuts,
  }) {
    if (!shortcuts.joinsTransactions('update', 'artists')) return
    await store.transactions.run(async (transaction) => {
      const refused = await shortcuts.update('artists', '4', { name: 'Radiohead' }, { transaction })
      expectSame('The result of the refused statement', refused, null)
      done(
        'update.autocommit after it',
        'autocommit',
        await shortcuts.update('artists', '4', { country: 'FR' }, { transaction }),
      )
    })
    expectSame('The stored country', (await store.row('artists', '4'))['country'], 'FR')
  },
})

const deletes = casesNeeding(['autocommit'], {
  async 'shortcuts.delete.autocommit returns the row as it was, and deletes it'({ store, shortcuts }) {
    const before = await store.row('artists', '4')
    const deleted = done('delete.autocommit', 'autocommit', await shortcuts.delete('artists', '4'))
    expectSame('The row of delete.autocommit', deleted, before)
    expectSame('The stored row', await store.find('artists', '4'), null)
  },
  async 'shortcuts.delete.autocommit deletes nothing if the row does not exist, or does not meet its conditions'({
    store,
    shortcuts,
  }) {
    expectSame('The result for a missing row', await shortcuts.delete('artists', '99'), null)
    const before = await store.row('artists', '4')
    for (const condition of shortcuts.forms('delete', 'artists', shortcuts.equals('artists', 'country', 'GB'))) {
      expectSame(
        `The result of delete.autocommit with a condition of the kind ${condition.kind}`,
        await shortcuts.delete('artists', '4', [condition]),
        null,
      )
    }
    expectSame('The stored row', await store.find('artists', '4'), before)
  },
})

const albumPlaylists = { ownerType: 'albums', type: 'playlists' } as const

const members = casesNeeding(['autocommit', 'joins'], {
  async 'shortcuts.mutateRelationship.autocommit adds and removes members'({ api, shortcuts }) {
    const add = { ...albumPlaylists, kind: 'add', owner: '4', members: ['home', 'empty'] } as const
    done('mutateRelationship.autocommit', 'autocommit', await shortcuts.changeMembers('playlists', add))
    await expectIds({ api }, '/albums/4/playlists', ['empty', 'home'])
    const remove = { ...add, kind: 'remove', members: ['home'] } as const
    done('mutateRelationship.autocommit', 'autocommit', await shortcuts.changeMembers('playlists', remove))
    await expectIds({ api }, '/albums/4/playlists', ['empty'])
    await expectIds({ api }, '/albums/1/playlists', ['home', 'road'])
  },
  async 'shortcuts.mutateRelationship.autocommit changes nothing if a row is missing, or does not meet its conditions'({
    api,
    shortcuts,
  }) {
    const add = { ...albumPlaylists, kind: 'add', owner: '4', members: ['home', 'none'] } as const
    expectSame('The result for a missing member', await shortcuts.changeMembers('playlists', add), false)
    const lost = { ...add, owner: '99', members: ['home'] }
    expectSame('The result for a missing owner', await shortcuts.changeMembers('playlists', lost), false)
    const of = (type: string, title: string) =>
      shortcuts.forms('mutateRelationship', 'albums', shortcuts.equals(type, 'title', title))
    for (const condition of of('albums', 'Other')) {
      const change = shortcuts.changeMembers('playlists', { ...add, members: ['home'] }, { owner: [condition] })
      expectSame(`The result with a condition on the owner of the kind ${condition.kind}`, await change, false)
    }
    for (const condition of of('playlists', 'At home')) {
      const both = { ...add, members: ['home', 'empty'] }
      const change = shortcuts.changeMembers('playlists', both, { member: [condition] })
      expectSame(`The result with a condition on members of the kind ${condition.kind}`, await change, false)
    }
    await expectIds({ api }, '/albums/4/playlists', [])
  },
})

/** Cases of the shortcuts of a persister that commit by themselves. */
export const autocommitCases: readonly CaseDeclaration[] = [
  ...creates,
  ...checkedCreates,
  ...uniqueCreates,
  ...createsMany,
  ...updates,
  ...joined,
  ...joinedUnique,
  ...deletes,
  ...members,
]
