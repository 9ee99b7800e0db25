import * as fc from 'fast-check'
import {
  amongThem,
  anyId,
  anyRelation,
  anyType,
  including,
  maybe,
  type Relation,
  relations,
  type Request,
  withQuery,
} from './leak-requests.js'
import { type TypeName, wireId } from './leak-rows.js'

/** The requests of the walk that write, single and in batches. */

const atomicType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta?: object
}

function identifier({ to, hasPivot = false }: Relation): fc.Arbitrary<Identifier> {
  return fc.tuple(fc.constantFrom(...to), anyId, fc.integer({ min: 0, max: 3 })).map(([type, id, position]) => {
    const meta = hasPivot && position > 1 ? { meta: { pivot: { position, remark: `new-${position}` } } } : {}
    return { type, id: wireId(type, id), ...meta }
  })
}

/** Linkage as it is sent for a relation: a write of all members, or of some. */
function linkage(relation: Relation): fc.Arbitrary<Identifier | null | readonly Identifier[]> {
  const member = identifier(relation)
  if (!relation.isMany) return fc.option(member, { freq: 4 })
  return fc.uniqueArray(member, { maxLength: 2, selector: ({ type, id }) => `${type} ${id}` })
}

/** The target of a write, to be sent by itself or in a batch. */
export type Write =
  | {
      readonly kind: 'create' | 'update'
      readonly type: TypeName
      readonly id: number
      readonly resource: object
      readonly query: string
      /** The id of a new resource, if the client names one. */
      readonly clientId?: string | null
    }
  /** Creates or updates a resource whose id the client names. It is not possible in a batch. */
  | { readonly kind: 'upsert'; readonly type: TypeName; readonly id: number; readonly resource: object }
  | { readonly kind: 'delete'; readonly type: TypeName; readonly id: number }
  | {
      readonly kind: 'members'
      readonly mode: 'add' | 'update' | 'remove'
      readonly type: TypeName
      readonly id: number
      readonly relation: string
      readonly data: unknown
    }

const secret = fc.constantFrom('new secret', null)
const attributes: Readonly<Partial<Record<TypeName, Readonly<Record<string, fc.Arbitrary<unknown>>>>>> = {
  artists: { labelName: fc.constantFrom('new label name', null), labelLevel: fc.constantFrom(2, null) },
  labels: { secret },
  albums: { code: fc.integer({ min: 1, max: 6 }).map((number) => `code-${number}`), secret },
  playlists: { secret },
  tracks: { artistName: fc.constantFrom('new artist name', null) },
}

function someAttributes(type: TypeName, isNew: boolean): fc.Arbitrary<object> {
  const usual = {
    name: fc.constantFrom('new name', 'other name'),
    owner: fc.integer({ min: 1, max: 2 }),
    open: fc.boolean(),
    level: fc.constantFrom(1, 2, 3, null, 99),
  }
  const special = attributes[type] ?? {}
  return isNew
    ? fc.tuple(fc.record(usual), fc.record(special, { requiredKeys: [] })).map(([all, some]) => ({ ...all, ...some }))
    : fc.record({ ...usual, ...special }, { requiredKeys: [] })
}

function someRelationships(type: TypeName): fc.Arbitrary<object> {
  const each = relations[type].map((relation) => [relation.name, linkage(relation).map((data) => ({ data }))] as const)
  return fc.record(Object.fromEntries(each), { requiredKeys: [] })
}

const clientIds: ReadonlySet<TypeName> = new Set(['playlists', 'notes'])

/** Some exist, perhaps out of sight of the caller, and some do not. */
const upsert: fc.Arbitrary<Write> = fc.constantFrom<TypeName>('playlists', 'notes').chain((type) =>
  fc.record({
    kind: fc.constant('upsert' as const),
    type: fc.constant(type),
    id: fc.oneof(anyId, fc.integer({ min: 95_000, max: 95_999 })),
    resource: fc
      .tuple(someAttributes(type, true), fc.option(someRelationships(type), { freq: 2 }))
      .map(([sent, linked]) => ({ attributes: sent, ...(linked === null ? {} : { relationships: linked }) })),
  }),
)

/** Some are taken, perhaps by a row that the caller cannot see. */
const anyClientId: fc.Arbitrary<string> = fc.oneof(anyId, fc.integer({ min: 95_000, max: 95_999 })).map(String)

const clientIdOf = (type: TypeName): fc.Arbitrary<string | null> =>
  clientIds.has(type) ? fc.option(anyClientId, { freq: 2 }) : fc.constant(null)

