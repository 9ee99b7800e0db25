import { countableProfile, cursorPaginationProfile, relationshipQueriesProfile } from 'ashlar'
import * as fc from 'fast-check'
import { canary, type TypeName, typeNames } from './leak-rows.js'

/** A request of the walk. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

const uris = [countableProfile, relationshipQueriesProfile, cursorPaginationProfile].map(({ uri }) => uri)
const profiled = { Accept: `application/vnd.api+json; profile="${uris.join(' ')}"` }
const atomicType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

interface Relation {
  readonly name: string
  readonly to: readonly TypeName[]
  readonly isMany: boolean
  readonly hasPivot?: boolean
}

const one = (name: string, ...to: readonly TypeName[]): Relation => ({ name, to, isMany: false })
const many = (name: string, ...to: readonly TypeName[]): Relation => ({ name, to, isMany: true })

const relations: Readonly<Record<TypeName, readonly Relation[]>> = {
  labels: [many('artists', 'artists')],
  artists: [one('label', 'labels'), one('biography', 'biographies'), many('albums', 'albums'), many('notes', 'notes')],
  biographies: [one('artist', 'artists')],
  albums: [one('artist', 'artists'), many('tracks', 'tracks'), many('notes', 'notes')],
  tracks: [one('album', 'albums'), { ...many('playlists', 'playlists'), hasPivot: true }],
  playlists: [
    { ...many('tracks', 'tracks'), hasPivot: true },
    many('items', 'albums', 'tracks'),
    many('guests', 'artists'),
    many('notes', 'notes'),
  ],
  notes: [one('subject', 'artists', 'albums', 'playlists')],
}

const anyId = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constant(7) },
)
const anyType = fc.constantFrom(...typeNames)
const anyName = fc.tuple(anyType, anyId).map(([type, id]) => canary(type, id))
const nameOf = (type: TypeName): fc.Arbitrary<string> => anyId.map((id) => canary(type, id))

const including: Readonly<Record<TypeName, readonly string[]>> = {
  labels: ['artists', 'artists.albums.tracks', 'artists.biography', 'artists.label'],
  artists: ['label', 'albums', 'biography', 'notes', 'albums.artist,label', 'albums.tracks.playlists', 'notes.subject'],
  biographies: ['artist', 'artist.label', 'artist.notes'],
  albums: ['artist.label', 'tracks', 'notes', 'tracks.playlists', 'artist.albums', 'artist.biography,tracks'],
  tracks: ['album', 'playlists', 'album.artist.label', 'playlists.tracks', 'playlists.items'],
  playlists: ['tracks', 'items', 'guests.label', 'notes', 'tracks.album.artist', 'tracks.playlists'],
  notes: ['subject'],
}

const fixed = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)
const filter = (key: string, value: fc.Arbitrary<string | number>): fc.Arbitrary<string> =>
  value.map((text) => `filter[${key}]=${text}`)

const filters: Readonly<Record<TypeName, fc.Arbitrary<string>>> = {
  labels: fc.oneof(
    filter('name', nameOf('labels')),
    fixed('filter[signed]=1', 'filter[unsigned]=1'),
    filter('artist', nameOf('artists')),
    filter('biography', nameOf('biographies')),
    filter('matching', nameOf('artists')),
  ),
  artists: fc.oneof(
    filter('labelName', nameOf('labels')),
    filter('label', anyId),
    filter('q', anyName),
    fixed('filter[labelled]=1', 'filter[unlabelled]=1', 'filter[described]=1'),
  ),
  biographies: filter('id', anyId),
  albums: fc.oneof(
    filter('artistName', nameOf('artists')),
    filter('artist', anyId),
    filter('label', nameOf('labels')),
    filter('track', nameOf('tracks')),
    filter('played', nameOf('playlists')),
    fixed('filter[trash]=true', 'filter[all]=true'),
  ),
  tracks: fc.oneof(
    filter('playlist', nameOf('playlists')),
    filter('album', nameOf('albums')),
    fixed('filter[listed]=1', 'filter[unlisted]=1'),
  ),
  playlists: fc.oneof(filter('track', nameOf('tracks')), fixed('filter[filled]=1', 'filter[full]=1', 'filter[bare]=1')),
  notes: fixed('filter[attached]=1', 'filter[loose]=1'),
}

const sorts: Readonly<Record<TypeName, readonly string[]>> = {
  labels: ['name', '-level'],
  artists: ['label', '-label', 'biography', 'labelName', '-name'],
  biographies: ['-id'],
  albums: ['artist', '-label', 'labelName', 'name'],
  tracks: ['album', '-name'],
  playlists: ['-id'],
  notes: ['-id'],
}

const counts: Readonly<Record<TypeName, readonly string[]>> = {
  labels: ['artists', '_self_', 'artists,_self_'],
  artists: ['albums', 'notes', 'albums,notes'],
  biographies: [],
  albums: ['tracks', '_self_'],
  tracks: ['playlists'],
  playlists: ['tracks', 'items', 'tracks,items,guests,_self_'],
  notes: [],
}

const relatedQueries: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  artists: ['relatedQuery[albums][sort]=-artist', 'relatedQuery[albums][filter][artist]=1'],
  playlists: ['relatedQuery[tracks][filter][remark]=remark-1', 'relatedQuery[tracks][sort]=album'],
}

const maybe = (part: fc.Arbitrary<string>, freq = 2): fc.Arbitrary<string> =>
  fc.option(part, { freq }).map((text) => text ?? '')
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.filter((text) => text !== '').join('&'))
const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
const amongThem = (texts: readonly string[], form: (text: string) => string): fc.Arbitrary<string> =>
  texts.length === 0 ? fc.constant('') : fc.constantFrom(...texts).map(form)

const include = (type: TypeName): fc.Arbitrary<string> =>
  maybe(
    amongThem(including[type], (path) => `include=${path}`),
    1,
  )
const fieldset = fixed(
  'fields[artists]=name',
  'fields[albums]=artist',
  'fields[tracks]=playlists,artistName',
  'fields[playlists]=items',
)
const pageOf = fixed(
  'page[size]=2',
  'page[number]=2&page[size]=1',
  'page[kind]=cursor&page[size]=1',
  'page[kind]=cursor',
)

const pagedTypes: ReadonlySet<TypeName> = new Set(['labels', 'artists', 'albums', 'tracks'])

function listQuery(type: TypeName): fc.Arbitrary<string> {
  return joined(
    maybe(filters[type], 1),
    maybe(amongThem(sorts[type], (sort) => `sort=${sort}`)),
    include(type),
    maybe(fieldset, 4),
    maybe(pagedTypes.has(type) ? pageOf : fc.constant('page[size]=2')),
    maybe(amongThem(counts[type], (names) => `withCount=${names}`)),
    maybe(amongThem(relatedQueries[type] ?? [], String), 3),
  )
}

function singleQuery(type: TypeName): fc.Arbitrary<string> {
  return joined(
    include(type),
    maybe(fieldset, 4),
    maybe(
      amongThem(counts[type], (names) => `withCount=${names}`),
      3,
    ),
  )
}

const anyRelation: fc.Arbitrary<readonly [TypeName, Relation]> = anyType.chain((type) =>
  fc.constantFrom(...relations[type]).map((relation) => [type, relation] as const),
)

/** The query of a related collection: of the types that it may hold, the first decides what is asked. */
function relatedQuery([type, { name, to, isMany }]: readonly [TypeName, Relation]): fc.Arbitrary<string> {
  const [first = 'labels'] = to
  if (to.length > 1) return fc.constant('')
  if (!isMany) return singleQuery(first)
  const own =
    type === 'playlists' && name === 'tracks'
      ? fixed('filter[remark]=remark-1', 'filter[position]=3', 'sort=-position')
      : null
  const paged = type === 'albums' && name === 'tracks'
  return joined(
    maybe(own ?? filters[first], 1),
    include(first),
    maybe(paged ? fc.constant('page[size]=1') : fc.constant('page[size]=2')),
    maybe(
      amongThem(
        counts[first].filter((names) => !names.includes('_self_')),
        (names) => `withCount=${names}`,
      ),
      3,
    ),
  )
}

