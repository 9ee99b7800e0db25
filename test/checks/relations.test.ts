import { belongsTo, belongsToMany, hasMany, model, morphTo, morphToMany, numberPage, rule } from 'ashlar'
import type { AttributeKit } from 'ashlar'
import { describe } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, capabilities, refusals, resource, settingFaults } from './refusals.js'

type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const artists = resource('artists', { relations: { albums: hasMany('albums').via('artistId') } })
const relations = (declared: object, ...others: readonly unknown[]) =>
  albumFaults({ relations: declared }, artists, ...others)

const join = { owner: 'albumId', member: 'artistId' }
const mixedJoin = { owner: 'albumId', member: 'itemId', memberType: 'itemType' }

const boom = (): never => {
  throw new Error('boom')
}

describe('a relation', () => {
  refusals([
    {
      name: 'must be declared with one of the six kinds',
      found: () => relations({ artist: 'artists' }),
      messages: [
        "albums.artist: is not a relation. Remedy: declare it with one of the six kinds, such as belongsTo('artists').",
      ],
    },
    {
      name: 'must name a type',
      found: () => relations({ artist: belongsTo('') }),
      messages: ["albums.artist: belongsTo() names no related type. Remedy: name it: belongsTo('artists')."],
    },
    {
      name: 'must name types',
      found: () => relations({ owner: morphTo([]) }),
      messages: ["albums.owner: morphTo() names no related type. Remedy: name it: morphTo(['artists', 'albums'])."],
    },
    {
      name: 'must refer to a declared type',
      found: () => relations({ label: belongsTo('labels') }),
      messages: [
        "albums.label: points to the unknown type 'labels'. Remedy: declare it, or name one of 'albums', 'artists'.",
      ],
    },
    {
      name: 'may refer to a type of another server',
      found: () =>
        settingFaults({
          servers: { admin: { prefix: '/admin' } },
          resources: [
            resource('albums', { relations: { owner: belongsTo('users') } }),
            resource('users', { server: 'admin' }),
          ],
        }),
      messages: [],
    },
    {
      name: 'must have an inverse type that is declared',
      found: () => relations({ artist: belongsTo('artists').inverseType('label') }),
      messages: [
        "albums.artist: has the unknown inverse type 'label'. Remedy: declare it, or name one of 'albums', 'artists'.",
      ],
    },
    {
      name: 'must be declared among the relations',
      found: () => albumFaults({ attributes: () => ({ artist: belongsTo('artists') }) }, artists),
      messages: ["albums.artist: is a relation among the attributes. Remedy: move it to 'relations'."],
    },
    {
      name: 'must not have the name of an attribute',
      found: () =>
        albumFaults(
          { attributes: (a: Kit) => ({ artist: a.string() }), relations: { artist: belongsTo('artists') } },
          artists,
        ),
      messages: [
        'albums.artist: is an attribute and a relation. Remedy: rename one of the two: they share one namespace.',
      ],
    },
    {
      name: 'must not have the name _self_',
      found: () => relations({ _self_: belongsTo('artists') }),
      messages: [
        "albums._self_: has a name that 'withCount' reserves for the collection itself. Remedy: give the relation another name.",
      ],
    },
    {
      name: 'must not have the name type',
      found: () => relations({ type: belongsTo('artists') }),
      messages: ["albums.type: has the same name as the 'type' of the resource. Remedy: give it another name."],
    },
    {
      name: 'must have a path segment',
      found: () => relations({ artist: belongsTo('artists').withUriFieldName('a/b') }),
      messages: [
        "albums.artist: 'a/b' cannot be used as a path segment. Remedy: name one with withUriFieldName('…'), of letters, digits, hyphens, underscores, dots and tildes.",
      ],
    },
    {
      name: 'must have a path segment that no route uses',
      found: () => relations({ relationships: belongsTo('artists') }),
      messages: [
        "albums.relationships: has the path segment 'relationships', which is reserved. Remedy: name another with withUriFieldName('…').",
      ],
    },
    {
      name: 'must not use the path of actions',
      found: () => relations({ artist: belongsTo('artists').withUriFieldName('-actions') }),
      messages: [
        "albums.artist: has the path segment '-actions', which is reserved. Remedy: name another with withUriFieldName('…').",
      ],
    },
    {
      name: 'must have a unique path segment',
      found: () => relations({ artist: belongsTo('artists'), singer: belongsTo('artists').withUriFieldName('artist') }),
      messages: [
        "albums.singer: shares the path segment 'artist' with the relation 'artist'. Remedy: name another with withUriFieldName('…').",
      ],
    },
    {
      name: 'must be to many to be counted',
      found: () => relations({ artist: belongsTo('artists').countable() }),
      messages: [
        'albums.artist: is countable(), but a to-one relation has nothing to count. Remedy: remove countable().',
      ],
    },
    {
      name: 'must be to one to be nullable',
      found: () => relations({ guests: hasMany('artists').via('albumId').nullable() }),
      messages: [
        'albums.guests: is nullable(), but a to-many relation is empty, never null. Remedy: remove nullable().',
      ],
    },
    {
      name: 'must have constraints on linkage',
      found: () => relations({ guests: hasMany('artists').via('albumId').constrain(rule.minLength(1)) }),
      messages: [
        'albums.guests: has a constraint that does not apply to linkage. Remedy: keep only required(), nullable(), minItems() and maxItems(), alone or combined, and put other constraints on the related type.',
      ],
    },
    {
      name: 'must have constraints on linkage inside combinations too',
      found: () =>
        relations({
          artist: belongsTo('artists').when(
            () => true,
            (artist) => artist.required(),
          ),
          guests: hasMany('artists').via('albumId').sequentially(rule.minItems(1), rule.minLength(1)),
        }),
      messages: [
        'albums.guests: has a constraint that does not apply to linkage. Remedy: keep only required(), nullable(), minItems() and maxItems(), alone or combined, and put other constraints on the related type.',
      ],
    },
    {
      name: 'must have functions that do not throw',
      found: () => {
        return relations({
          artist: belongsTo('artists').withFilters(boom).withSorts(boom).onCreate(boom),
          guests: belongsToMany('artists')
            .through('album_guests', join)
            .fields(boom)
            .when(() => true, boom),
        })
      },
      messages: [
        'albums.artist: withFilters(): the function threw: boom. Remedy: fix the function: it has to return an object of declarations.',
        'albums.artist: withSorts(): the function threw: boom. Remedy: fix the function: it has to return an object of declarations.',
        'albums.artist: the function of onCreate() threw: boom. Remedy: fix the function.',
        'albums.guests: fields(): the function threw: boom. Remedy: fix the function: it has to return an object of declarations.',
        'albums.guests: the function of when() threw: boom. Remedy: fix the function.',
      ],
    },
    {
      name: 'must have functions that return what they declare',
      found: () =>
        relations({
          artist: belongsTo('artists')
            .withFilters(() => 5 as never)
            .withSorts((async () => ({})) as never)
            .onUpdate(() => null),
          guests: belongsToMany('artists')
            .through('album_guests', join)
            .withFilters(() => ({ name: null as never }))
            .fields(() => [] as never),
        }),
      messages: [
        'albums.artist: withFilters(): declares nothing. Remedy: give an object, or a function that returns one: withFilters(() => ({})).',
        'albums.artist: withSorts(): returns a promise. Remedy: make the function return the object itself.',
        'albums.artist: the function of onUpdate() does not return a field. Remedy: return the field that it receives: (field) => field.required().',
        'albums.guests: fields(): declares nothing. Remedy: give an object, or a function that returns one: fields(() => ({})).',
        "albums.guests.filters.name: is not a filter. Remedy: declare it with the kit, such as f.contains('title').",
      ],
    },
    {
      name: 'must have join rows with a name',
      found: () => relations({ guests: belongsToMany('artists').through(null as never) }),
      messages: [
        "albums.guests: through() names no join table. Remedy: name its model: through('playlist_tracks').",
        "albums.guests: has no join table. Remedy: name it: belongsToMany(…).through('owner_members').",
      ],
    },
    {
      name: 'reports calls without effect inside a condition',
      found: () =>
        relations({
          artist: belongsTo('artists').onCreate((artist) =>
            (artist as never as { minItems(n: number): unknown }).minItems(1),
          ),
        }),
      messages: ['albums.artist: minItems() does not fit belongsTo(). Remedy: use it on hasMany() or belongsToMany().'],
    },
    {
      name: 'must have synchronous functions',
      found: () =>
        relations({
          artist: belongsTo('artists')
            .cannotBeIncluded((async () => true) as never)
            .identifierMeta((async () => ({})) as never),
        }),
      messages: [
        'albums.artist: cannotBeIncluded() was given an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.artist: identifierMeta() was given an async function. Remedy: use a synchronous function: the result is not awaited.',
      ],
    },
    {
      name: 'must have item bounds that do not contradict',
      found: () => relations({ guests: hasMany('artists').via('albumId').minItems(3).maxItems(1) }),
      messages: [
        'albums.guests: minItems(3) and maxItems(1) leave no value between them. Remedy: raise the upper bound, or lower the other.',
      ],
    },
    {
      name: 'must be to many to have item bounds',
      found: () =>
        relations({ artist: (belongsTo('artists') as never as { minItems(n: number): unknown }).minItems(1) }),
      messages: ['albums.artist: minItems() does not fit belongsTo(). Remedy: use it on hasMany() or belongsToMany().'],
    },
    {
      name: 'must not be read-only and write-only',
      found: () => relations({ artist: belongsTo('artists').readOnly().writeOnly() }),
      messages: [
        'albums.artist: is read-only and write-only, so clients can neither read nor write it. Remedy: remove readOnly() or writeOnly(), or restrict one of them with a predicate.',
      ],
    },
    {
      name: 'that is required must be writable',
      found: () => relations({ artist: belongsTo('artists').required().readOnly() }),
      messages: [
        'albums.artist: is required, but clients cannot send it: it is read-only. Remedy: remove required(), or let clients write it.',
      ],
    },
    {
      name: 'must have a valid paginator',
      found: () =>
        relations({
          guests: hasMany('artists')
            .via('albumId')
            .paginate(numberPage({ size: -5 })),
        }),
      messages: ['albums.guests: has the page size -5. Remedy: give a whole number above 0.'],
    },
    {
      name: 'must have predicates that are functions',
      found: () => relations({ artist: belongsTo('artists').cannotReplace(5 as never) }),
      messages: [
        'albums.artist: cannotReplace() was given 5. Remedy: give a function that returns true or false, or no argument.',
      ],
    },
    {
      name: 'must have a key that is a column, if columns are known',
      found: () =>
        albumFaults(
          {
            model: model('albums', { columns: ['id'] as never }),
            relations: {
              artist: belongsTo('artists').via('artistId' as never),
              tracks: hasMany('tracks').via('album'),
            },
          },
          resource('artists'),
          resource('tracks', { model: model('tracks', { columns: ['id', 'albumId'] as never }) }),
        ),
      messages: [
        "albums.artist: uses the column 'artistId', which the model 'albums' does not have. Remedy: name 'id' with via('…').",
        "albums.tracks: uses the column 'album', which the model 'tracks' does not have. Remedy: name one of 'id', 'albumId' with via('…').",
      ],
    },
    {
      name: 'must have fields of join rows that are attributes',
      found: () =>
        relations({
          guests: belongsToMany('artists')
            .through('album_guests', join)
            .fields(() => ({ position: 5 as never })),
        }),
      messages: [
        "albums.guests: 'position' is not an attribute. Remedy: declare it with the kit, such as a.integer().",
      ],
    },
    {
      name: 'must have fields of join rows that obey the rules of attributes',
      found: () =>
        relations({
          guests: belongsToMany('artists')
            .through('album_guests', join)
            .fields((a) => ({
              _rank: a.integer(),
              weight: a.integer().min(5).max(3).compareWith('position', '>='),
            })),
        }),
      messages: [
        "albums.guests._rank: '_rank' is not a member name that JSON:API allows. Remedy: use letters and digits, with hyphens or underscores between them.",
        'albums.guests.weight: min(5) and max(3) leave no value between them. Remedy: raise the upper bound, or lower the other.',
        "albums.guests.weight: is compared with 'position', which is not an attribute next to it. Remedy: name '_rank'.",
      ],
    },
    {
      name: 'needs abilities that the policy declares',
      found: () =>
        relations({
          artist: belongsTo('artists').security({ read: 'view', mutate: false }).visibleIf('edit'),
          label: belongsTo('artists').security({ write: 'view', mutate: 3 } as never),
        }),
      messages: [
        "albums.artist.visibleIf: names the ability 'edit', but the type has no policy. Remedy: declare a policy with this ability.",
        "albums.artist.security.read: names the ability 'view', but the type has no policy. Remedy: declare a policy with this ability.",
        "albums.label.security.write: is not an option. Remedy: use 'read' or 'mutate'.",
        'albums.label.security.mutate: is 3. Remedy: name an ability of the policy.',
      ],
    },
  ])
})

