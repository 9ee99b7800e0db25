import {
  countableProfile,
  cursorPaginationProfile,
  relationshipQueriesProfile,
} from '../../../src/declare/profiles/profile.js'
import * as fc from 'fast-check'
import {
  amongThem,
  anyId,
  anyRelation,
  anyType,
  including,
  maybe,
  type Relation,
  type Request,
  withQuery,
} from './leak-requests.js'
import { canary, type TypeName, wireId } from './leak-rows.js'

/** The requests of the walk that read. */

const uris = [countableProfile, relationshipQueriesProfile, cursorPaginationProfile].map(({ uri }) => uri)
const profiled = { Accept: `application/vnd.api+json; profile="${uris.join(' ')}"` }

const anyName = fc.tuple(anyType, anyId).map(([type, id]) => canary(type, id))
const nameOf = (type: TypeName): fc.Arbitrary<string> => anyId.map((id) => canary(type, id))
const secretOf = (type: TypeName): fc.Arbitrary<string> => anyId.map((id) => `secret-${type}-${id}`)

const fixed = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)
const filter = (key: string, value: fc.Arbitrary<string | number>): fc.Arbitrary<string> =>
  value.map((text) => `filter[${key}]=${text}`)

/** Searches for one of the texts, for what begins like it, or for all others. */
const searched = (key: string, ...texts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(...texts),
      fc.constantFrom('', '*', '-'),
      fc.constantFrom('', '&sort=-relevance', '&sort=relevance'),
    )
    .map(([text, sign, sort]) => `filter[${key}]=${sign === '-' ? `-"${text}"` : `${text}${sign}`}${sort}`)

const filters: Readonly<Record<TypeName, fc.Arbitrary<string>>> = {
  editions: fixed('filter[labelled]=1'),
  labels: fc.oneof(
    filter('number', anyId),
    filter('shelf', fc.integer({ min: 1, max: 2 })),
    fixed('filter[loose]=1'),
    filter('name', nameOf('labels')),
    filter('secret', secretOf('labels')),
    fixed('filter[signed]=1', 'filter[unsigned]=1'),
    filter('artist', nameOf('artists')),
    filter('biography', nameOf('biographies')),
    filter('matching', nameOf('artists')),
    searched('words', nameOf('labels'), secretOf('labels')),
    filter('wordsOfArtists', nameOf('artists')),
  ),
  artists: fc.oneof(
    filter('labelName', nameOf('labels')),
    filter('label', anyId),
    filter('q', anyName),
    fixed('filter[labelled]=1', 'filter[unlabelled]=1', 'filter[described]=1'),
    searched('words', nameOf('artists')),
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
  playlists: fc.oneof(
    filter('track', nameOf('tracks')),
    fixed('filter[filled]=1', 'filter[full]=1', 'filter[bare]=1', 'filter[visited]=1', 'filter[lonely]=1'),
    filter('guest', nameOf('artists')),
    filter('favourite', anyId),
    filter('favourites', nameOf('albums')),
    filter('secret', secretOf('playlists')),
  ),
  notes: fc.oneof(
    fixed('filter[attached]=1', 'filter[loose]=1', 'filter[about]=albums', 'filter[about]=artists'),
    filter('key', anyId),
  ),
}

const sorts: Readonly<Record<TypeName, readonly string[]>> = {
  editions: ['-id', 'name'],
  labels: ['name', '-level', 'secret', 'number', '-shelf', 'edition'],
  artists: ['label', '-label', 'biography', 'labelName', '-name', '-relevance'],
  biographies: ['-id'],
  albums: ['artist', '-label', 'labelName', 'name'],
  tracks: ['album', '-name'],
  playlists: ['-id', 'favourite', '-secret'],
  notes: ['-id', 'key', '-about'],
}

const counts: Readonly<Record<TypeName, readonly string[]>> = {
  editions: ['labels'],
  labels: ['artists', '_self_', 'artists,_self_'],
  artists: ['albums', 'notes', 'albums,notes'],
  biographies: [],
  albums: ['tracks', '_self_'],
  tracks: ['playlists'],
  playlists: ['tracks', 'items', 'guests', 'tracks,items,guests,_self_'],
  notes: [],
}

const relatedQueries: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  artists: ['relatedQuery[albums][sort]=-artist', 'relatedQuery[albums][filter][artist]=1'],
  playlists: ['relatedQuery[tracks][filter][remark]=remark-1', 'relatedQuery[tracks][sort]=album'],
}

const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.filter((text) => text !== '').join('&'))
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
  'fields[playlists]=favourite,secret',
)
const pageOf = fixed(
  'page[size]=2',
  'page[number]=2&page[size]=1',
  'page[kind]=cursor&page[size]=1',
  'page[kind]=cursor',
)

const pagedTypes: ReadonlySet<TypeName> = new Set(['labels', 'artists', 'albums', 'tracks', 'notes'])

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

/** The query of a related collection: the first of its types decides it. */
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

const aggregates: readonly { readonly type: TypeName; readonly names: readonly string[] }[] = [
  { type: 'labels', names: ['edition', 'secret', 'month'] },
  { type: 'albums', names: ['artist', 'level', 'all'] },
  { type: 'playlists', names: ['favourite'] },
]

