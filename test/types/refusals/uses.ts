import { belongsTo, defineResource, hasMany } from 'ashlar'
import { album } from './albums.js'

const always = (): boolean => true

export const conditions = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    title: a.string().sortableIf('audit'),
    // refuses: Argument of type 'boolean' is not assignable to parameter of type 'UseCondition'.
    year: a.integer().sortableIf(true),
    // refuses: Expected 1 arguments, but got 0.
    live: a.boolean().sortableIf(),
  }),
  relations: {
    artist: belongsTo('artists').via('artistId').includableIf(always),
    label: belongsTo('artists')
      .via('artistId')
      // refuses: Type 'Promise<boolean>' is not assignable to type 'boolean'.
      .includableIf(async () => true),
    // refuses: Target signature provides too few arguments. Expected 2 or more, but got 1.
    tracks: hasMany('tracks').filterableIf((_row: object, _context: object) => true),
  },
  filters: (f) => ({
    title: f.where().usableIf('audit'),
    // refuses: Argument of type 'null' is not assignable to parameter of type 'UseCondition'.
    year: f.where().usableIf(null),
    // refuses: Property 'callr' does not exist on type 'RequestContext'.
    live: f.where().usableIf(({ callr }) => callr !== null),
    // refuses: No attribute and no column 'yeer': correct the key, or name the target, as in f.where('…').
    yeer: f.where().usableIf(always),
  }),
  sorts: (s) => ({
    newest: s.field('releasedAt').usableIf(always),
    // refuses: No attribute and no column 'yeer': correct the key, or name the target, as in s.field('…').
    yeer: s.field().usableIf(always),
    // refuses: Argument of type 'number' is not assignable to parameter of type 'UseCondition'.
    oldest: s.field('releasedAt').usableIf(1),
  }),
  // refuses: '-newset' is not a sort key: make the attribute sortable(), or declare the key in 'sorts'.
  defaultSort: ['-newset', 'title'],
})

export const paths = defineResource('albums', {
  ...album,
  relations: { artist: belongsTo('artists').via('artistId') },
  allowedIncludePaths: [
    'artist',
    { path: 'artist.label', usableIf: 'audit' },
    // refuses: Property 'usableIf' is missing in type '{ path: string; }' but required in type 'ConditionalPath'.
    { path: 'artist.label' },
    // refuses: 'useableIf' does not exist in type 'ConditionalPath'.
    { path: 'artist.albums', useableIf: always },
  ],
})
