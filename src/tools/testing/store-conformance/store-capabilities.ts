/** The optional capabilities of a store. */
export interface StoreCapabilities {
  /** The store creates, changes and deletes rows: `persister()`. */
  readonly writes: boolean
  /** The store commits or rolls back writes together: `transactions`. */
  readonly transactions: boolean
  /**
   * The store reads relations for several parents in one call, and filters and sorts by related rows: `fetchRelated`.
   */
  readonly relations: boolean
  /** The store has relations with join rows: `fetchRelated` reads them, and `mutateRelationship` changes them. */
  readonly joins: boolean
  /** The store rejects rows with the same values in the columns of a unique set. */
  readonly unique: boolean
  /** The store checks foreign keys: they refer to existing rows, and rows that others refer to are not deleted. */
  readonly references: boolean
  /** The store rejects null in a column that is not nullable. */
  readonly required: boolean
  /** The store enforces check constraints: the `checks` of the models. */
  readonly checks: boolean
  /** The store rejects values of the wrong type, such as text in an integer column. */
  readonly typed: boolean
  /** Rows that a transaction reads with `forChange` are not changed by others until it ends. */
  readonly locks: boolean
  /** The store commits responses to requests with an `Idempotency-Key` together with their writes: `idempotency`. */
  readonly idempotency: boolean
  /** The store creates several rows in one call: `shortcuts.create.many`. */
  readonly together: boolean
  /** The store writes one row, or members in join rows, without a transaction: the `autocommit` functions of `shortcuts`. */
  readonly autocommit: boolean
  /** The store creates several rows without a transaction: `shortcuts.create.autocommitMany`. */
  readonly autocommitTogether: boolean
  /** The store groups rows and computes measures: `fetchGroups`. */
  readonly aggregates: boolean
  /** The store negates conditions, as filter trees do: the kind `not`. */
  readonly filterTrees: boolean
  /** The store searches texts, and sorts by relevance: `acceptsSearch`. */
  readonly searches: boolean
  /** The store has types with composite keys, such as `id(['albumId', 'number'])`. */
  readonly compositeKeys: boolean
}

/** A capability that is not set counts as true, so that cases are skipped only on request. */
export function capabilitiesOf(declared: Partial<StoreCapabilities>): StoreCapabilities {
  const { writes = true, relations = true } = declared
  const autocommit = writes && (declared.autocommit ?? true)
  const transactions = writes && (declared.transactions ?? true)
  return Object.freeze({
    writes,
    relations,
    transactions,
    joins: relations && (declared.joins ?? true),
    unique: writes && (declared.unique ?? true),
    references: writes && (declared.references ?? true),
    required: writes && (declared.required ?? true),
    checks: writes && (declared.checks ?? true),
    typed: writes && (declared.typed ?? true),
    locks: transactions && (declared.locks ?? true),
    idempotency: transactions && (declared.idempotency ?? true),
    together: writes && (declared.together ?? true),
    autocommit,
    autocommitTogether: autocommit && (declared.autocommitTogether ?? true),
    aggregates: declared.aggregates ?? true,
    filterTrees: declared.filterTrees ?? true,
    searches: declared.searches ?? true,
    compositeKeys: declared.compositeKeys ?? true,
  })
}
