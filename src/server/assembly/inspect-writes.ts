import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { writeStrategies } from '../../serve/write/write-strategy.js'

/**
 * How the writes of a type reach its store.
 *
 * @example
 * ```ts
 * const { writes } = await server.inspect()
 * for (const { type, operation, reason } of writes) {
 *   if (reason !== null) console.log(`${operation} of ${type} needs a transaction: ${reason}`)
 * }
 * ```
 */
export interface WriteInspection {
  readonly server: string
  readonly type: string
  /**
   * `members`: adding to and removing from a to-many relation, and replacing the member of a to-one relation. `createBatch`: creates of
   * an atomic batch. `createOnlyBatch`: an atomic batch that only creates resources of the type.
   */
  readonly operation: 'create' | 'createBatch' | 'createOnlyBatch' | 'update' | 'delete' | 'members'
  /** The name of the relation, for `members`; else `null`. */
  readonly relationship: string | null
  /**
   * `statement`: a plain write is one statement without a transaction. The store still needs a transaction for tables
   * with computed columns, for views, and in other cases that depend on the request or on the tables.
   */
  readonly strategy: 'statement' | 'transaction'
  /** The reason why the write needs a transaction; `null` if it does not. */
  readonly reason: string | null
}

/** Lists the strategies of all types that can be written. */
export function inspectWrites(
  servers: ReadonlyMap<string, ReadonlyMap<string, ServedType>>,
): readonly WriteInspection[] {
  return [...servers].flatMap(([server, types]) =>
    [...types.values()].flatMap((served) => inspectType(served).map((write) => ({ server, ...write }))),
  )
}

function inspectType(served: ServedType): readonly Omit<WriteInspection, 'server'>[] {
  const { type, operations } = served.type
  if (served.persister === null) return []
  const { members, ...strategies } = writeStrategies(served)
  const written = (['create', 'createBatch', 'createOnlyBatch', 'update', 'delete'] as const)
    .filter((operation) => operations.has(servedAs[operation]))
    .map((operation) => [operation, null, strategies[operation].reason] as const)
  const relations = operations.has('Update') ? [...members] : []
  return [...written, ...relations.map(([name, { reason }]) => ['members', name, reason] as const)].map(
    ([operation, relationship, reason]) => {
      return { type, operation, relationship, strategy: reason === null ? 'statement' : 'transaction', reason }
    },
  )
}

const servedAs = Object.freeze({
  create: 'Create',
  createBatch: 'Create',
  createOnlyBatch: 'Create',
  update: 'Update',
  delete: 'Delete',
} as const)
