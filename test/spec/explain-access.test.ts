import { reply, belongsTo, createServer, defineResource, id, model, noContent } from 'ashlar'
import { explainAccess } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface User {
  readonly id: number
  readonly admin?: boolean
  readonly banned?: boolean
}

const [alice, bob, root, banned]: readonly User[] = [
  { id: 1 },
  { id: 2 },
  { id: 9, admin: true },
  { id: 3, banned: true },
]
const callerOf = (caller: unknown): User | null => caller as User | null

const playlists = defineResource('playlists', {
  model: model<{ id: number; title: string; public: boolean; ownerId: number; deletedAt: Date | null }>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string(), public: a.boolean(), ownerId: a.integer() }),
  softDeletes: true,
  actions: (a) => ({
    mix: a.resource({ ability: 'share', responds: noContent(), handle: () => reply.noContent() }),
  }),
  policy(p) {
    const own = p.signedIn(({ caller }) => p.eq('ownerId', callerOf(caller)?.id ?? 0))
    return {
      before({ caller }) {
        if (callerOf(caller)?.banned === true) return false
        return callerOf(caller)?.admin === true ? true : null
      },
      viewAny: true,
      view: (context) => p.any(p.eq('public', true), own(context)),
      create: own,
      update: own,
      restore: own,
      custom: {
        share: own,
        rename: p.check(({ row }) => row?.title !== 'Fixed'),
        publish: ({ caller }) => caller !== null && p.all(p.eq('public', true), p.in('ownerId', [1, 2, 3, 4, 5, 6, 7])),
      },
    }
  },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; playlistId: number; region: string }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { playlist: belongsTo('playlists') },
  scope: (_context, f) => f.where('region').fixed('eu'),
  abilities: { Update: 'edit', FetchCollection: false },
  policy: (p) => ({
    view: true,
    delete: p.related('playlist', (q) => q.any(q.eq('public', false), q.isNull('title'))),
    custom: { edit: p.related('playlist', (q) => q.eq('ownerId', 1)) },
  }),
})

/** Discs have fields that need their own abilities, on the same rows as tracks. */
const discs = defineResource('discs', {
  model: model<{ id: number; title: string; playlistId: number; region: string }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string(), region: a.string().visibleIf('edit') }),
  relations: {
    playlist: belongsTo('playlists').security({ read: 'edit', mutate: 'move' }),
    list: belongsTo('playlists').via('playlistId').readOnly().visibleIf('edit').security({ read: 'audit' }),
    open: belongsTo('playlists').via('playlistId').readOnly().security({ read: false, mutate: false }),
  },
  policy: (p) => ({
    viewAny: true,
    view: p.in('id', [1, 2]),
    update: true,
    updated: true,
    custom: {
      edit: p.eq('region', 'eu'),
      move: p.signedIn(() => p.eq('id', 2)),
      audit: ({ caller }) => callerOf(caller)?.admin === true,
    },
  }),
})

const genres = defineResource('genres', { model: model<{ id: number }>('genres'), id: id(), policy: 'public' })
const moods = defineResource('moods', { model: model<{ id: number }>('moods'), id: id() })

function service() {
  const data = storedData({
    playlists: [
      { id: 1, title: 'Open', public: true, ownerId: 1, deletedAt: null },
      { id: 2, title: 'Secret', public: false, ownerId: 1, deletedAt: null },
      { id: 3, title: 'Fixed', public: true, ownerId: 2, deletedAt: null },
      { id: 4, title: 'Gone', public: true, ownerId: 1, deletedAt: new Date('2026-01-01T00:00:00Z') },
    ],
    tracks: [
      { id: 1, title: 'Airbag', playlistId: 1, region: 'eu' },
      { id: 2, title: 'Idioteque', playlistId: 1, region: 'us' },
      { id: 3, title: 'Hunter', playlistId: 3, region: 'eu' },
    ],
    genres: [{ id: 1 }],
    moods: [{ id: 1 }],
  })
  return createServer({ resources: [playlists, tracks, discs, genres, moods], data, policy: 'public' })
}

const explained = async (question: string, as: unknown) => (await explainAccess(service(), question, { as })).text

const rule = "policy.view of 'playlists' is a rule: public = true or ownerId ="