/** Keys and fields that an aggregate does not have are refused, and lists of the keys that it has must not depend on hidden rows either. */
const aggregatePath: fc.Arbitrary<string> = fc
  .constantFrom(...aggregates)
  .chain(({ type, names }) =>
    fc
      .constantFrom(...names)
      .chain((name) =>
        joined(
          maybe(filters[type], 1),
          maybe(fixed('sort=-rows', 'sort=last', 'sort=-secret', `sort=${name}`)),
          maybe(fixed(`include=${name}`), 2),
          maybe(fixed(`fields[${type}-${name}]=rows`, `fields[${type}-${name}]=secret,${name}`), 4),
          maybe(fixed('page[size]=1', 'page[size]=1&page[number]=2'), 2),
          maybe(fixed('withCount=_self_')),
        ).map((query) => withQuery(`/${type}/-aggregates/${name}`, query)),
      ),
  )

const paths: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: anyType.chain((type) => listQuery(type).map((query) => withQuery(`/${type}`, query))) },
  {
    weight: 3,
    arbitrary: anyType.chain((type) =>
      fc.tuple(anyId, singleQuery(type)).map(([id, query]) => withQuery(`/${type}/${wireId(type, id)}`, query)),
    ),
  },
  {
    weight: 2,
    arbitrary: anyRelation.chain((relation) =>
      fc
        .tuple(anyId, relatedQuery(relation))
        .map(([id, query]) => withQuery(`/${relation[0]}/${wireId(relation[0], id)}/${relation[1].name}`, query)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyRelation, anyId)
      .map(([[type, { name }], id]) => `/${type}/${wireId(type, id)}/relationships/${name}`),
  },
  { weight: 3, arbitrary: aggregatePath },
  { weight: 1, arbitrary: anyId.map((id) => `/albums/${id}/-actions/show?include=tracks`) },
  { weight: 1, arbitrary: anyId.map((id) => `/playlists/${id}/-actions/act?include=guests`) },
)

/** A filter of a URL as one of a JSON query. Filters with the value 1 only have to be present, unless their value is an id. */
function treeLeaf(text: string): object {
  const [, key = '', value = ''] = /^filter\[(\w+)\]=(.*)$/.exec(text) ?? []
  const isPresence = value === '1' && !['number', 'shelf', 'label', 'id', 'artist', 'favourite', 'key'].includes(key)
  return { [key]: isPresence ? true : value }
}

const anyTree = (type: TypeName): fc.Arbitrary<object> =>
  fc.letrec<{ tree: object }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 2 },
      filters[type].map(treeLeaf),
      tie('tree').map((not) => ({ not })),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
      fc.array(tie('tree'), { minLength: 1, maxLength: 2 }).map((and) => ({ and })),
    ),
  })).tree

/** A collection with combined filters, most of them negated. */
const anyTreeRead: fc.Arbitrary<Request> = anyType.chain((type) =>
  anyTree(type).map((tree) => ({
    method: 'QUERY',
    path: `/${type}`,
    headers: profiled,
    body: { filter: { not: tree } },
  })),
)

const anyOtherRead: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom(...Array<string>(7).fill('GET'), 'HEAD', 'QUERY', 'QUERY'), paths)
  // No action is read by QUERY.
  .map(([method, path]) => ({ method: path.includes('/-actions/') ? 'GET' : method, path, headers: profiled }))

/** The columns of an export. Some of them are to-one relations, and some are visible in some rows only. */
const columns: Readonly<Record<TypeName, readonly string[]>> = {
  editions: ['name', 'level,name'],
  labels: ['secret,edition', 'name', 'edition,day,secret,level'],
  artists: ['label,biography', 'labelName,labelLevel,label', 'name'],
  biographies: ['artist', 'since,name,artist'],
  albums: ['artist,labelName', 'secret,artist', 'name,code'],
  tracks: ['album,artistName', 'artistName'],
  playlists: ['favourite,secret', 'secret', 'name,favourite'],
  notes: ['subject', 'name,subject'],
}

const anyFormat = fc.constantFrom('application/x-ndjson', 'text/csv')

const exportQuery = (type: TypeName): fc.Arbitrary<string> =>
  joined(
    maybe(filters[type], 1),
    maybe(amongThem(sorts[type], (sort) => `sort=${sort}`)),
    maybe(amongThem(columns[type], (names) => `fields[${type}]=${names}`)),
  )

/** The members of a relation to one type are exported as the type is. */
const exportPath: fc.Arbitrary<string> = fc.oneof(
  anyType.chain((type) => exportQuery(type).map((query) => withQuery(`/${type}`, query))),
  fc
    .tuple(anyRelation, anyId)
    .filter(([[, { to, isMany }]]) => isMany && to.length === 1)
    .chain(([[type, { name, to }], id]) =>
      exportQuery(to[0] ?? type).map((query) => withQuery(`/${type}/${wireId(type, id)}/${name}`, query)),
    ),
)

const anyPlainExport: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'QUERY'), exportPath)
  .map(([method, path]) => ({ method, path, headers: {} }))

/** All rows of a collection, in a format without documents. */
const anyExport: fc.Arbitrary<Request> = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: anyPlainExport }, { weight: 1, arbitrary: anyTreeRead }), anyFormat)
  .map(([request, accepted]) => ({ ...request, headers: { Accept: accepted } }))

export const anyRead: fc.Arbitrary<Request> = fc.oneof(
  { weight: 5, arbitrary: anyOtherRead },
  { weight: 1, arbitrary: anyTreeRead },
  { weight: 1, arbitrary: anyExport },
)
