import { memoryStore } from '../../src/stores/memory/memory-store.js'
import { memoryProvider } from '../../src/stores/memory/memory-provider.js'
import type { Candidate, QueryContext } from '../../src/stores/row-query/query-context.js'
import type { Provider, RelatedCriteria, RelatedResult } from '../../src/declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../src/declare/resource/compiled/compiled-type.js'
import { compileType } from '../../src/server/assembly/compile/compile-type.js'
import { defineResource } from '../../src/declare/resource/define/define-resource.js'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { id } from '../../src/declare/resource/fields/id-declaration.js'
import type { ValueKind } from '../../src/declare/resource/fields/value-kind.js'
import { model } from '../../src/declare/resource/parts/model.js'
import type { QueryColumn, RowCondition } from '../../src/declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../src/declare/resource/querying/row-order.js'
import type { RawDeclaration } from '../../src/declare/resource/define/raw-declaration.js'
import type { RelationLink, RelationStorage } from '../../src/declare/resource/compiled/relation-link.js'
import {
  belongsTo,
  belongsToMany,
  hasMany,
  hasOne,
  morphTo,
  morphToMany,
} from '../../src/declare/resource/relations/relation-kit.js'
import type { RequestContext } from '../../src/declare/resource/request/request-context.js'
import { rowObject, rowSetOf } from '../../src/core/rows/row-set.js'

export const context: RequestContext = {
  server: 'default',
  type: 'albums',
  operation: 'FetchResource',
  caller: null,
  request: null,
}

const compiled = (declaration: unknown): CompiledType => compileType(declaration as RawDeclaration)

export const artists: CompiledType = compiled(
  defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    relations: { albums: hasMany('albums'), comments: hasMany('comments'), portrait: hasOne('portraits') },
  }),
)

export const albums: CompiledType = compiled(
  defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number | null }>('albums'),
    id: id(),
    relations: { artist: belongsTo('artists'), comments: hasMany('comments'), lists: belongsToMany('playlists') },
  }),
)

/** Another view of the rows of albums. */
const records: CompiledType = compiled(
  defineResource('records', { model: model<{ id: number; title: string }>('albums'), id: id() }),
)

export const comments: CompiledType = compiled(
  defineResource('comments', {
    model: model<{ id: number; subjectId: string | number | null; subjectType: string | null }>('comments'),
    id: id(),
    relations: { subject: morphTo(['albums', 'artists']) },
  }),
)

export const playlists: CompiledType = compiled(
  defineResource('playlists', {
    model: model<{ code: string; name: string }>('playlists', { key: 'code' }),
    id: id(),
    relations: {
      albums: belongsToMany('albums').fields((a) => ({ position: a.integer() })),
      items: morphToMany(['artists', 'albums']),
    },
  }),
)

const portraits: CompiledType = compiled(
  defineResource('portraits', { model: model<{ id: number; artistId: number; file: string }>('portraits'), id: id() }),
)

export const seeds: Readonly<Record<string, readonly object[]>> = {
  artists: [
    { id: 1, name: 'Radiohead' },
    { id: 2, name: 'Björk' },
    { id: 3, name: 'Nobody' },
  ],
  albums: [
    { id: 1, title: 'OK Computer', artistId: 1 },
    { id: 2, title: 'Homogenic', artistId: '2' },
    { id: 3, title: 'Kid A', artistId: 1 },
    { id: 4, title: 'Untitled', artistId: null },
    { id: 5, title: 'Lost', artistId: 99 },
  ],
  comments: [
    { id: 1, subjectId: 1, subjectType: 'albums' },
    { id: 2, subjectId: '1', subjectType: 'artists' },
    { id: 3, subjectId: 1, subjectType: 'albums' },
    { id: 4, subjectId: 2, subjectType: 'robots' },
    { id: 5, subjectId: null, subjectType: null },
  ],
  playlists: [
    { code: 'road', name: 'Road Trip' },
    { code: 'home', name: 'At Home' },
  ],
  portraits: [
    { id: 8, artistId: 1, file: 'z.png' },
    { id: 7, artistId: 1, file: 'y.png' },
    { id: 9, artistId: 2, file: 'a.png' },
  ],
  // Join rows without their own keys; one of them twice, one dangling.
  playlist_albums: [
    { list: 'road', album: 3, position: 1 },
    { list: 'road', album: '1', position: 2 },
    { list: 'home', album: 3, position: 1 },
    { list: 'road', album: 3, position: 9 },
    { list: 'road', album: 77, position: 3 },
  ],
  playlist_items: [
    { list: 'road', item: 1, kind: 'albums' },
    { list: 'road', item: 1, kind: 'artists' },
    { list: 'road', item: 2, kind: 'artists' },
    { list: 'road', item: 2, kind: 'robots' },
    { list: 'home', item: 3, kind: 'albums' },
  ],
}