describe('a relation to several types', () => {
  const mixed = { favorite: morphTo(['artists', 'bands']) }
  refusals([
    { name: 'distinguishes them by their models', found: () => relations(mixed, resource('bands')), messages: [] },
    {
      name: 'cannot distinguish types that share a model',
      found: () => relations(mixed, resource('bands', { model: model('artists') })),
      messages: [
        "albums.favorite: cannot distinguish 'artists' from 'bands': both use the model 'artists'. Remedy: give 'artists' an objectType that returns its type for its rows and null for others.",
        "albums.favorite: cannot distinguish 'bands' from 'artists': both use the model 'artists'. Remedy: give 'bands' an objectType that returns its type for its rows and null for others.",
      ],
    },
    {
      name: 'cannot distinguish types without a model',
      found: () => relations(mixed, capabilities('bands')),
      messages: [
        "albums.favorite: cannot determine which rows are of the type 'bands', which has no model. Remedy: give 'bands' an objectType that returns its type for its rows and null for others.",
      ],
    },
    {
      name: 'distinguishes types that share a model by their objects',
      found: () =>
        albumFaults(
          { relations: { items: morphToMany(['artists', 'bands']).through('album_items', mixedJoin) } },
          resource('artists', { objectType: () => 'artists' }),
          resource('bands', { model: model('artists'), objectType: () => null }),
        ),
      messages: [],
    },
    {
      name: 'distinguishes the objects of a function only by the objects',
      found: () =>
        albumFaults(
          { relations: { by: morphTo(['artists', 'bands']).extractUsing(() => null) } },
          resource('artists', { objectType: () => 'artists' }),
          resource('bands'),
        ),
      messages: [
        "albums.by: cannot determine which objects of its function are of the type 'bands'. Remedy: give 'bands' an objectType that returns its type for its rows and null for others.",
      ],
    },
    {
      name: 'need not distinguish a single type',
      found: () => relations({ favorite: morphTo(['bands']) }, capabilities('bands')),
      messages: [],
    },
    {
      name: 'must not have filters and sorts',
      found: () =>
        relations(
          {
            items: morphToMany(['artists', 'bands'])
              .through('album_items', mixedJoin)
              .withFilters((f) => ({ name: f.where() }))
              .withSorts((s) => ({ name: s.field() })),
          },
          resource('bands'),
        ),
      messages: [
        'albums.items: has filters, but members of several types have nothing in common to filter by. Remedy: remove withFilters().',
        'albums.items: has sorts, but members of several types have nothing in common to sort by. Remedy: remove withSorts().',
      ],
    },
  ])
})

