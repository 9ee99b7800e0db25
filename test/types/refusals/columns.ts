import { defineResource, hasMany, id } from 'ashlar'
import { album } from './albums.js'

export const misspelt = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    title: a.string().required(),
    // refuses: No column 'titel' in the model: correct the name, point to a column with storedAs(), or make it computed().
    titel: a.string(),
    // refuses: No column 'titel' in the model: correct the name, point to a column with storedAs(), or make it computed().
    name: a.string().storedAs('titel').required().maxLength(200),
    // refuses: No column 'password' in the model
    password: a.string().writeOnly(),
    // refuses: No column 'length' in the model
    length: a.integer().readOnly(),
  }),
})

export const nullable = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: Column 'subtitle' may be null: add nullable().
    subtitle: a.string().required(),
    // refuses: Column 'releasedAt' may be null: add nullable().
    releasedAt: a.dateTime(),
    // refuses: Column 'note' may be null: add nullable().
    note: a.string(),
    // refuses: Column 'subtitle' may be null: add nullable().
    tagline: a.slug().storedAs('subtitle'),
  }),
})

export const misfit = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: Column 'title' has a type that a.integer() cannot read: use another kind, or convert the value with extractUsing().
    title: a.integer(),
    // refuses: Column 'year' has a type that a.string() cannot read: use another kind, or convert the value with extractUsing().
    year: a.string(),
    // refuses: Column 'tags' has a type that a.boolean() cannot read
    tags: a.boolean(),
    // refuses: Column 'year' has a type that a.date() cannot read
    released: a.date().storedAs('year'),
    // refuses: Column 'year' has a type that a.arrayList() cannot read
    years: a.arrayList().storedAs('year'),
    // refuses: Column 'live' has a type that a.object() cannot read
    live: a.object().fields({ on: a.boolean() }),
    // refuses: Column 'releasedAt' has a type that a.integer() cannot read
    releasedAt: a
      .integer()
      .nullable()
      .deserializeUsing((value) => value),
  }),
})

export const children = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    info: a.map().fields({
      year: a.integer(),
      // refuses: No column 'shelf' in the model
      shelf: a.integer(),
      // refuses: Column 'subtitle' may be null: add nullable().
      subtitle: a.string(),
    }),
  }),
})

export const strangers = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    title: a.string(),
    // refuses: 'key' is not an attribute: declare one with the kit, such as a.string(); declare ids under 'id' and relations under 'relations'.
    key: id(),
    // refuses: 'tracks' is not an attribute
    tracks: hasMany('tracks'),
    // refuses: 'year' is not an attribute
    year: 'integer',
  }),
})

export const rows = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: Property 'titel' does not exist on type 'AlbumRow'. Did you mean 'title'?
    display: a.string().computed((row) => row.titel),
    // refuses: Type 'number' is not assignable to type 'string'.
    name: a.string().computed((row) => row.year),
    // refuses: Type 'string | null' is not assignable to type 'string'.
    line: a.string().computed((row) => row.subtitle),
    // refuses: Type 'Date' is not assignable to type 'string'.
    note: a.string().serializeUsing((row) => row.releasedAt ?? new Date()),
    // refuses: Type '{ titel: string; }' is not assignable to type 'Promise<Readonly<Partial<AlbumRow>> | null> | Readonly<Partial<AlbumRow>> | null'.
    title: a.string().fillUsing((_row, value) => ({ titel: String(value) })),
  }),
})
