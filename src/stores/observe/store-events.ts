import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DeclarationFault } from '../../declare/resource/parts/declaration-fault.js'
import type { WorkContext } from '../../declare/resource/events/stored-rows.js'
import type { RelationLink } from '../../declare/resource/compiled/relation-link.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { invariant } from '../../core/util/invariant.js'
import { ListenerList } from '../../core/util/listener-list.js'
import type { Awaitable } from '../../core/util/types.js'
import { meantTable, tableNames } from '../common/table-names.js'

/** The events of a store: around the save of a row, and around its deletion. */
export type StoreEventName = 'saving' | 'saved' | 'deleting' | 'deleted'

/**
 * A row that a store writes. The event fires immediately, inside the transaction of the write: an error of a listener rolls the transaction
 * back.
 *
 * @example
 * ```ts
 * const audit = async ({ table, before, after, context }: StoreEvent) => {
 *   await context.rows('changes').create({ table, row: String(after?.['id'] ?? before?.['id']) })
 * }
 * ```
 */
export interface StoreEvent<Row = RowObject> {
  readonly event: StoreEventName
  /** The name of the model: the table, or the join table of a relation. */
  readonly table: string
  /** The row as it was; `null` for a new row. */
  readonly before: Readonly<Row> | null
  /** The row as it will be (`saving`), or as it is stored (`saved`); `null` for a row that is deleted. */
  readonly after: Readonly<Row> | null
  /** The request, and access to the database inside the same transaction. */
  readonly context: WorkContext
}

/**
 * A function that runs when a store writes a row.
 *
 * @example
 * ```ts
 * const logged = ({ event, table }: StoreEvent) => console.log(event, table)
 * ```
 */
export type StoreListener<Row = RowObject> = (event: StoreEvent<Row>) => Awaitable<void>

/** Adds listeners to a store. */
export interface ObservableStore {
  /**
   * Adds a listener for the rows of one table, or of all tables. Listeners run in the order in which they were added. The store sees its
   * own writes: those of operations, of `context.rows()`, and of join rows. It does not see statements on `context.db`, triggers and
   * cascades of the database. While there is a listener, writes to its tables run in a transaction, and rows of a batch are written one by
   * one.
   *
   * A table that no type uses is an error: the listener would never run. It is a fault of the build if no server has been built with the
   * store yet.
   *
   * @returns a function that removes the listener
   */
  on<Row = RowObject>(event: StoreEventName, table: string, listener: StoreListener<Row>): () => void
  on(event: StoreEventName, listener: StoreListener): () => void
}

const names: readonly string[] = Object.freeze(['saving', 'saved', 'deleting', 'deleted'] satisfies StoreEventName[])

/** The listeners of one store. */
export class StoreListeners {
  readonly #list = new ListenerList<StoreEvent>()
  /** How many listeners there are for each table; `null` for all tables. */
  readonly #watched = new Map<string | null, number>()

  /** The tables of all servers that were built with the store. */
  readonly #tables = new Set<string>()

  /** Adds the tables of a server. Returns a fault for each listener of another table, because it never runs. */
  check(types: readonly CompiledType[]): readonly DeclarationFault[] {
    for (const table of tableNames(types)) this.#tables.add(table)
    return [...this.#watched.keys()].flatMap((table) =>
      table === null || this.#tables.has(table)
        ? []
        : [
            {
              problem: `has a listener of the table '${table}', which no type uses. ${meantTable(table, this.#tables)}`,
              remedy: 'correct the name, or add the listener after the server that uses the table is built',
            },
          ],
    )
  }

  isWatched(table: string): boolean {
    return this.#watched.size > 0 && (this.#watched.has(null) || this.#watched.has(table))
  }

  /** Whether there are listeners of the rows of a type. */
  readonly isObserved = (type: CompiledType): boolean => {
    return this.#watched.size > 0 && this.isWatched(modelName(type))
  }

  /** Whether there are listeners of the join rows of a relation. */
  areJoinsObserved({ storage }: RelationLink): boolean {
    return storage.kind === 'join' && this.isWatched(storage.model)
  }

  async fire(event: StoreEvent): Promise<void> {
    for (const listener of this.#list.current) await listener(event)
  }

  readonly on: ObservableStore['on'] = (event: string, ...given: readonly unknown[]): (() => void) => {
    const [table, listener] = given.length < 2 || given[1] === undefined ? [null, given[0]] : given
    if (!names.includes(event)) throw new TypeError(`A store has no event '${event}': use ${names.join(', ')}.`)
    if (table !== null && typeof table !== 'string') throw new TypeError('The table of a listener must be its name.')
    if (typeof listener !== 'function') throw new TypeError(`The listener of '${event}' must be a function.`)
    if (table !== null && this.#tables.size > 0 && !this.#tables.has(table)) {
      throw new TypeError(`No type uses the table '${table}'. ${meantTable(table, this.#tables)}`)
    }
    return this.#add(event, table, listener as StoreListener)
  }

  #add(event: string, table: string | null, listener: StoreListener): () => void {
    this.#count(table, 1)
    const remove = this.#list.add((fired) =>
      fired.event === event && (table === null || fired.table === table) ? listener(fired) : undefined,
    )
    let isAdded = true
    return () => {
      if (isAdded) this.#count(table, -1)
      isAdded = false
      remove()
    }
  }

  #count(table: string | null, change: number): void {
    const count = (this.#watched.get(table) ?? 0) + change
    if (count === 0) this.#watched.delete(table)
    else this.#watched.set(table, count)
  }
}

/** Returns the name of the table of a type. */
export function modelName({ type, model }: CompiledType): string {
  invariant(model !== null, `'${type}' is stored without a model`)
  return model.name
}
