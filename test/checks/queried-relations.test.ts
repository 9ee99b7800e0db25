import { belongsTo, hasMany } from 'ashlar'
import type { AttributeKit, FilterKit, SortKit } from 'ashlar'
import { describe } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, refusals, resource } from './refusals.js'

type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const attributes = (a: Kit) => ({ name: a.string() })
const rows = { fetchOne: () => null, fetchCollection: () => [] }
const relations = { artist: belongsTo('artists'), critics: hasMany('artists').extractUsing(() => []) }
const stored = resource('artists', { attributes })
const elsewhere = resource('artists', { attributes, readOnly: true, provider: rows })

describe('filters and sorts follow only relations that the store of the owner serves', () => {
  refusals([
    {
      name: 'such as relations within one store',
      found: () =>
        albumFaults(
          {
            relations,
            filters: (f: FilterKit<string>) => ({ artist: f.has(), 'artist.name': f.through() }),
            sorts: (s: SortKit<string>) => ({ 'artist.name': s.through() }),
          },
          stored,
        ),
      messages: [],
    },
    {
      name: 'and not relations that a function reads',
      found: () =>
        albumFaults(
          {
            relations,
            filters: (f: FilterKit<string>) => ({ critics: f.has(), 'critics.name': f.through() }),
          },
          stored,
        ),
      messages: [
        "albums.filters.critics: cannot be queried: 'albums.critics' is read by a function, which no store can query. Remedy: remove the filter, or declare it with custom().",
        "albums.filters.critics.name: the path 'critics.name' is not valid: 'albums.critics' is read by a function, which no store can query. Remedy: name declared relations, each of them on the type before it, and an attribute at the end.",
      ],
    },
    {
      name: 'nor relations of another provider',
      found: () =>
        albumFaults({ relations, sorts: (s: SortKit<string>) => ({ 'artist.name': s.through() }) }, elsewhere),
      messages: [
        "albums.sorts.artist.name: the path 'artist.name' is not valid: 'albums.artist' points to rows that are not in the store of 'albums'. Remedy: name declared relations, each of them on the type before it, and an attribute at the end.",
      ],
    },
    {
      name: 'nor from a provider that reads no relations',
      found: () =>
        albumFaults(
          { relations, readOnly: true, provider: rows, filters: (f: FilterKit<string>) => ({ artist: f.has() }) },
          stored,
        ),
      messages: [
        "albums.filters.artist: cannot be queried: 'albums.artist' is not read by the provider of 'albums', which has no 'fetchRelated'. Remedy: remove the filter, or declare it with custom().",
      ],
    },
    {
      name: 'nor the keys of rows of another provider that may be hidden',
      found: () =>
        albumFaults(
          {
            relations: { artist: belongsTo('artists') },
            filters: (f: FilterKit<string>) => ({ by: f.where('artistId') }),
            sorts: (s: SortKit<string>) => ({ by: s.field('artistId') }),
          },
          resource('artists', { attributes, readOnly: true, provider: rows, scope: () => null }),
        ),
      messages: [
        "albums.filters.by: refers to 'artistId', the key of rows of 'artists' that may be hidden from clients: 'albums.artist' points to rows that are not in the store of 'albums'. Remedy: remove it, or declare an attribute that shows the column.",
        "albums.sorts.by: refers to 'artistId', the key of rows of 'artists' that may be hidden from clients: 'albums.artist' points to rows that are not in the store of 'albums'. Remedy: remove it, or declare an attribute that shows the column.",
      ],
    },
    {
      name: 'but the keys of rows that are never hidden, or that an attribute shows',
      found: () => [
        ...albumFaults(
          {
            relations: { artist: belongsTo('artists') },
            sorts: (s: SortKit<string>) => ({ by: s.field('artistId') }),
          },
          elsewhere,
        ),
        ...albumFaults(
          {
            attributes: (a: Kit) => ({ artistId: a.integer() }),
            relations: { artist: belongsTo('artists').readOnly() },
            sorts: (s: SortKit<string>) => ({ by: s.field('artistId') }),
          },
          resource('artists', { attributes, readOnly: true, provider: rows, scope: () => null }),
        ),
      ],
      messages: [],
    },
  ])
})
