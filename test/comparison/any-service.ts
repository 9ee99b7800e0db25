import {
  apiKeys,
  atomic,
  belongsTo,
  belongsToMany,
  created,
  cursorPage,
  fixedPage,
  hasMany,
  id,
  morphTo,
  noContent,
  numberPage,
  offsetPage,
  pageMenu,
  type FilterKit,
} from 'ashlar'
import * as fc from 'fast-check'
import { acting, type Kit, type Members, resource } from './compared.js'

const tagged = () => belongsToMany('tags').through('album_tags', { owner: 'albumId', member: 'tagId' })
const sunset = '2031-12-31'

/** The forms of each attribute, the first of which is none. */
const attributes: Readonly<Record<string, readonly ((a: Kit) => unknown)[]>> = {
  name: [
    (a) => a.string(),
    (a) => a.string().required().maxLength(9),
    (a) => a.string().maxLength(5).nullable(),
    (a) => a.string().deprecated({ sunset }),
    (a) => a.string().writeOnly(),
    (a) => a.string().enum(['a', 'b']),
    (a) => a.string().enum(['b', 'c']).nullable(),
    (a) => a.email().unique(),
  ],
  year: [
    (a) => a.integer(),
    (a) => a.integer().min(1).max(9).sortable(),
    (a) => a.decimal().exclusiveMin(1).readOnly(),
    (a) => a.bigint().max(5n),
    (a) => a.boolean(),
  ],
  length: [
    (a) => a.time(),
    (a) => a.time().format('HH:mm'),
    (a) => a.date().before('2030-01-01'),
    (a) => a.date().before('2031-01-01').sparseByDefault(),
    (a) => a.dateTime(),
  ],
  label: [
    (a) => a.object().fields({ name: a.string() }),
    (a) => a.object().fields({ name: a.string().required(), code: a.integer() }),
    (a) => a.object().fields({ name: a.integer(), code: a.integer().deprecated() }).nullable(),
    (a) => a.oneOf().variant('lp', { inches: a.integer() }),
    (a) => a.oneOf().variant('cd', { discs: a.integer() }).variant('lp', { inches: a.decimal() }).nullable(),
  ],
  genres: [
    (a) => a.arrayList(),
    (a) => a.arrayList().of('integer').maxItems(3),
    (a) => a.arrayList().uniqueItems().nullable(),
    (a) => a.arrayHash().maxProperties(3),
  ],
}

const relations: Readonly<Record<string, readonly (() => unknown)[]>> = {
  artist: [
    () => belongsTo('artists'),
    () => belongsTo('artists').required().filterable(),
    () => belongsTo('artists').cannotBeIncluded().readOnly(),
    () => belongsTo('artists').withoutRelatedEndpoint().deprecated({ sunset }),
    () => belongsTo('artists').withoutLinks().sparseByDefault(),
    () => belongsTo('artists').withoutRelationshipEndpoint(),
  ],
  marks: [
    () => tagged(),
    () => tagged().maxItems(5).cannotReplace(),
    () => tagged().fields((a) => ({ position: a.integer() })),
    () => tagged().fields((a) => ({ position: a.integer().max(9).nullable(), weight: a.integer() })),
    () => tagged().paginate(cursorPage()).withoutData(),
  ],
  subject: [() => morphTo(['artists', 'tags']), () => morphTo(['artists', 'tags', 'albums'])],
}

const filters: Readonly<Record<string, readonly ((f: FilterKit<string>) => unknown)[]>> = {
  code: [
    (f) => f.where('id'),
    (f) => f.in('id'),
    (f) => f.where('id').deprecated(),
    (f) => f.where('id').default('5'),
    (f) => f.where('id').pattern(/^\d+$/),
  ],
}

const paginators = [
  null,
  numberPage(),
  numberPage({ size: 5, maxSize: 9 }),
  offsetPage(),
  cursorPage(),
  fixedPage(),
  pageMenu([numberPage(), cursorPage({ size: 7 })]),
  pageMenu([numberPage(), cursorPage(), offsetPage()], { default: 'cursor' }),
]

const operations = [
  undefined,
  ['FetchCollection', 'FetchOne'],
  ['FetchCollection', 'FetchOne', 'Create'],
  ['FetchOne', 'Update', 'Delete'],
]

