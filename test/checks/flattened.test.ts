import { accepted, belongsTo, belongsToMany, created, hasMany, model, morphTo } from 'ashlar'
import type { AttributeKit } from 'ashlar'
import type { CompiledType } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, capabilities, faultsOf, type Members, refusals, resource } from './refusals.js'

type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const flattened = (path: string, ...others: readonly unknown[]) =>
  albumFaults(
    {
      attributes: (a: Kit) => ({ name: a.string().on(path) }),
      relations: {
        artist: belongsTo('artists'),
        guests: hasMany('artists').via('albumId'),
        by: morphTo(['artists', 'bands']),
      },
    },
    ...others,
    resource('bands'),
  )

const anyProvider = { fetchOne: () => null, fetchCollection: () => [] }
const anyPersister = { create: () => ({}), update: () => null, delete: () => false }

describe('a flattened attribute', () => {
  const named = resource('artists', {
    attributes: (a: Kit) => ({ name: a.string() }),
    relations: { label: belongsTo('labels') },
  })
  refusals([
    {
      name: 'must follow declared relations',
      found: () => flattened('label', named, resource('labels')),
      messages: [
        "albums.name: cannot be flattened over on('label'): 'albums' has no relation 'label'. Remedy: name to-one relations that are declared and readable, each of them on the type before it.",
      ],
    },
    {
      name: 'must follow declared relations at every depth',
      found: () => flattened('artist.band', named, resource('labels')),
      messages: [
        "albums.name: cannot be flattened over on('artist.band'): 'artists' has no relation 'band'. Remedy: name to-one relations that are declared and readable, each of them on the type before it.",
      ],
    },
    {
      name: 'must follow to-one relations',
      found: () => flattened('guests', named, resource('labels')),
      messages: [
        "albums.name: cannot be flattened over on('guests'): 'albums.guests' is a to-many relation. Remedy: name to-one relations that are declared and readable, each of them on the type before it.",
      ],
    },
    {
      name: 'must end in one type',
      found: () => flattened('by', named, resource('labels')),
      messages: [
        "albums.name: cannot be flattened over on('by'): 'albums.by' points to several types. Remedy: name to-one relations that are declared and readable, each of them on the type before it.",
      ],
    },
    {
      name: 'must follow relations that can be read',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', {
              attributes: (a: Kit) => ({ name: a.string().on('artist').readOnly() }),
              relations: { artist: belongsTo('artists') },
            }),
            capabilities('artists'),
          ],
          data: { ...memoryData(), provider: (type: CompiledType) => (type.type === 'artists' ? null : anyProvider) },
        }),
      messages: [
        "albums.name: cannot be flattened over on('artist'): no provider reads the rows of 'albums.artist'. Remedy: name to-one relations that are declared and readable, each of them on the type before it.",
      ],
    },
    {
      name: 'must end in an attribute',
      found: () => flattened('artist.label', named, resource('labels')),
      messages: [
        "albums.name: is flattened from 'labels', which has no attribute 'name'. Remedy: name an attribute of that type: storedAs('…').",
      ],
    },
    {
      name: 'must not have another function',
      found: () =>
        albumFaults(
          {
            attributes: (a: Kit) => ({
              name: a
                .string()
                .on('artist')
                .extractUsing(() => 'x'),
            }),
            relations: { artist: belongsTo('artists') },
          },
          named,
          resource('labels'),
        ),
      messages: ["albums.name: takes its value from on('artist') and from a function. Remedy: keep one of the two."],
    },
    {
      name: 'must not be inside a composite',
      found: () =>
        albumFaults({ attributes: (a: Kit) => ({ info: a.object().fields({ name: a.string().on('artist') }) }) }),
      messages: [
        'albums.info.name: on() does nothing inside a composite. Remedy: declare the flattened attribute on the type, outside the composite.',
      ],
    },
  ])
})