/** Whether a client can create resources of a type. */
const hasCreates = (type: TypeName): boolean => type !== 'editions'

const resourceWrite: fc.Arbitrary<Write> = fc.tuple(anyType, fc.boolean()).chain(([type, drawn]) => {
  const isNew = drawn && hasCreates(type)
  return fc.record({
    kind: fc.constant(isNew ? ('create' as const) : ('update' as const)),
    type: fc.constant(type),
    id: anyId,
    resource: fc
      .tuple(someAttributes(type, isNew), fc.option(someRelationships(type), { freq: 2 }))
      .map(([sent, linked]) => ({ attributes: sent, ...(linked === null ? {} : { relationships: linked }) })),
    query: maybe(amongThem(including[type], (path) => `include=${path}`)),
    clientId: clientIdOf(type),
  })
})

/** Members of join rows are changed by their own statements. */
const joinRelation: fc.Arbitrary<readonly [TypeName, Relation]> = anyRelation.filter(
  ([type, { name }]) => type === 'playlists' || name === 'playlists',
)

/** These have no fields, so that one statement writes them. */
const plainJoin = joinRelation.filter(([, { name }]) => name === 'guests')

/** Two types show these, and rules of playlists may look at their tracks. */
const sharedJoin = joinRelation.filter(([, { hasPivot = false }]) => hasPivot)

const memberWrite: fc.Arbitrary<Write> = fc
  .oneof(anyRelation, joinRelation, plainJoin, sharedJoin, sharedJoin)
  .chain(([type, relation]) =>
    fc.record({
      kind: fc.constant('members' as const),
      mode: relation.isMany
        ? fc.constantFrom('add' as const, 'update' as const, 'remove' as const)
        : fc.constant('update' as const),
      type: fc.constant(type),
      id: anyId,
      relation: fc.constant(relation.name),
      data: linkage(relation),
    }),
  )

/** A new resource with a field that its row may hide from the caller. */
const secretWrite: fc.Arbitrary<Write> = fc
  .constantFrom<TypeName>('labels', 'albums', 'playlists')
  .chain((type) => someAttributes(type, true).map((sent) => [type, sent] as const))
  .map(([type, sent]): Write => {
    return { kind: 'create', type, id: 0, resource: { attributes: { ...sent, secret: 'new secret' } }, query: '' }
  })

/** Moves a track to another album from its own side, or creates one in an album. */
const trackWrite: fc.Arbitrary<Write> = fc
  .tuple(
    fc.constantFrom('create' as const, 'update' as const, 'members' as const),
    anyId,
    fc.option(anyId, { freq: 4 }),
  )
  .chain(([kind, id, albumId]) =>
    someAttributes('tracks', kind === 'create').map((attributesSent): Write => {
      const data = albumId === null ? null : { type: 'albums', id: String(albumId) }
      if (kind === 'members') return { kind, mode: 'update', type: 'tracks', id, relation: 'album', data }
      const sent = kind === 'create' ? { attributes: attributesSent } : {}
      return { kind, type: 'tracks', id, resource: { ...sent, relationships: { album: { data } } }, query: '' }
    }),
  )

/** Members that the caller may perhaps not read, or that another provider may read. */
const hiddenMembers = [
  ['playlists', 'guests', 'artists'],
  ['playlists', 'guests', 'artists'],
  ['albums', 'notes', 'notes'],
  ['artists', 'notes', 'notes'],
] as const

/** Changes such members: by one of them, or by none. */
const hiddenMemberWrite: fc.Arbitrary<Write> = fc
  .record({
    mode: fc.constantFrom('add' as const, 'remove' as const, 'update' as const, 'update' as const),
    relation: fc.constantFrom(...hiddenMembers),
    id: anyId,
    member: anyId,
    isNone: fc.boolean(),
  })
  .map(({ mode, relation: [type, relation, to], id, member, isNone }): Write => {
    const data = isNone && mode === 'update' ? [] : [{ type: to, id: String(member) }]
    return { kind: 'members', mode, type, id, relation, data }
  })

export const anyWrite: fc.Arbitrary<Write> = fc.oneof(
  { weight: 4, arbitrary: hiddenMemberWrite },
  { weight: 1, arbitrary: secretWrite },
  { weight: 1, arbitrary: trackWrite },
  { weight: 2, arbitrary: upsert },
  { weight: 5, arbitrary: resourceWrite },
  { weight: 4, arbitrary: memberWrite },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), type: anyType, id: anyId }) },
)

const ownId = (id: string | null | undefined): { readonly id: string } | null =>
  typeof id === 'string' ? { id } : null

const methods = { add: 'POST', update: 'PATCH', remove: 'DELETE' } as const

