/** What a column of the conformance suite's catalogue holds, in the rows that a store is given and answers. */
export type ConformanceValue =
  | 'text'
  /** A whole number. */
  | 'integer'
  /** A number with a fraction. */
  | 'number'
  | 'boolean'
  /** A `Date`, with milliseconds. */
  | 'instant'
  /** A day, as text: `1997-05-21`. */
  | 'date'
  /** An array of texts. */
  | 'list'

export interface ConformanceColumn {
  readonly name: string
  readonly holds: ConformanceValue
  readonly nullable: boolean
  /** The model that it points at, by its key; `null` for one that points nowhere, or at rows of several models. */
  readonly references: string | null
}

/** A set of rows of the conformance suite's catalogue: what the author of a store makes a table of. */
export interface ConformanceModel {
  readonly name: string
  /** The column that identifies a row; `null` for join rows. */
  readonly key: string | null
  /** Whether the store gives keys to rows that come without one. */
  readonly givesKeys: boolean
  readonly columns: readonly ConformanceColumn[]
  /** Sets of columns in which no two rows agree. Null is equal to nothing. */
  readonly unique: readonly (readonly string[])[]
  /** Rules of the store's own: what a column holds is at least this, or null. */
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
 * The models of `storeConformance()`, in an order in which none points at a later one. A store that is put to the test has
 * these rows; one of tables makes them of this.
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
