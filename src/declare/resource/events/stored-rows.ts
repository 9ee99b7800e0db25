import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request/request-context.js'
import type { DeclaredRows } from '../parts/resource-state.js'
import type { RegisteredDatabase } from '../request/registered.js'
import type { Transaction } from '../request/transactions.js'

/**
 * Gives user-defined code access to the rows of a type. Reads and writes go directly to the store of the type, in the
 * transaction of the request if there is one. Scopes, validation and hooks do not apply.
 *
 * @example
 * ```ts
 * const moveAlbums = async (rows: StoredRows<AlbumRow>, from: number, to: number) => {
 *   for (const { id } of await rows.list({ artistId: from })) await rows.update(id, { artistId: to })
 * }
 * ```
 */
export interface StoredRows<Row = RowObject> {
  /** Returns the row with a key; `null` if there is none. */
  find(key: unknown): Promise<Row | null>
  /** Returns the rows whose columns have these values, ordered by key. */
  list(where?: Readonly<Partial<Row>>): Promise<readonly Row[]>
  /** Returns the stored row. */
  create(values: Readonly<Partial<Row>>): Promise<Row>
  /** Returns the stored row; `null` if there is none with the key. */
  update(key: unknown, values: Readonly<Partial<Row>>): Promise<Row | null>
  /** Returns whether the row existed. */
  delete(key: unknown): Promise<boolean>
}

/**
 * The context of user-defined code that takes part in a request: an action, a hook, or a persister.
 *
 * @example
 * ```ts
 * const artistOf = (album: AlbumRow, context: WorkContext) => context.rows(artists).find(album.artistId)
 * ```
 */
export interface WorkContext extends RequestContext {
  /** The transaction of the request, which commits or rolls back all its writes; `null` if there is none. */
  readonly transaction: Transaction | null
  /**
   * The database of the primary type's store, for your own statements: with `sqlData()`, a Kysely instance. Statements
   * run in the transaction if there is one. Throws a `TypeError` if the store has no database. `Registered` declares
   * its type.
   */
  readonly db: RegisteredDatabase
  /**
   * Returns the rows of a type, by its declaration, which has the row type, or by its name. If the server of the request does not
   * have the type, it is that of another server of the service.
   *
   * @example
   * ```ts
   * const copyTracks = async (context: WorkContext, from: number, to: number) => {
   *   const tracks = context.rows<{ id: number; title: string; albumId: number }>('tracks')
   *   for (const { title } of await tracks.list({ albumId: from })) await tracks.create({ title, albumId: to })
   * }
   * ```
   */
  rows<Row>(resource: DeclaredRows<Row>): StoredRows<Row>
  rows<Row = RowObject>(type: string): StoredRows<Row>
}
