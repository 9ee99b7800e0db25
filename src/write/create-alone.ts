import { JsonApiError } from '../errors/json-api-error.js'
import type { ColumnValues, CreateRow, RowReference } from '../resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import { referenceColumn } from '../resource/relations/relation-link.js'
import { memoize } from '../util/memoize.js'
import type { Awaitable } from '../util/types.js'
import { catchAwaitable, mapAwaitable } from '../util/awaitable.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { Member } from './document/member.js'
import type { MemberOf } from './linkage/resolve-members.js'
import type { SentIdentifier } from './document/sent-linkage.js'
import { scopeConditions } from '../read/query/scope-conditions.js'
import { withScopes } from '../read/rows/fill-scopes.js'
import { softDeleteConditions } from '../read/query/soft-deleted.js'
import type { ReadContext } from '../read/read-context.js'
import { isMadeAtOnce } from './created-at-once.js'
import type { NewResource } from './new-resource.js'
import { newColumns } from './new-resource.js'

/**
 * Creates a resource that is one row and nothing else, by a write that stands alone: no transaction is opened for it, and
 * what it points at is not read before. `null` where there is more to do, or where anything stands against it: nothing is
 * stored then, and whoever creates it in a transaction finds out what. Else what the persister answers.
 */
export function createAlone(resource: NewResource, reading: ReadContext): Awaitable<object | null> {
  const { served, changes } = resource
  const way = reading.open === null ? wayOf(served) : null
  const pointing = way === null ? null : pointingOf(changes, way, reading)
  if (way === null || pointing === null) return null
  const { memberOf, references } = pointing
  return mapAwaitable(loneColumns(resource, memberOf, reading), (values) =>
    values === null ? null : way.alone(served.type, values, { context: reading.context, references }),
  )
}

/** How resources of a type are created so. */
interface Way {
  readonly alone: NonNullable<CreateRow['alone']>
  /** What the relations point at whose members need not be looked at before. */
  readonly references: ReadonlyMap<ServedRelation, Reference>
}

interface Reference {
  readonly target: ServedType
  /** Without what scopes ask. */
  readonly row: RowReference
}

/** `null` where an author's code has a part in it, or where the work may be left for later. */
const wayOf = memoize((served: ServedType): Way | null => {
  const alone = served.persister?.create.alone
  const isAccepted = served.type.responses.create.some(({ kind }) => kind === 'accepted')
  return alone === undefined || isAccepted || !isMadeAtOnce(served) ? null : { alone, references: referencesOf(served) }
})

function referencesOf(served: ServedType): Way['references'] {
  return new Map(
    [...served.relations.values()].flatMap((relation) => {
      const reference = referenceOf(served, relation)
      return reference === null ? [] : [[relation, reference] as const]
    }),
  )
}

/** `null` where it takes more than its row to know whether a member is there for the caller. */
function referenceOf({ transactions }: ServedType, { storage, writeBy, related }: ServedRelation): Reference | null {
  const [target, ...others] = related.values()
  if (writeBy !== 'row' || storage.kind !== 'ownKey' || storage.key.type !== null) return null
  if (target === undefined || others.length > 0 || target.provider?.fetchCollection === undefined) return null
  const { type, serializer, readsInTransaction, isReadByStore } = target
  const isInStore = readsInTransaction && isReadByStore && target.transactions === transactions
  if (!isInStore || serializer !== null || referenceColumn(type) !== type.id.column) return null
  return { target, row: { column: storage.key.id, type, conditions: softDeleteConditions(type, 'hidden') } }
}

/** The reference as a row has to meet it in this request. */
function askedIn({ context }: ReadContext, { target, row }: Reference): RowReference {
  if (target.type.scope === null) return row
  return { ...row, conditions: withScopes({ conditions: scopeConditions(target), context }).conditions }
}

interface Pointing {
  readonly memberOf: MemberOf
  readonly references: readonly RowReference[]
}

const nowhere: Pointing = Object.freeze({ memberOf: () => undefined, references: [] })

function pointingOf(
  changes: NewResource['changes'],
  { references: known }: Way,
  reading: ReadContext,
): Pointing | null {
  if (changes.length === 0) return nowhere
  // Not a map: there are a few at most, one for each key of the row.
  const sent: SentIdentifier[] = []
  const members: Member[] = []
  const references: RowReference[] = []
  for (const { relation, added } of changes) {
    const reference = known.get(relation)
    if (reference === undefined) return null
    for (const identifier of added) {
      const { type, id } = identifier
      const key = reference.row.type.id.decode(id)
      if (key === null) return null
      sent.push(identifier)
      members.push({ type, id, key, idKey: key })
      references.push(askedIn(reading, reference))
    }
  }
  return { memberOf: (identifier) => members[sent.indexOf(identifier)], references }
}

/** `null` where relationships contradict each other. */
function loneColumns(resource: NewResource, memberOf: MemberOf, reading: ReadContext): Awaitable<ColumnValues | null> {
  const { changes } = resource
  return catchAwaitable(() => {
    if (changes.length > 1) checkAgreement(changes, { memberOf, row: null })
    return newColumns(resource, memberOf, reading)
  }, nothingForClients)
}

function nothingForClients(thrown: unknown): null {
  if (JsonApiError.is(thrown)) return null
  throw thrown
}
