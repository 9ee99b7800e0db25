import { belongsTo, belongsToMany, hasMany, hasOne, id, morphTo } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { albums, bothDirections, changesFrom, contractOf, type Kit, type Members, resource } from './compared.js'

const others = [resource('artists'), resource('tags'), resource('tracks')]
const albumsWith = (relations: Members): Members => ({
  resources: [resource('albums', { relations }), ...others],
})
const tagged = () => belongsToMany('tags').through('album_tags', { owner: 'albumId', member: 'tagId' })

const subject = (...types: string[]): Members => albumsWith({ subject: morphTo(types as never) })
const readOnly = (...types: string[]): Members => albumsWith({ subject: morphTo(types as never).readOnly() })
const withId = (declared: unknown): Members => albums({ id: declared })

describe('relations', () => {
  test('that are gone or new bring nothing else: neither their operations nor their include paths', () => {
    expect(bothDirections(albumsWith({ artist: belongsTo('artists') }), albumsWith({}))).toEqual({
      forth: ['breaking member-removed albums.artist'],
      back: ['safe member-added albums.artist'],
    })
  })

  test('to one or to many', () => {
    const change = ['breaking relation-kind-changed albums.artist']
    const one = albumsWith({ artist: hasOne('artists').via('albumId') })
    const many = albumsWith({ artist: hasMany('artists').via('albumId') })
    const { forth, back } = bothDirections(one, many)
    expect(forth).toEqual(expect.arrayContaining(change))
    expect(back).toEqual(expect.arrayContaining(change))
    const [found] = changesFrom(contractOf(one), contractOf(many)).filter(
      ({ code }) => code === 'relation-kind-changed',
    )
    expect(found?.sentence).toBe("The relation 'artist' of 'albums' is to-many instead of to-one.")
  })

  test('to several types', () => {
    expect(bothDirections(subject('artists', 'tags'), subject('artists', 'tags', 'tracks'))).toEqual({
      forth: ['risky response-target-added albums.subject', 'safe request-target-added albums.subject'],
      back: ['breaking request-target-removed albums.subject', 'safe response-target-removed albums.subject'],
    })
    expect(bothDirections(readOnly('artists', 'tags'), readOnly('artists', 'tags', 'tracks'))).toEqual({
      forth: ['risky response-target-added albums.subject'],
      back: ['safe response-target-removed albums.subject'],
    })
  })

  test('that requests must have', () => {
    const artist = belongsTo('artists')
    expect(bothDirections(albumsWith({ artist }), albumsWith({ artist: artist.required() }))).toEqual({
      forth: ['breaking member-required albums.artist'],
      back: ['safe member-optional albums.artist'],
    })
  })

  test('that requests can no longer set, with the operations that set them', () => {
    const artist = belongsTo('artists')
    expect(bothDirections(albumsWith({ artist }), albumsWith({ artist: artist.readOnly() }))).toEqual({
      forth: [
        'breaking operation-removed PATCH /albums/{id}/relationships/artist',
        'breaking member-read-only albums.artist',
      ],
      back: ['safe operation-added PATCH /albums/{id}/relationships/artist', 'safe member-writable albums.artist'],
    })
  })

  test('with bounds of their members', () => {
    expect(bothDirections(albumsWith({ tags: tagged() }), albumsWith({ tags: tagged().maxItems(5) }))).toEqual({
      forth: ['breaking request-rule-tightened albums.tags'],
      back: ['safe request-rule-loosened albums.tags'],
    })
  })

  test('with fields of join rows', () => {
    const before = tagged().fields((a) => ({ position: a.integer(), weight: a.integer(), note: a.string() }))
    const after = tagged().fields((a) => ({
      position: a.integer().max(99),
      weight: a.integer().nullable(),
      colour: a.string(),
    }))
    const { forth, back } = bothDirections(albumsWith({ tags: before }), albumsWith({ tags: after }))
    expect(forth).toEqual([
      'breaking member-removed albums.tags.note',
      'breaking request-rule-tightened albums.tags.position',
      'breaking response-null-possible albums.tags.weight',
      'breaking sort-removed tags?sort=note',
      'safe member-added albums.tags.colour',
      'safe request-null-accepted albums.tags.weight',
      'safe sort-added tags?sort=colour',
    ])
    expect(back).toHaveLength(7)
    const [field] = changesFrom(contractOf(albumsWith({ tags: before })), contractOf(albumsWith({ tags: after })))
    expect(field?.sentence).toBe("The field 'note' of the join rows of 'tags' of 'albums' is gone.")
  })

  test('of which only the relationship endpoint takes the fields of join rows', () => {
    const before = tagged()
      .cannotReplace()
      .readOnlyOnCreate()
      .fields((a) => ({ position: a.integer() }))
    const after = tagged()
      .cannotReplace()
      .readOnlyOnCreate()
      .fields((a) => ({ position: a.integer().min(1) }))
    const { forth } = bothDirections(albumsWith({ tags: before }), albumsWith({ tags: after }))
    expect(forth).toEqual(['breaking request-rule-tightened albums.tags.position'])
  })

  test('that become attributes', () => {
    const attribute = {
      resources: [resource('albums', { attributes: (a: Kit) => ({ artist: a.string() }) }), ...others],
    }
    const { forth, back } = bothDirections(albumsWith({ artist: belongsTo('artists') }), attribute)
    expect(forth).toEqual(expect.arrayContaining(['breaking value-type-changed albums.artist']))
    expect(back).toEqual(expect.arrayContaining(['breaking value-type-changed albums.artist']))
  })

  test('whose endpoints are closed', () => {
    const artist = belongsTo('artists')
    expect(bothDirections(albumsWith({ artist }), albumsWith({ artist: artist.withoutRelatedEndpoint() }))).toEqual({
      forth: ['breaking operation-removed GET /albums/{id}/artist'],
      back: ['safe operation-added GET /albums/{id}/artist'],
    })
  })
})

describe('ids of new resources', () => {
  const [refused, optional, required] = [withId(id()), withId(id().allowClientId()), withId(id().requireClientId())]

  test('that clients may send', () => {
    const { forth, back } = bothDirections(refused, optional)
    expect(forth).toEqual(expect.arrayContaining(['safe client-id-accepted albums.id']))
    expect(back).toEqual(expect.arrayContaining(['breaking client-id-refused albums.id']))
  })

  test('that clients must send', () => {
    const { forth, back } = bothDirections(optional, required)
    expect(forth).toEqual(expect.arrayContaining(['breaking client-id-required albums.id']))
    expect(back).toEqual(expect.arrayContaining(['safe client-id-optional albums.id']))
    expect(bothDirections(refused, required).forth).toEqual(
      expect.arrayContaining(['breaking client-id-required albums.id']),
    )
  })

  test('with a form', () => {
    const { forth, back } = bothDirections(withId(id().allowClientId()), withId(id().uuid().allowClientId()))
    expect(forth).toEqual(expect.arrayContaining(['breaking request-rule-tightened albums.id']))
    expect(back).toEqual(expect.arrayContaining(['safe request-rule-loosened albums.id']))
  })
})