/** The faults of albums with these attributes, and artists with these members. */
const attributeFaults = (attributes: (a: Kit) => Members, members: Members = {}, artists: Members = {}) =>
  albumFaults(
    { attributes, relations: { artist: belongsTo('artists') }, ...members },
    resource('artists', { attributes: (a: Kit) => ({ name: a.string() }), ...artists }),
  )

const ends = (a: Kit) => ({
  name: a.string().on('artist'),
  label: a.string().on('artist').storedAs('company'),
  labelToo: a.string().on('artist').storedAs('label').readOnly(),
  country: a.string().on('artist').storedAs('country'),
  artistId: a.string().on('artist').storedAs('id').readOnly(),
})

describe('the end of the path of a flattened attribute', () => {
  test('may be an attribute, a column of one, a column of the model, or the id', () => {
    const artists = {
      model: model('artists', { columns: ['id', 'name', 'label', 'country'] }),
      attributes: (a: Kit) => ({ name: a.string(), company: a.string().storedAs('label') }),
    }
    expect(attributeFaults(ends, {}, artists)).toEqual([])
  })

  refusals([
    {
      name: 'must have its own column',
      found: () =>
        attributeFaults(
          (a) => ({ shouted: a.string().on('artist'), info: a.object().fields({ name: a.string() }).on('artist') }),
          {},
          {
            attributes: (a: Kit) => ({
              shouted: a.string().computedUsing(() => 'x'),
              info: a.map().fields({ name: a.string() }),
            }),
          },
        ),
      messages: [
        "albums.shouted: is flattened from 'artists.shouted', which has no column of its own. Remedy: name an attribute that has one: storedAs('…'); if the attribute is itself flattened, give its whole chain to on().",
        "albums.info: is flattened from 'artists.info', which has no column of its own. Remedy: name an attribute that has one: storedAs('…'); if the attribute is itself flattened, give its whole chain to on().",
      ],
    },
    {
      name: 'must not be a flattened attribute',
      found: () =>
        albumFaults(
          { attributes: (a: Kit) => ({ label: a.string().on('artist') }), relations: { artist: belongsTo('artists') } },
          resource('artists', {
            attributes: (a: Kit) => ({ label: a.string().on('company').storedAs('name') }),
            relations: { company: belongsTo('labels') },
          }),
          resource('labels', { attributes: (a: Kit) => ({ name: a.string() }) }),
        ),
      messages: [
        "albums.label: is flattened from 'artists.label', which has no column of its own. Remedy: name an attribute that has one: storedAs('…'); if the attribute is itself flattened, give its whole chain to on().",
      ],
    },
  ])
})

describe('with on(), there is', () => {
  refusals([
    {
      name: 'no fillUsing()',
      found: () =>
        attributeFaults((a) => ({
          name: a
            .string()
            .on('artist')
            .fillUsing(() => null),
        })),
      messages: [
        'albums.name: is written both to the row at the end of on() and by fillUsing(). Remedy: keep one of the two; to convert the value before it is stored, use deserializeUsing().',
      ],
    },
    {
      name: 'no map',
      found: () => attributeFaults((a) => ({ name: a.map().fields({ first: a.string() }).on('artist') })),
      messages: [
        'albums.name: is a map of several columns, but on() reads one value. Remedy: flatten its members one by one, or declare one stored value with a.object().',
      ],
    },
    {
      name: 'no unique(), not under a condition either',
      found: () =>
        attributeFaults((a) => ({
          name: a
            .string()
            .on('artist')
            .when(
              () => true,
              (field) => field.unique(),
            ),
        })),
      messages: [
        'albums.name: is unique() among the rows of this type, but its values are in rows of another type. Remedy: remove unique().',
      ],
    },
    {
      name: 'no unique() of another attribute with it',
      found: () =>
        attributeFaults((a) => ({ title: a.string().unique({ with: ['name'] }), name: a.string().on('artist') })),
      messages: [
        "albums.title: is unique together with 'name', whose values are in rows of another type. Remedy: name fields of this type.",
      ],
    },
    {
      name: 'no join row',
      found: () =>
        albumFaults(
          {
            relations: {
              artists: belongsToMany('artists')
                .through('credits', { owner: 'albumId', member: 'artistId' })
                .fields((a) => ({ role: a.string().on('artist').storedAs('name') })),
            },
          },
          resource('artists'),
        ),
      messages: [
        'albums.artists.role: on() does nothing on a field of join rows. Remedy: declare the flattened attribute on the related type.',
      ],
    },
  ])
})

