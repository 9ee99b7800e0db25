import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request-context.js'
import type { DeclaredRows } from '../resource-state.js'
import type { RegisteredDatabase } from './registered.js'
import type { Transaction } from './transactions.js'

/**
 * The rows behind a type, for an author's own code. Reads and writes go to the store of the type, in the transaction of
 * the request where it has one, and past everything that holds for clients: scopes, validation, hooks.
 */
export interface StoredRows<Row = RowObject> {
  /** The row with a key, `null` for none. */
  find(key: unknown): Promise<Row | null>
  /** The rows whose columns have these values, by key. */
  list(where?: Readonly<Partial<Row>>): Promise<readonly Row[]>
  /** Answers the row as stored. */
  create(values: Readonly<Partial<Row>>): Promise<Row>
  /** Answers the row as stored, `null` when there is none with the key. */
  update(key: unknown, values: Readonly<Partial<Row>>): Promise<Row | null>
  /** Answers whether there was such a row. */
  delete(key: unknown): Promise<boolean>
}

/** What an author's own code is told when it takes part in a request: an action, a hook, a persister. */
export interface WorkContext extends RequestContext {
  /** The transaction that all of it is kept or undone with; `null` where there is none. */
  readonly transaction: Transaction | null
  /**
   * For statements of your own: what the store of the primary type offers, of `sqlData()` a Kysely instance. It runs them
   * in the transaction where there is one. Throws a `TypeError` where the store has none. See `Registered` for its type.
   */
  readonly db: RegisteredDatabase
  /**
   * The rows of a type of this server: by its declaration, which knows their type, or by its name.
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
