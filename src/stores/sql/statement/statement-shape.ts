import { invariant } from '../../../core/util/invariant.js'
import type { StatementLabel } from '../driver/sql-statement.js'
import type { TableName } from '../schema/live-schema.js'
import { tableText } from '../schema/table-model.js'

/** A placeholder for a parameter value while a statement is compiled, so that the text does not depend on the value. */
export class ParameterSlot {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/**
 * The cache key of a statement and its parameter values, collected while the criteria of a request are read. Requests
 * with the same key have the same statement text, so it is compiled once. Values are never part of the key.
 */
export class StatementShape {
  readonly values: unknown[] = []
  #key = ''
  #isOpen = true

  /** Adds a part that the text depends on to the cache key. */
  addKeyPart(part: string): void {
    if (!this.#isOpen) changedTooLate()
    this.#key += `${part}\n`
  }

  /** Adds a parameter value, and returns its placeholder. */
  bind(value: unknown): ParameterSlot {
    return new ParameterSlot(this.values.push(value) - 1)
  }

  /** The cache key. Null for a statement that must not be cached, because user-defined code builds a part of it. */
  get key(): string | null {
    this.#isOpen = false
    return this.#isCached ? this.#key : null
  }

  #isCached = true

  #purpose: string | null = null
  #subject = ''
  #table: TableName | null = null

  /**
   * Sets the description of the statement, for logs and traces. All statements with the same key share it.
   *
   * @param purpose such as `list`
   * @param table the table that is read or written; null if it is a catalog of the database
   * @param relation the relation whose members are read, such as `albums.tracks`
   */
  describe(purpose: string, table: TableName | null, relation?: string): void {
    this.#purpose = purpose
    this.#table = table
    this.#subject = relation ?? table?.name ?? ''
  }

  /** The description; null if there is none. */
  get label(): StatementLabel | null {
    if (this.#purpose === null) return null
    const name = this.#subject === '' ? this.#purpose : `${this.#purpose} ${this.#subject}`
    return Object.freeze({ name, table: this.#table === null ? null : tableText(this.#table) })
  }

  /** Excludes the statement from the cache, because its text depends on more than the key. */
  neverCache(): void {
    this.#isCached = false
  }
}

function changedTooLate(): never {
  invariant(false, 'the shape of a statement was changed after its key was read')
}