const paths: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: anyType.chain((type) => listQuery(type).map((query) => withQuery(`/${type}`, query))) },
  {
    weight: 3,
    arbitrary: anyType.chain((type) =>
      fc.tuple(anyId, singleQuery(type)).map(([id, query]) => withQuery(`/${type}/${id}`, query)),
    ),
  },
  {
    weight: 2,
    arbitrary: anyRelation.chain((relation) =>
      fc
        .tuple(anyId, relatedQuery(relation))
        .map(([id, query]) => withQuery(`/${relation[0]}/${id}/${relation[1].name}`, query)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyRelation, anyId).map(([[type, { name }], id]) => `/${type}/${id}/relationships/${name}`),
  },
  { weight: 1, arbitrary: anyId.map((id) => `/albums/${id}/-actions/show?include=tracks`) },
)

export const anyRead: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom(...Array<string>(9).fill('GET'), 'HEAD'), paths)
  .map(([method, path]) => ({ method, path, headers: profiled }))

interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta?: object
}

function identifier({ to, hasPivot = false }: Relation): fc.Arbitrary<Identifier> {
  return fc.tuple(fc.constantFrom(...to), anyId, fc.integer({ min: 0, max: 3 })).map(([type, id, position]) => {
    const meta = hasPivot && position > 1 ? { meta: { pivot: { position, remark: `new-${position}` } } } : {}
    return { type, id: String(id), ...meta }
  })
}

