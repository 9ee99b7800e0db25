import type { AttributeKit } from 'ashlar'
import { belongsTo, belongsToMany, hasMany, rule } from 'ashlar'
import { describe, expect, test } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, refusals, resource } from './refusals.js'

/** The kit as JavaScript users see it: every modifier on every kind. */
type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const attributes = (declare: (a: Kit) => object) => albumFaults({ attributes: declare })
const elsewhere = 'remove unique(), or declare the attribute on the type'
const always = 'put unique() on the attribute itself, outside when(), onCreate() and similar modifiers'

describe('unique()', () => {
  refusals([
    {
      name: 'must not be inside composites',
      found: () =>
        attributes((a) => ({
          info: a.map().fields({ label: a.string().unique() }),
          medium: a.oneOf().variant('vinyl', { code: a.string().unique() }),
        })),
      messages: [
        `albums.info.label: is unique() inside a composite, where no store enforces it. Remedy: ${elsewhere}.`,
        `albums.medium.vinyl.code: is unique() inside a composite, where no store enforces it. Remedy: ${elsewhere}.`,
      ],
    },
    {
      name: 'must not be declared on join rows',
      found: () =>
        albumFaults(
          {
            relations: {
              tracks: belongsToMany('tracks')
                .through('album_tracks', { owner: 'albumId', member: 'trackId' })
                .fields((a) => ({ position: a.integer().unique() })),
            },
          },
          resource('tracks'),
        ),
      messages: [
        `albums.tracks.position: is unique() among join rows, where no store enforces it. Remedy: ${elsewhere}.`,
      ],
    },
    {
      name: 'needs a column',
      found: () =>
        attributes((a) => ({
          info: a.map().fields({ label: a.string() }).unique(),
          shout: a
            .string()
            .computed(() => 'x')
            .unique(),
        })),
      messages: [
        `albums.info: is unique(), but has no column of its own. Remedy: ${elsewhere}.`,
        `albums.shout: is unique(), but has no column of its own. Remedy: ${elsewhere}.`,
      ],
    },
    {
      name: 'must be unconditional',
      found: () =>
        attributes((a) => ({
          a: a.string().onCreate((field) => field.unique()),
          b: a.string().when(
            () => true,
            (field) => field.unique(),
          ),
          c: a.arrayList().each(rule.unique()),
        })),
      messages: ['a', 'b', 'c'].map(
        (name) =>
          `albums.${name}: is unique() only under a condition, but stores always enforce it. Remedy: ${always}.`,
      ),
    },
    {
      name: 'together with others needs their columns',
      found: () =>
        albumFaults(
          {
            attributes: (a: Kit) => ({
              title: a.string().unique({ with: ['info', 'tracks'] }),
              info: a.map().fields({ label: a.string() }),
            }),
            relations: { tracks: hasMany('tracks').via('albumId') },
          },
          resource('tracks'),
        ),
      messages: ['info', 'tracks'].map(
        (name) =>
          `albums.title: is unique together with '${name}', which has no column in the row. Remedy: name attributes and relations that have a column in the row.`,
      ),
    },
  ])

  test('may be declared several times, together with attributes and relations that the row holds', () => {
    const faults = albumFaults(
      {
        attributes: (a: Kit) => ({
          title: a
            .string()
            .unique()
            .unique({ with: ['year', 'artist'] }),
          year: a.integer(),
        }),
        relations: { artist: belongsTo('artists') },
      },
      resource('artists'),
    )
    expect(faults).toEqual([])
  })
})
