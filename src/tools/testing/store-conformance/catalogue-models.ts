/** The type of a column in the conformance suite: the values in the rows that a store gets and returns. */
export type ConformanceValue =
  | 'text'
  /** An integer. */
  | 'integer'
  /** A number with a fraction. */
  | 'number'
  | 'boolean'
  /** A `Date`, with milliseconds. */
  | 'instant'
  /** A day, as text: `1997-05-21`. */
  | 'date'
  /** An array of strings. */
  | 'list'

export interface ConformanceColumn {
  readonly name: string
  readonly holds: ConformanceValue
  readonly nullable: boolean
  /** The model whose key the column refers to; `null` without one, and for a polymorphic reference. */
  readonly references: string | null
}

/** A model of the conformance suite. The developer of a store creates a table for it. */
export interface ConformanceModel {
  readonly name: string
  /** The column that identifies a row; `null` for join rows. */
  readonly key: string | null
  /** Whether the store generates keys for rows without one. */
  readonly givesKeys: boolean
  readonly columns: readonly ConformanceColumn[]
  /** Sets of columns whose values are unique together. Null is equal to nothing. */
  readonly unique: readonly (readonly string[])[]
  /** Check constraints of the store: the value of a column is at least this number, or null. */
  readonly checks: readonly { readonly name: string; readonly column: string; readonly least: number }[]
}

function column(name: string, holds: ConformanceValue, rest: Partial<ConformanceColumn> = {}): ConformanceColumn {
  return Object.freeze({ name, holds, nullable: false, references: null, ...rest })
}

const nullable = { nullable: true } as const

function frozen({
  checks = [],
  ...model
}: Omit<ConformanceModel, 'checks'> & Partial<ConformanceModel>): ConformanceModel {
  const [columns, unique] = [Object.freeze(model.columns), Object.freeze(model.unique)]
  return Object.freeze({ ...model, columns, unique, checks: Object.freeze(checks) })
}

/**
 * The models of `storeConformance()`. No model refers to a later one in the list. A store under test has rows of these
 * models; a database can create its tables from this list.
 *
 * @example
 * ```ts
 * const types = { text: 'text', integer: 'integer', number: 'real', boolean: 'integer', instant: 'text', date: 'text', list: 'text' }
 * const tables = conformanceModels.map(({ name, columns }) => {
 *   const parts = columns.map((column) => `"${column.name}" ${types[column.holds]}`)
 *   return `create table ${name} (${parts.join(', ')})`
 * })
 * ```
 */
export const conformanceModels: readonly ConformanceModel[] = Object.freeze([
  frozen({
    name: 'artists',
    key: 'id',
    givesKeys: true,
    columns: [column('id', 'integer'), column('name', 'text'), column('country', 'text', nullable)],
    unique: [['name']],
  }),
  frozen({
    name: 'albums',
    key: 'id',
    givesKeys: true,
    columns: [
      column('id', 'integer'),
      column('title', 'text'),
      column('artistId', 'integer', { nullable: true, references: 'artists' }),
      column('price', 'number', nullable),
      column('discs', 'integer', nullable),
      column('explicit', 'boolean', nullable),
      column('releasedOn', 'date', nullable),
      column('addedAt', 'instant', nullable),
      column('genres', 'list', nullable),
    ],
    unique: [['title', 'artistId']],
    checks: [{ name: 'albums_have_discs', column: 'discs', least: 1 }],
  }),
  // The two columns of the unique set are the key.
  frozen({
    name: 'tracks',
    key: null,
    givesKeys: false,
    columns: [
      column('albumId', 'integer', { references: 'albums' }),
      column('number', 'integer'),
      column('title', 'text'),
    ],
    unique: [['albumId', 'number']],
  }),
  frozen({
    name: 'lyrics',
    key: 'id',
    givesKeys: true,
    columns: [
      column('id', 'integer'),
      column('text', 'text'),
      column('albumId', 'integer', nullable),
      column('trackNumber', 'integer', nullable),
    ],
    unique: [],
  }),
  frozen({
    name: 'portraits',
    key: 'id',
    givesKeys: true,
    columns: [
      column('id', 'integer'),
      column('file', 'text'),
      column('artistId', 'integer', { nullable: true, references: 'artists' }),
    ],
    unique: [],
  }),
  frozen({
    name: 'comments',
    key: 'id',
    givesKeys: true,
    columns: [
      column('id', 'integer'),
      column('text', 'text'),
      column('subjectId', 'integer', nullable),
      column('subjectType', 'text', nullable),
    ],
    unique: [],
  }),
  frozen({
    name: 'playlists',
    key: 'code',
    givesKeys: false,
    columns: [column('code', 'text'), column('title', 'text')],
    unique: [],
  }),
  frozen({
    name: 'playlist_albums',
    key: null,
    givesKeys: false,
    columns: [
      column('playlistCode', 'text', { references: 'playlists' }),
      column('albumId', 'integer', { references: 'albums' }),
      column('position', 'integer', nullable),
      column('note', 'text', nullable),
    ],
    unique: [['playlistCode', 'albumId']],
  }),
  frozen({
    name: 'playlist_items',
    key: null,
    givesKeys: false,
    columns: [
      column('playlistCode', 'text', { references: 'playlists' }),
      column('itemId', 'integer'),
      column('itemType', 'text'),
    ],
    unique: [['playlistCode', 'itemId', 'itemType']],
  }),
])