describe('includes', () => {
  const artist = { artist: belongsTo('artists') }
  refusals([
    {
      name: 'must name relations by default',
      found: () => albumFaults({ relations: artist, defaultIncludes: ['label'] }, artists),
      messages: [
        "albums.defaultIncludes: names 'label', which is not a relation of the type. Remedy: name one that 'relations' declares.",
      ],
    },
    {
      name: 'must name includable relations by default',
      found: () =>
        albumFaults(
          { relations: { artist: belongsTo('artists').cannotBeIncluded() }, defaultIncludes: ['artist'] },
          artists,
        ),
      messages: [
        "albums.defaultIncludes: includes 'artist', which cannotBeIncluded(). Remedy: leave it out, or remove cannotBeIncluded().",
      ],
    },
    {
      name: 'must be allowed along declared relations',
      found: () =>
        albumFaults({ relations: artist, allowedIncludePaths: ['artist.albums.artist', 'artist.label'] }, artists),
      messages: [
        "albums.allowedIncludePaths: allows 'artist.label', which is not a valid path: 'artists' has no relation 'label'. Remedy: correct the path, or leave it out.",
      ],
    },
    {
      name: 'may be allowed through one of several types',
      found: () =>
        albumFaults(
          { relations: { by: morphTo(['bands', 'artists']) }, allowedIncludePaths: ['by.albums', 'by.tracks'] },
          artists,
          resource('bands'),
        ),
      messages: [
        "albums.allowedIncludePaths: allows 'by.tracks', which is not a valid path: 'bands' has no relation 'tracks'. Remedy: correct the path, or leave it out.",
      ],
    },
  ])
})
