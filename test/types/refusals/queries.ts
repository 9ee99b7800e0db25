import { belongsTo, defineResource, defineType, hasMany, id } from 'ashlar'
import { album } from './albums.js'

const relations = { artist: belongsTo('artists'), tracks: hasMany('tracks') }

export const listed = defineResource('albums', {
  ...album,
  relations,
  // refuses: 'artists' is not a relation of this type: use a name from 'relations'.
  defaultIncludes: ['tracks', 'artists'],
})

export const computed = defineResource('albums', {
  ...album,
  relations,
  // refuses: 'artists' is not a relation of this type: use a name from 'relations'.
  defaultIncludes: (row) => (row.live ? ['tracks', 'artists'] : []),
})

export const byKit = defineResource('albums', {
  ...album,
  relations: (r) => ({ artist: r.belongsTo('artists') }),
  // refuses: 'tracks' is not a relation of this type: use a name from 'relations'.
  defaultIncludes: ['tracks'],
})

export const capabilities = defineType('albums', {
  fields: () => ({ id: id() }),
  relations,
  // refuses: 'artists' is not a relation of this type: use a name from 'relations'.
  defaultIncludes: ['artists'],
})

export const unsortable = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string(), year: a.integer().sortable() }),
  // refuses: '-title' is not a sort key: make the attribute sortable(), or declare the key in 'sorts'.
  defaultSort: ['-title', 'year'],
})

export const misspelt = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer().sortable() }),
  sorts: (s) => ({ newest: s.field('releasedAt') }),
  // refuses: 'newset' is not a sort key: make the attribute sortable(), or declare the key in 'sorts'.
  defaultSort: ['newset', '-year'],
})

export const vocabulary = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string(), age: a.integer().computed((row) => 2000 - row.year) }),
  filters: (f) => ({
    title: f.contains('title'),
    age: f.lessThan('age'),
    // refuses: Argument of type '"titel"' is not assignable to parameter of type '"age" | "artistId" |
    name: f.contains('titel'),
    // refuses: Argument of type '"aeg"' is not assignable to parameter of type '"age" | "artistId" |
    young: f.where('aeg', '<'),
    composed: f.custom({
      // refuses: Argument of type '"yaer"' is not assignable to parameter of type '"age" | "artistId" |
      where: (value, g) => g.where('yaer').fixed(value),
    }),
    // refuses: Argument of type '"~"' is not assignable to parameter of type
    like: f.where('title', '~'),
  }),
  sorts: (s) => ({
    age: s.field('age'),
    // refuses: Argument of type '"titel"' is not assignable to parameter of type '"age" | "artistId" |
    name: s.field('titel'),
  }),
  scope: (context, f) => {
    if (context.request === null) return f.where('age').fixed(20)
    // refuses: Argument of type '"titel"' is not assignable to parameter of type '"age" | "artistId" |
    return f.isNull('titel')
  },
})

export const keys = defineResource('albums', {
  ...album,
  attributes: (a) => ({ name: a.string().storedAs('title'), age: a.integer().computed((row) => 2000 - row.year) }),
  filters: (f) => ({
    name: f.contains(),
    year: f.range().describedAs('The year.'),
    id: f.where(),
    since: f.greaterThan('year'),
    // refuses: No attribute and no column 'titel': correct the key, or name the target, as in f.where('…').
    titel: f.contains(),
    // refuses: No attribute and no column 'yeer': correct the key, or name the target, as in f.where('…').
    yeer: f.where().singular().describedAs('The year.'),
    artist: f.through('artist.name'),
    known: f.has('artist'),
  }),
  sorts: (s) => ({
    year: s.field(),
    newest: s.field('releasedAt'),
    // refuses: No attribute and no column 'yeer': correct the key, or name the target, as in s.field('…').
    yeer: s.field(),
  }),
  defaultSort: ['-newest'],
})

export const unscoped = defineResource('albums', {
  ...album,
  // refuses: Type 'boolean' is not assignable to type 'FilterDeclaration'.
  scope: () => true,
})