export function singleRequest(write: Write): Request {
  const { type } = write
  const id = wireId(type, write.id)
  switch (write.kind) {
    case 'create':
      return {
        method: 'POST',
        path: withQuery(`/${type}`, write.query),
        headers: {},
        body: { data: { type, ...ownId(write.clientId), ...write.resource } },
      }
    case 'update': {
      const body = { data: { type, id, ...write.resource } }
      return { method: 'PATCH', path: withQuery(`/${type}/${id}`, write.query), headers: {}, body }
    }
    case 'upsert':
      return { method: 'PUT', path: `/${type}/${id}`, headers: {}, body: { data: { type, id, ...write.resource } } }
    case 'delete':
      return { method: 'DELETE', path: `/${type}/${id}`, headers: {} }
    case 'members': {
      const path = `/${type}/${id}/relationships/${write.relation}`
      return { method: methods[write.mode], path, headers: {}, body: { data: write.data } }
    }
  }
}

function inBatch(write: Write, byHref: boolean): object {
  const { type } = write
  const id = wireId(type, write.id)
  const target = (relationship?: string) =>
    byHref
      ? { href: relationship === undefined ? `/${type}/${id}` : `/${type}/${id}/relationships/${relationship}` }
      : { ref: { type, id, ...(relationship === undefined ? {} : { relationship }) } }
  switch (write.kind) {
    case 'create':
      return { op: 'add', data: { type, ...(ownId(write.clientId) ?? { lid: `new-${type}` }), ...write.resource } }
    case 'update':
    case 'upsert':
      return { op: 'update', ...target(), data: { type, id, ...write.resource } }
    case 'delete':
      return { op: 'remove', ...target() }
    case 'members':
      return { op: write.mode, ...target(write.relation), data: write.data }
  }
}

export function batch(writes: readonly Write[], byHref: boolean): Request {
  // A local id may be defined once.
  const operations = writes.map((write, index) => {
    const text = JSON.stringify(inBatch(write, byHref)).replace('"lid":"new-', `"lid":"new-${index}-`)
    return JSON.parse(text) as object
  })
  return {
    method: 'POST',
    path: '/operations',
    headers: { Accept: atomicType, 'Content-Type': atomicType },
    body: { 'atomic:operations': operations },
  }
}

/** A new resource with at most the relationships whose keys are in its own row. */
function newRow(type: TypeName): fc.Arbitrary<Write> {
  const own = relations[type].filter(({ isMany, name }) => !isMany && name !== 'biography')
  const linked = fc.record(
    Object.fromEntries(own.map((relation) => [relation.name, linkage(relation).map((data) => ({ data }))])),
    { requiredKeys: [] },
  )
  return fc.tuple(someAttributes(type, true), linked).map(([sent, relationships]) => {
    return { kind: 'create', type, id: 0, resource: { attributes: sent, relationships }, query: '' }
  })
}

/** Several creates of one type, which are inserted together, and perhaps a write that refers to the first of them. */
const creates: fc.Arbitrary<Request> = fc
  .constantFrom<TypeName>('labels', 'labels', 'playlists', 'biographies', 'notes', 'artists')
  .chain((type) => fc.tuple(newRow(type), newRow(type), anyId, fc.boolean()))
  .map(([first, second, id, isLinked]) => {
    const created = batch([first, second], false)
    const label = { data: { type: 'labels', lid: 'new-0-labels' } }
    const linked = { op: 'update', data: { type: 'artists', id: String(id), relationships: { label } } }
    const { 'atomic:operations': operations } = created.body as { readonly 'atomic:operations': readonly object[] }
    const more = isLinked && first.type === 'labels' ? [linked] : []
    return { ...created, body: { 'atomic:operations': [...operations, ...more] } }
  })

const actions: fc.Arbitrary<Request> = fc
  .tuple(
    anyId,
    fc.constantFrom('restore', 'force-delete', 'again', 'act', 'gather'),
    fc.constantFrom('', '?include=tracks,artist.label'),
  )
  .map(([id, action, query]) => ({
    method: 'POST',
    path:
      action === 'gather'
        ? '/albums/-actions/gather'
        : `/albums/${id}/-actions/${action}${action === 'force-delete' ? '' : query}`,
    headers: {},
  }))

export const anyChange: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: anyWrite.map(singleRequest) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(anyWrite, { minLength: 1, maxLength: 2 }), fc.boolean())
      .map(([writes, byHref]) => batch(writes, byHref)),
  },
  { weight: 2, arbitrary: creates },
  { weight: 1, arbitrary: actions },
)
