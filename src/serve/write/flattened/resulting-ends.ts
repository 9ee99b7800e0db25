import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import { changesAnything } from '../linkage/linkage-change.js'
import { scopeConditions } from '../../read/query/scope-conditions.js'
import type { OpenTransactions, ReadContext } from '../../read/read-context.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { readTransaction } from '../../read/read-context.js'
import type { ChainEnds, TypedRow } from '../../read/graph/follow-chains.js'
import { followChains } from '../../read/graph/follow-chains.js'

/** The resource that chains start from, during its write. */
export interface ChainStart {
  readonly start: TypedRow
  /** Whether it is being created: no row can refer to it yet. */
  readonly isNew: boolean
  /** Whether its row has the foreign keys that will be written. Else it has the stored ones, or none. */
  readonly isDraft: boolean
}

/** The linkage of the body and the request, for reading the ends of chains. */
export interface FlattenedContext {
  readonly changes: readonly LinkageChange[]
  readonly open: OpenTransactions | null
  readonly request: ReadContext
}

/** Returns the ends of chains after the relationships of a body are applied. */
export async function resultingEnds(
  chains: readonly FlattenedChain[],
  from: ChainStart,
  flattened: FlattenedContext,
): Promise<ReadonlyMap<FlattenedChain, ChainEnds>> {
  const firsts = new Set(chains.flatMap(({ relations: [first] }) => first ?? []))
  const known = new Map<ServedRelation, TypedRow | null>()
  for (const relation of firsts) {
    const end = await knownEnd(relation, from, flattened)
    if (end !== undefined) known.set(relation, end)
  }
  const { open, request } = flattened
  return followChains([from.start], chains, {
    request: { ...request, open },
    known,
  })
}

/** Returns the end of a relation that cannot be read from the row; `undefined` if the relation has to be followed. */
async function knownEnd(
  relation: ServedRelation,
  { isNew, isDraft }: ChainStart,
  flattened: FlattenedContext,
): Promise<TypedRow | null | undefined> {
  const { kind } = relation.storage
  if (isDraft && kind === 'ownKey') return undefined
  const change = flattened.changes.find((each) => each.relation === relation)
  if (change !== undefined && changesAnything(change)) return linkedRow(change, flattened)
  const isInRow = isDraft && (kind === 'function' || kind === 'provider')
  return isNew && !isInRow ? null : undefined
}

/**
 * Returns the row that a body names for a to-one relation. A missing row, or one outside the scope, is reported
 * elsewhere.
 */
async function linkedRow(
  { relation, resulting }: LinkageChange,
  { open, request: { context } }: FlattenedContext,
): Promise<TypedRow | null | undefined> {
  const [named] = resulting
  const served = named === undefined ? undefined : relation.related.get(named.type)
  if (named === undefined || served === undefined || !served.type.id.hasFormat(named.id)) return null
  if (served.provider === null) return undefined
  const found = await findRow(served, named.id, {
    columns: null,
    conditions: scopeConditions(served),
    transaction: readTransaction(served, open),
    context,
  })
  const [row] = found?.rows ?? []
  return found === null || row === undefined ? null : { rows: { served, columns: found.columns }, row }
}
