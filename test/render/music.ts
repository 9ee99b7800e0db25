import { type Serializer, servedSerializer } from '../../src/declare/resource/fields/serializer.js'
import { defineResource } from '../../src/declare/resource/define/define-resource.js'
import { defineType } from '../../src/declare/resource/define/define-type.js'
import { id } from '../../src/declare/resource/fields/id-declaration.js'
import { model } from '../../src/declare/resource/parts/model.js'
import { belongsTo, hasMany, morphTo } from '../../src/declare/resource/relations/relation-kit.js'
import type { Identifier } from '../../src/declare/resource/parts/identifier.js'
import { type ServedRelationLiteral, servedType, withRelations } from './rendered.js'

/** The music catalogue in a few columns, and one relation of every kind that renders differently. */

export const artists = servedType(
  defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  }),
)

export const tracks = servedType(
  defineResource('tracks', {
    model: model<{ id: number; title: string }>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
  }),
)

export interface AlbumRow {
  id: number | string
  title: string
  artistId: number | null
  awardId: number | null
  awardType: string | null
  secret: boolean
}

const declaredAlbums = servedType(
  defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      artist: belongsTo('artists'),
      tracks: hasMany('tracks'),
      award: morphTo(['artists', 'tracks']),
    },
  }),
)

const many = { kind: 'relatedKey', key: { id: 'albumId', type: null } } as const

export const albums = withRelations(declaredAlbums, {
  artist: { to: [artists] },
  tracks: { to: [tracks], storage: many },
})

export const awardedAlbums = withRelations(declaredAlbums, {
  award: { to: [artists, tracks], storage: { kind: 'ownKey', key: { id: 'awardId', type: 'awardType' } } },
})

/** Albums with one relation to many tracks, declared and served as a test wants it. */
export function albumsWith(
  relation: Partial<ServedRelationLiteral>,
  declare: (tracks: ReturnType<typeof hasMany<'tracks'>>) => unknown = (declared) => declared,
): ReturnType<typeof servedType> {
  const declaration = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    relations: { tracks: declare(hasMany('tracks')) as ReturnType<typeof hasMany<'tracks'>> },
  })
  return withRelations(servedType(declaration), { tracks: { to: [tracks], storage: many, ...relation } })
}

/** The same for a relation to one artist, whose key is in the row. */
export function albumsWithArtist(
  declare: (artist: ReturnType<typeof belongsTo<'artists'>>) => unknown,
): ReturnType<typeof servedType> {
  const declaration = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    relations: { artist: declare(belongsTo('artists')) as ReturnType<typeof belongsTo<'artists'>> },
  })
  return withRelations(servedType(declaration), { artist: { to: [artists] } })
}

const countrySerializer: Serializer = {
  members: ['name'],
  serialize: ({ code, name }) => ({ id: String(code).toUpperCase(), attributes: { name }, meta: { own: true } }),
}

/** A type with a user-defined serializer, and a declared relation. */
export const countries = withRelations(
  servedType(
    defineType('countries', {
      fields: () => ({ code: id() }),
      relations: { anthem: belongsTo('tracks') },
      serializer: countrySerializer,
    }),
    { serializer: servedSerializer(countrySerializer) },
  ),
  { anthem: { to: [tracks] } },
)

export function identifier(type: string, key: string, meta: Identifier['meta'] = null): Identifier {
  return { type, id: key, meta }
}
