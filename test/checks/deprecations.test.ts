import { reply, belongsTo, type AttributeKit, type FilterKit, type SortKit } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource } from './refusals.js'

const day = "give a day: '2027-06-30', or leave it out"
const attributes = (deprecation: unknown) => ({
  attributes: (a: AttributeKit<{ title: string }>) => ({
    title: a
      .string()
      .sortable()
      .deprecated(deprecation as never),
  }),
})
const handle = () => reply.noContent()

describe('deprecations', () => {
  refusals([
    {
      name: 'may have a date and a note, or neither',
      found: () =>
        albumFaults(attributes({ sunset: '2024-02-29', note: 'Use `name`.' })).concat(albumFaults(attributes({}))),
      messages: [],
    },
    {
      name: 'must have a valid date, also if the sort of the attribute has the same',
      found: () => albumFaults(attributes({ sunset: '2027-02-29' })),
      messages: [`albums.title.deprecated.sunset: is '2027-02-29'. Remedy: ${day}.`],
    },
    {
      name: 'must have a date in the right form',
      found: () => albumFaults(attributes('soon')),
      messages: [`albums.title.deprecated.sunset: is 'soon'. Remedy: ${day}.`],
    },
    {
      name: 'must not have other options',
      found: () => albumFaults(attributes({ note: 5, until: '2027-06-30' })),
      messages: [
        'albums.title.deprecated.note: is 5. Remedy: give a string.',
        'albums.title.deprecated.until: is not an option of deprecated(). Remedy: remove it, or correct its spelling: the options are sunset and note.',
      ],
    },
    {
      name: 'are checked on members, relations, filters, sorts and actions',
      found: () =>
        albumFaults(
          {
            attributes: (a: AttributeKit<{ label: object }>) => ({
              label: a.object().fields({ code: a.string().deprecated({ sunset: 'a' }) }),
            }),
            relations: {
              artist: belongsTo('artists')
                .deprecated({ sunset: 'b' })
                .withFilters((f) => ({ name: f.where().deprecated({ sunset: 'c' }) })),
            },
            filters: (f: FilterKit<'label'>) => ({ label: f.isNull().deprecated({ sunset: 'd' }) }),
            sorts: (s: SortKit<'label'>) => ({ rank: s.field('id' as never).deprecated({ sunset: 'e' }) }),
            actions: (a: { resource: (options: object) => unknown }) => ({
              play: a.resource({ handle, deprecated: 'f' }),
              stop: a.resource({ handle, deprecated: false }),
            }),
          },
          resource('artists', { attributes: (a: AttributeKit<{ name: string }>) => ({ name: a.string() }) }),
        ),
      messages: ['label.code', 'artist', 'artist.filters.name', 'filters.label', 'sorts.rank', 'actions.play'].map(
        (member, index) => `albums.${member}.deprecated.sunset: is '${'abcdef'[index]}'. Remedy: ${day}.`,
      ),
    },
  ])
})
