import { reply, belongsTo, defineResource, noContent } from 'ashlar'
import { album } from './albums.js'

export const misspelt = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    title: a.string().deprecated({ sunset: '2027-06-30', note: 'Use `name`.' }).maxLength(5),
    // refuses: 'sunste' does not exist in type 'DeprecationOptions'
    year: a.integer().deprecated({ sunste: '2027-06-30' }),
  }),
  relations: {
    // refuses: Type 'Date' is not assignable to type 'string'.
    artist: belongsTo('artists').deprecated({ sunset: new Date() }),
  },
  filters: (f) => ({
    // The key of a deprecated filter is still checked.
    // refuses: No attribute and no column 'titel': correct the key, or name the target, as in f.where('…').
    titel: f.contains().deprecated(),
  }),
  sorts: (s) => ({
    // refuses: Type 'true' has no properties in common with type 'DeprecationOptions'.
    newest: s.field('year').deprecated(true),
  }),
  actions: (a) => ({
    play: a.resource({ responds: noContent(), deprecated: true, handle: () => reply.noContent() }),
    // refuses: Type 'string' is not assignable to type 'boolean | DeprecationOptions'.
    stop: a.resource({ responds: noContent(), deprecated: '2027-06-30', handle: () => reply.noContent() }),
  }),
})