/** Linkage as it is sent for a relation: a write of all members, or of some. */
function linkage(relation: Relation): fc.Arbitrary<Identifier | null | readonly Identifier[]> {
  const member = identifier(relation)
  if (!relation.isMany) return fc.option(member, { freq: 4 })
  return fc.uniqueArray(member, { maxLength: 2, selector: ({ type, id }) => `${type} ${id}` })
}

/** What a write is about, to be sent alone or in a batch. */
type Write =
  | {
      readonly kind: 'create' | 'update'
      readonly type: TypeName
      readonly id: number
      readonly resource: object
      readonly query: string
    }
  | { readonly kind: 'delete'; readonly type: TypeName; readonly id: number }
  | {
      readonly kind: 'members'
      readonly mode: 'add' | 'update' | 'remove'
      readonly type: TypeName
      readonly id: number
      readonly relation: string
      readonly data: unknown
    }

const attributes: Readonly<Partial<Record<TypeName, Readonly<Record<string, fc.Arbitrary<unknown>>>>>> = {
  artists: { labelName: fc.constantFrom('new label name', null), labelLevel: fc.constantFrom(2, null) },
  albums: { code: fc.integer({ min: 1, max: 6 }).map((number) => `code-${number}`) },
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

const resourceWrite: fc.Arbitrary<Write> = fc.tuple(anyType, fc.boolean()).chain(([type, isNew]) =>
  fc.record({
    kind: fc.constant(isNew ? ('create' as const) : ('update' as const)),
    type: fc.constant(type),
    id: anyId,
    resource: fc
      .tuple(someAttributes(type, isNew), fc.option(someRelationships(type), { freq: 2 }))
      .map(([sent, linked]) => ({ attributes: sent, ...(linked === null ? {} : { relationships: linked }) })),
    query: maybe(amongThem(including[type], (path) => `include=${path}`)),
  }),
)

/** Those of join rows are changed by statements of their own. */
const joinRelation: fc.Arbitrary<readonly [TypeName, Relation]> = anyRelation.filter(
  ([type, { name }]) => type === 'playlists' || name === 'playlists',
)

/** These have no fields, so that one statement writes them. */
const plainJoin = joinRelation.filter(([, { name }]) => name === 'guests')

const memberWrite: fc.Arbitrary<Write> = fc.oneof(anyRelation, joinRelation, plainJoin).chain(([type, relation]) =>
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

const anyWrite: fc.Arbitrary<Write> = fc.oneof(
  { weight: 5, arbitrary: resourceWrite },
  { weight: 4, arbitrary: memberWrite },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), type: anyType, id: anyId }) },
)

const methods = { add: 'POST', update: 'PATCH', remove: 'DELETE' } as const

function alone(write: Write): Request {
  const { type, id } = write
  switch (write.kind) {
    case 'create':
      return {
        method: 'POST',
        path: withQuery(`/${type}`, write.query),
        headers: {},
        body: { data: { type, ...write.resource } },
      }
    case 'update': {
      const body = { data: { type, id: String(id), ...write.resource } }
      return { method: 'PATCH', path: withQuery(`/${type}/${id}`, write.query), headers: {}, body }
    }
    case 'delete':
      return { method: 'DELETE', path: `/${type}/${id}`, headers: {} }
    case 'members': {
      const path = `/${type}/${id}/relationships/${write.relation}`
      return { method: methods[write.mode], path, headers: {}, body: { data: write.data } }
    }
  }
}

function inBatch(write: Write, byHref: boolean): object {
  const { type, id } = write
  const target = (relationship?: string) =>
    byHref
      ? { href: relationship === undefined ? `/${type}/${id}` : `/${type}/${id}/relationships/${relationship}` }
      : { ref: { type, id: String(id), ...(relationship === undefined ? {} : { relationship }) } }
  switch (write.kind) {
    case 'create':
      return { op: 'add', data: { type, lid: `new-${type}`, ...write.resource } }
    case 'update':
      return { op: 'update', ...target(), data: { type, id: String(id), ...write.resource } }
    case 'delete':
      return { op: 'remove', ...target() }
    case 'members':
      return { op: write.mode, ...target(write.relation), data: write.data }
  }
}

function batch(writes: readonly Write[], byHref: boolean): Request {
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
    fc.constantFrom('restore', 'force-delete', 'again'),
    fc.constantFrom('', '?include=tracks,artist.label'),
  )
  .map(([id, action, query]) => ({
    method: 'POST',
    path: `/albums/${id}/-actions/${action}${action === 'force-delete' ? '' : query}`,
    headers: {},
  }))

export const anyChange: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: anyWrite.map(alone) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(anyWrite, { minLength: 1, maxLength: 2 }), fc.boolean())
      .map(([writes, byHref]) => batch(writes, byHref)),
  },
  { weight: 2, arbitrary: creates },
  { weight: 1, arbitrary: actions },
)