describe('explainAccess()', () => {
  test.each([
    ['playlists:viewAny', bob, "is permitted.\n  - policy.viewAny of 'playlists' permits it."],
    [
      'playlists:viewAny',
      banned,
      "is denied with 403.\n  - policy.before of 'playlists' denies this caller every ability.",
    ],
    ['playlists:update:2', root, "is permitted.\n  - policy.before of 'playlists' permits this caller every ability."],
    ['playlists:view:1', bob, `is permitted.\n  - ${rule} 2.\n  - The row meets it.`],
    [
      'playlists:view:1',
      null,
      "is permitted.\n  - policy.view of 'playlists' is a rule: public = true.\n  - The row meets it.",
    ],
    [
      'playlists:view:2',
      bob,
      `is denied with 404.\n  - ${rule} 2.\n  - The row does not meet it: for this caller it does not exist.`,
    ],
    [
      'playlists:update:2',
      bob,
      `is denied with 404.\n  - ${rule} 2.\n  - The row does not meet it: for this caller it does not exist.`,
    ],
    ['playlists:update:9', bob, 'is denied with 404.\n  - There is no row with this id.'],
    ['playlists:update:4', alice, 'is denied with 404.\n  - The row is deleted softly.'],
    [
      'playlists:restore:4',
      alice,
      "is permitted.\n  - policy.restore of 'playlists' is a rule: ownerId = 1.\n  - The row meets it.",
    ],
    [
      'playlists:update:1',
      bob,
      "is denied with 403.\n  - policy.update of 'playlists' is a rule: ownerId = 2.\n  - The row does not meet it.",
    ],
    [
      'playlists:update:1',
      alice,
      "is permitted.\n  - policy.update of 'playlists' is a rule: ownerId = 1.\n  - The row meets it.\n" +
        "  - After the change it must meet 'updated', which is a rule: ownerId = 1.",
    ],
    ['playlists:update:1', null, "is denied with 401.\n  - policy.update of 'playlists' denies it to this caller."],
    [
      'playlists:update',
      bob,
      "is permitted.\n  - policy.update of 'playlists' is a rule: ownerId = 2.\n  - Each row must meet it. Name an id to check one.",
    ],
    [
      'playlists:create',
      bob,
      "is permitted.\n  - policy.create of 'playlists' is a rule: ownerId = 2.\n  - The new row must meet it.",
    ],
    [
      'playlists:delete:1',
      alice,
      "is denied with 403.\n  - policy.delete of 'playlists' is not declared, which denies it to everybody.",
    ],
    [
      'playlists:share:1',
      bob,
      "is denied with 403.\n  - policy.custom.share of 'playlists' is a rule: ownerId = 2.\n  - The row does not meet it.",
    ],
    [
      'playlists:rename:3',
      bob,
      "is denied with 403.\n  - policy.custom.rename of 'playlists' is a check() of single rows.\n  - The row does not meet it.",
    ],
    [
      'playlists:rename:1',
      bob,
      "is permitted.\n  - policy.custom.rename of 'playlists' is a check() of single rows.\n  - The row meets it.",
    ],
    [
      'playlists:publish:1',
      bob,
      "is permitted.\n  - policy.custom.publish of 'playlists' is a rule: public = true and ownerId in (1, 2, 3, 4, 5, 2 more).\n  - The row meets it.",
    ],
    ['tracks:viewAny', null, "is permitted.\n  - 'abilities' of 'tracks' requires no ability instead of 'viewAny'."],
    ['tracks:view:2', root, "is denied with 404.\n  - The scope of 'tracks' hides the row."],
    [
      'tracks:update:3',
      bob,
      "is denied with 403.\n  - 'abilities' of 'tracks' requires 'edit' instead of 'update'.\n" +
        "  - policy.custom.edit of 'tracks' is a rule: a visible 'playlist' with ownerId = 1.\n  - The row does not meet it.",
    ],
    [
      'tracks:delete:1',
      bob,
      "is denied with 403.\n  - policy.delete of 'tracks' is a rule: a visible 'playlist' with (public = false or title is null).\n" +
        '  - The row does not meet it.',
    ],
    [
      'discs.region:view:2',
      bob,
      "is denied: the field does not exist for the caller.\n  - policy.view of 'discs' is a rule: id in (1, 2).\n  - The row meets it.\n" +
        "  - visibleIf() of 'discs.region' names 'edit'.\n" +
        '  - policy.custom.edit of \'discs\' is a rule: region = "eu".\n  - The row does not meet it.',
    ],
    ['discs.title:update:2', bob, "is permitted.\n  - policy.update of 'discs' permits it."],
    [
      'discs.playlist:view:1',
      bob,
      "is permitted.\n  - security().read of 'discs.playlist' names 'edit'.\n" +
        '  - policy.custom.edit of \'discs\' is a rule: region = "eu".\n  - The row meets it.',
    ],
    [
      'discs.playlist:update:1',
      null,
      "is denied with 401.\n  - security().mutate of 'discs.playlist' names 'move'.\n" +
        "  - policy.custom.move of 'discs' denies it to this caller.",
    ],
    [
      'discs.list:view:2',
      bob,
      "is denied with 403.\n  - security().read of 'discs.list' names 'audit'.\n" +
        "  - policy.custom.audit of 'discs' denies it to this caller.",
    ],
    ['discs.open:view:1', null, "is permitted.\n  - security().read of 'discs.open' requires no ability."],
    ['genres:delete:1', null, "is permitted.\n  - 'genres' is public: everybody may do everything."],
    ['moods:delete:1', null, "is permitted.\n  - 'moods' is public: everybody may do everything."],
  ])('%s as %j', async (question, as, text) => {
    expect(await explained(question, as)).toBe(`${question} ${text}`)
  })

  test('returns the outcome of a request', async () => {
    const server = service()
    const api = client(server)
    const requests = {
      viewAny: () => api.get('/playlists', { caller: bob }),
      'view:2': () => api.get('/playlists/2', { caller: bob }),
      'update:1': () => api.patch('/playlists/1', { caller: bob, body: resourceBody('playlists', {}, '1') }),
      'update:2': () => api.patch('/playlists/2', { caller: bob, body: resourceBody('playlists', {}, '2') }),
      'update:3': () => api.patch('/playlists/3', { caller: bob, body: resourceBody('playlists', {}, '3') }),
      'delete:1': () => api.delete('/playlists/1', { caller: bob }),
    }
    for (const [question, send] of Object.entries(requests)) {
      const { status } = await explainAccess(server, `playlists:${question}`, { as: bob })
      expect([question, (await send()).status]).toEqual([question, status ?? 200])
    }
  })

  test('returns the outcome of a request for a relation', async () => {
    const server = service()
    const api = client(server)
    const linkage = { data: { type: 'playlists', id: '1' } }
    const [relations, ids] = [
      ['playlist', 'list', 'open'],
      ['1', '2', '3', '9'],
    ] as const
    for (const caller of [null, bob, root]) {
      for (const relation of relations) {
        for (const key of ids) {
          const path = `/discs/${key}/relationships/${relation}`
          const { status } = await explainAccess(server, `discs.${relation}:view:${key}`, { as: caller })
          expect([path, (await api.get(path, { caller })).status]).toEqual([path, status ?? 200])
        }
      }
      for (const key of ids) {
        const path = `/discs/${key}/relationships/playlist`
        const { status } = await explainAccess(server, `discs.playlist:update:${key}`, { as: caller })
        expect([path, (await api.patch(path, { caller, body: linkage })).status]).toEqual([path, status ?? 204])
      }
    }
  })

  test('returns the attributes that a resource shows', async () => {
    const server = service()
    const { resources } = await client(server).get('/discs', { caller: bob })
    for (const { id: key, attributes } of resources) {
      for (const name of ['title', 'region']) {
        const { permitted } = await explainAccess(server, `discs.${name}:view:${key}`, { as: bob })
        expect([key, name, Object.hasOwn(attributes ?? {}, name)]).toEqual([key, name, permitted])
      }
    }
  })

  test('returns no values of the row', async () => {
    for (const question of ['playlists:view:2', 'playlists:update:1', 'playlists:rename:3', 'tracks:update:3']) {
      expect(await explained(question, bob)).not.toMatch(/Secret|Open|Fixed|Hunter|ownerId = 1\b.*playlists/)
    }
  })

  test.each([
    [
      'artists:view:1',
      "There is no type 'artists' on the server 'default'. Types: playlists, tracks, discs, genres, moods.",
    ],
    [
      'playlists:edit:1',
      "'playlists' has no ability 'edit'. Abilities: viewAny, aggregate, view, create, update, delete, restore, forceDelete, share, rename, publish.",
    ],
    ['playlists:updated:1', "'playlists' has no ability 'updated'."],
    ['playlists:mix:1', "'mix' is an action of 'playlists' that needs the ability 'share': ask for it."],
    ['playlists:create:1', "'create' is not about one resource: leave out the id '1'."],
    ['discs.year:view:1', "'discs' has no field 'year'. Fields: title, region, playlist, list, open."],
    ['discs.title:delete:1', "'delete' is not about a field: ask for 'view' or 'update' of 'discs.title'."],
    [
      'playlists',
      "'playlists' is not a valid question: write type:ability or type:ability:id, such as albums:update:1.",
    ],
  ])('rejects %s', async (question, message) => {
    await expect(explained(question, bob)).rejects.toThrow(message)
  })
})