function link(
  owner: CompiledType,
  name: string,
  targets: readonly CompiledType[],
  storage: RelationStorage,
): RelationLink {
  const relation = owner.relationNamed.get(name)
  if (relation === undefined) throw new Error(`no relation ${name}`)
  return { name, spec: relation.spec, owner, targets, storage }
}

const plain = (key: string) => ({ id: key, type: null })
const typed = (key: string, type: string) => ({ id: key, type })

export const links = {
  artist: link(albums, 'artist', [artists], { kind: 'ownKey', key: plain('artistId') }),
  albums: link(artists, 'albums', [albums], { kind: 'relatedKey', key: plain('artistId') }),
  records: link(artists, 'albums', [records], { kind: 'relatedKey', key: plain('artistId') }),
  portrait: link(artists, 'portrait', [portraits], { kind: 'relatedKey', key: plain('artistId') }),
  subject: link(comments, 'subject', [albums, artists], { kind: 'ownKey', key: typed('subjectId', 'subjectType') }),
  albumComments: link(albums, 'comments', [comments], {
    kind: 'relatedKey',
    key: typed('subjectId', 'subjectType'),
  }),
  artistComments: link(artists, 'comments', [comments], {
    kind: 'relatedKey',
    key: typed('subjectId', 'subjectType'),
  }),
  listAlbums: link(playlists, 'albums', [albums], {
    kind: 'join',
    model: 'playlist_albums',
    owner: plain('list'),
    member: plain('album'),
  }),
  albumLists: link(albums, 'lists', [playlists], {
    kind: 'join',
    model: 'playlist_albums',
    owner: plain('album'),
    member: plain('list'),
  }),
  listItems: link(playlists, 'items', [artists, albums], {
    kind: 'join',
    model: 'playlist_items',
    owner: plain('list'),
    member: typed('item', 'kind'),
  }),
  /** The same join rows from the side whose type they name. */
  artistLists: link(artists, 'albums', [playlists], {
    kind: 'join',
    model: 'playlist_items',
    owner: typed('item', 'kind'),
    member: plain('list'),
  }),
} as const satisfies Readonly<Record<string, RelationLink>>

export function column(name: string, kind: ValueKind | null = null, of: QueryColumn['of'] = 'row'): QueryColumn {
  return { of, name, kind, isKey: false }
}

export function byColumn(name: string, { descending = false, kind = null }: Partial<ByColumn> = {}): RowOrder {
  return { kind: 'column', path: [], column: column(name, kind), descending }
}

interface ByColumn {
  readonly descending: boolean
  readonly kind: ValueKind | null
}

export function candidates(rows: readonly RowObject[]): readonly Candidate[] {
  return rows.map((row) => ({ row, pivot: null, type: 0 }))
}

/** For queries that follow no relation. */
export const lonelyWorld: QueryContext = {
  context,
  related() {
    throw new Error('no relation leads out of this world')
  },
}

export function provider(rows: Readonly<Record<string, readonly object[]>> = seeds): Required<Provider> {
  return memoryProvider(memoryStore(rows)) as Required<Provider>
}

export function relatedCriteria(some: Partial<RelatedCriteria> = {}): RelatedCriteria {
  return {
    conditions: [],
    conditionsOf: new Map(),
    columnsOf: new Map(),
    orders: [
      { kind: 'type', descending: false },
      { kind: 'key', descending: false },
    ],
    window: null,
    wantsCount: false,
    transaction: null,
    context,
    ...some,
  }
}

/** The members of each parent as objects, with the name of their type. */
export function membersOf({ sets, groups }: RelatedResult): readonly (readonly object[])[] {
  return groups.map(({ members }) =>
    members.map(({ set, row, pivot }) => {
      const { type = '?', rows = [] } = sets[set] ?? {}
      const { columns, rows: positional } = 'columns' in rows ? rows : rowSetOf(rows)
      return { type, ...rowObject(columns, positional[row] ?? []), ...(pivot === null ? {} : { pivot }) }
    }),
  )
}

export function whereEqual(name: string, value: unknown): RowCondition {
  return { kind: 'compare', column: column(name), operator: '=', value }
}