describe('writes of a flattened attribute', () => {
  const elsewhere = { readOnly: true, provider: anyProvider }
  const withoutPersister = (attributes: (a: Kit) => Members, members: Members = {}) =>
    faultsOf({
      resources: [
        resource('albums', { attributes, relations: { artist: belongsTo('artists') }, ...members }),
        resource('artists', { attributes: (a: Kit) => ({ name: a.string() }), ...elsewhere }),
      ],
      data: { ...memoryData(), persister: ({ type }: CompiledType) => (type === 'artists' ? null : anyPersister) },
    })

  test('are not checked if it is read-only, hidden, or its type is never written', () => {
    expect(withoutPersister((a) => ({ name: a.string().on('artist').readOnly() }))).toEqual([])
    expect(withoutPersister((a) => ({ name: a.string().on('artist').hidden() }))).toEqual([])
    expect(withoutPersister((a) => ({ name: a.string().on('artist') }), { readOnly: true })).toEqual([])
    expect(
      withoutPersister((a) => ({ name: a.string().on('artist').readOnlyOnUpdate() }), {
        operations: ['FetchOne', 'Update'],
      }),
    ).toEqual([])
  })

  refusals([
    {
      name: 'must have a writer',
      found: () => withoutPersister((a) => ({ name: a.string().on('artist') })),
      messages: ["albums.name: is written to rows of 'artists', which have no persister. Remedy: make it readOnly()."],
    },
    {
      name: 'must not be deferred',
      found: () =>
        albumFaults(
          {
            attributes: (a: Kit) => ({ name: a.string().on('artist') }),
            relations: { artist: belongsTo('artists') },
            create: [created(), accepted('jobs')],
          },
          resource('artists', { attributes: (a: Kit) => ({ name: a.string() }) }),
          resource('jobs'),
        ),
      messages: [
        "albums.name: is written after the resource, but 'create' may defer that with accepted(). Remedy: make it readOnly().",
      ],
    },
    {
      name: 'must not be an id',
      found: () => attributeFaults((a) => ({ artistId: a.string().on('artist').storedAs('id') })),
      messages: ["albums.artistId: would change the ids of 'artists'. Remedy: make it readOnly()."],
    },
    {
      name: 'must be the only ones of the column',
      found: () =>
        attributeFaults((a) => ({ name: a.string().on('artist'), again: a.string().on('artist').storedAs('name') })),
      messages: [
        "albums.again: writes the column 'name' at the end of on('artist'), which 'name' writes too. Remedy: make it readOnly().",
      ],
    },
  ])
})

describe('queries by a flattened attribute', () => {
  refusals([
    {
      name: 'must follow relations that the store of the owner serves',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', {
              attributes: (a: Kit) => ({ name: a.string().on('artist').sortable().readOnly() }),
              relations: { artist: belongsTo('artists') },
              filters: (f: { readonly where: () => unknown }) => ({ name: f.where() }),
            }),
            resource('artists', {
              attributes: (a: Kit) => ({ name: a.string() }),
              readOnly: true,
              provider: anyProvider,
            }),
          ],
          data: memoryData(),
        }),
      messages: [
        "albums.filters.name: refers to the flattened attribute 'name', whose chain cannot be queried: 'albums.artist' points to rows that are not in the store of 'albums'. Remedy: remove it, or declare it with custom().",
        "albums.sorts.name: refers to the flattened attribute 'name', whose chain cannot be queried: 'albums.artist' points to rows that are not in the store of 'albums'. Remedy: remove it, or declare it with custom().",
      ],
    },
  ])
})