/** The parts of a service, each with its forms. `undefined` represents none. */
const parts = {
  ...formsOf('attribute', attributes),
  ...formsOf('relation', relations),
  ...formsOf('filter', filters),
  pagination: paginators,
  operations,
  id: [id(), id().allowClientId(), id().uuid().requireClientId()],
  version: [null, { column: 'lockVersion' }, { column: 'lockVersion', required: true }],
  maxIncludeDepth: [0, 1, 2],
  play: [undefined, {}, { deprecated: { sunset } }],
  countable: [false, true],
  idempotency: [false, true],
  limits: [{}, { bodyBytes: 1000 }, { sortKeys: 5, filterValues: 5 }],
  selfLink: [true, false],
  softDeletes: [undefined, { column: 'deletedAt' }],
  collectionTags: [false, true],
  deprecation: [{}, { deprecation: true }, { deprecation: true, sunset: 'Wed, 31 Dec 2031 23:59:59 GMT' }],
  cacheHeaders: [undefined, { max_age: 5 }],
  create: [created(), [created(), noContent()], noContent()],
  hooks: [undefined, { beforeCreate: () => undefined }, { afterCreate: () => undefined }],
  policy: ['public', () => ({ viewAny: true }), () => ({ viewAny: false, view: false })],
  settings: [
    {},
    { version: '' },
    { cors: { origins: ['https://music.example'] } },
    { requestIds: true },
    { unknownMembers: 'reject' },
    { rootDocument: false },
    { compression: true },
    { profiles: [] },
    { baseUri: 'https://music.example' },
    { extensions: [atomic()] },
    { extensions: [atomic({ maxOperations: 5 })] },
    { debug: true },
    { dryRun: true },
    { requestEncodings: [] },
    { allowedHosts: ['music.example'] },
    { openapi: { describedby: false } },
  ],
}

function formsOf(
  kind: string,
  forms: Readonly<Record<string, readonly unknown[]>>,
): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(Object.entries(forms).map(([name, each]) => [`${kind} ${name}`, [undefined, ...each]]))
}

/** The form of each part. */
type Chosen = Members

const anyForms: fc.Arbitrary<Chosen> = fc.record(
  Object.fromEntries(Object.entries(parts).map(([part, forms]) => [part, fc.constantFrom<unknown>(...forms)])),
)

/** Returns the members of a kind by name. */
function declared(chosen: Chosen, kind: string, kit: unknown): Members {
  const ofKind = Object.entries(chosen).filter(([part, form]) => part.startsWith(`${kind} `) && form !== undefined)
  return Object.fromEntries(
    ofKind.map(([part, form]) => [part.slice(kind.length + 1), (form as (kit: unknown) => unknown)(kit)]),
  )
}

/** Returns the settings of a service with albums, artists and tags. */
function serviceOf(chosen: Chosen): Members {
  const {
    pagination,
    operations: served,
    id: key,
    version,
    maxIncludeDepth,
    play,
    countable,
    idempotency,
    limits,
  } = chosen
  const { selfLink, softDeletes, collectionTags, deprecation, cacheHeaders, create, hooks, policy, settings } = chosen
  return {
    resources: [
      resource('albums', {
        id: key,
        attributes: (a: Kit) => declared(chosen, 'attribute', a),
        relations: declared(chosen, 'relation', undefined),
        filters: (f: FilterKit<string>) => declared(chosen, 'filter', f),
        pagination,
        maxIncludeDepth,
        version,
        selfLink,
        collectionTags,
        ...(deprecation as Members),
        create: served === undefined || (served as readonly string[]).includes('Create') ? create : undefined,
        policy,
        ...Object.fromEntries(
          Object.entries({ softDeletes, cacheHeaders, hooks }).filter(([, given]) => given !== undefined),
        ),
        ...(served === undefined ? {} : { operations: served }),
        ...(play === undefined ? {} : acting({ ability: false, ...(play as object) })),
      }),
      resource('artists', { policy: 'public', relations: { albums: hasMany('albums').via('artistId') } }),
      resource('tags', { policy: 'public', readOnly: true, countable }),
    ],
    idempotency,
    limits,
    middleware: [apiKeys({ find: () => null })],
    ...(settings as Members),
  }
}

/** Any service. */
export const anyService: fc.Arbitrary<Members> = anyForms.map(serviceOf)

/** Two services that differ in one part at most, or in any of them. */
export const anyChange: fc.Arbitrary<readonly [before: Members, after: Members]> = fc
  .tuple(anyForms, anyForms, fc.constantFrom(null, ...Object.keys(parts), ...Object.keys(parts)))
  .map(([one, other, part]) => [serviceOf(one), serviceOf(part === null ? other : { ...one, [part]: other[part] })])
