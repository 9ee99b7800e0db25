/** What a store can do that not every store can. */
export interface StoreCapabilities {
  /** Rows are created, changed and deleted: `persister()`. */
  readonly writes: boolean
  /** Writes are kept or undone together: `transactions`. */
  readonly transactions: boolean
  /** Relations between its types are read for several parents at once, and queries lead through them: `fetchRelated`. */
  readonly relations: boolean
  /** Relations by join rows are kept: `fetchRelated` reads them, and `mutateRelationship` changes them. */
  readonly joins: boolean
  /** No two rows agree in the columns of a unique set. */
  readonly unique: boolean
  /** Keys lead to rows that are there, and what is pointed at is not deleted. */
  readonly references: boolean
  /** A column that is not nullable is never null. */
  readonly required: boolean
  /** Rules of the store's own hold for each row: the `checks` of the models. */
  readonly checks: boolean
  /** Columns take values of their kind only: no text where there are whole numbers. */
  readonly typed: boolean
  /** What a transaction reads to change it, with `forChange`, no other changes before it ends. */
  readonly locks: boolean
  /** Several rows are created at once: `create.many`. */
  readonly together: boolean
}

/** Whoever says nothing of a capability has it: a case that nobody ordered off is never left out in silence. */
export function capabilitiesOf(said: Partial<StoreCapabilities>): StoreCapabilities {
  const { writes = true, relations = true } = said
  const transactions = writes && (said.transactions ?? true)
  return Object.freeze({
    writes,
    relations,
    transactions,
    joins: relations && (said.joins ?? true),
    unique: writes && (said.unique ?? true),
    references: writes && (said.references ?? true),
    required: writes && (said.required ?? true),
    checks: writes && (said.checks ?? true),
    typed: writes && (said.typed ?? true),
    locks: transactions && (said.locks ?? true),
    together: writes && (said.together ?? true),
  })
}
