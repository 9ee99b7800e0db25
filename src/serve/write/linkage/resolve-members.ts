import { failAll, problem } from '../../../core/errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyColumns, keyReader } from '../../../declare/resource/parts/key-columns.js'
import { idReader } from '../../../declare/resource/reading/row-linkage.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { memoize } from '../../../core/util/memoize.js'
import { isStorableText } from '../../../core/util/storable-text.js'
import { pauses } from '../../../core/util/time-slices.js'
import { scopeConditions } from '../../read/query/scope-conditions.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { readCollection } from '../../read/rows/read-collection.js'
import type { OpenTransactions } from '../../read/read-context.js'
import { readTransaction } from '../../read/read-context.js'
import type { LinkageChange, Member, MemberOf } from './linkage-change.js'
import { identityOf } from './linkage-change.js'
import type { SentIdentifier } from '../document/sent-linkage.js'

interface MemberRead {
  readonly context: RequestContext
  readonly open: OpenTransactions | null
  /** The maximum number of problems to report. */
  readonly limit: number
}

/**
 * Finds the rows of new members. Fails with 404 for every identifier whose resource does not exist or is outside the
 * client's scope. Nothing has been written by then.
 */
export async function resolveMembers(changes: readonly NamedMembers[], read: MemberRead): Promise<MemberOf> {
  const memberOf = await findMembers(changes.map(membersToFind), read)
  const missing = changes.flatMap(({ added }) => added.filter((identifier) => memberOf(identifier) === undefined))
  if (missing.length > 0) {
    failAll(
      missing.slice(0, read.limit).map(({ type, id, pointer }) => {
        return problem('RELATED_RESOURCE_NOT_FOUND', { type, id }, { source: { pointer } })
      }),
    )
  }
  return memberOf
}

/** Resources that a concealed relation does not have are found as if it had them. */
function membersToFind(named: NamedMembers): NewMembers {
  const { relation, mode, sent = [], isConcealed = false } = named
  return isConcealed && mode === 'remove' ? { relation, added: sent } : named
}

type NamedMembers = NewMembers & Partial<Pick<LinkageChange, 'mode' | 'sent' | 'isConcealed'>>

type NewMembers = Pick<LinkageChange, 'relation' | 'added'>

/** Finds members by one read for each related type of a relation, in the client's scope. */
export async function findMembers(
  changes: readonly NewMembers[],
  read: Pick<MemberRead, 'context' | 'open'>,
): Promise<MemberOf> {
  const reads = changes.flatMap(({ relation, added }) =>
    [...relation.related.values()].map(async (served) => {
      const wanted = added.filter(({ type }) => type === served.type.type)
      if (wanted.length === 0) return []
      const members = await readMembers(relation, served, wanted, read)
      return wanted.map((identifier) => [identifier, members.get(identityOf(identifier))] as const)
    }),
  )
  const found = new Map((await Promise.all(reads)).flat())
  return (identifier) => found.get(identifier)
}

async function readMembers(
  relation: ServedRelation,
  served: ServedType,
  wanted: readonly SentIdentifier[],
  read: Pick<MemberRead, 'context' | 'open'>,
): Promise<ReadonlyMap<string, Member>> {
  const { type, provider } = served
  if (provider === null) return unreadMembers(served, wanted)
  // A polymorphic key has no foreign key constraint, so the rows are locked against deletion.
  const forReference = relation.spec.targets.length > 1
  const pause = pauses()
  const ids = new Set(wanted.map(({ id }) => id).filter(isStorableText))
  const { context, open } = read
  const sets = await readRows(served, [...ids], { context, open, forReference })
  await pause()
  const members = sets.flatMap(({ columns, rows }) => {
    const idOf = idReader(served, columns)
    const [keyOf, idKeyOf] = [keyReader(columns, referenceColumn(type)), keyReader(columns, type.id.column)]
    return rows
      .filter((row) => isOfType(relation, served, () => rowObject(columns, row)))
      .map((row): Member => {
        return { type: type.type, id: idOf(row, context), key: keyOf(row), idKey: idKeyOf(row) }
      })
  })
  return new Map(members.map((member) => [identityOf(member), member]))
}

/** Returns members of a type without a provider. Whether they exist cannot be checked, so the ids are only decoded. */
function unreadMembers({ type }: ServedType, wanted: readonly SentIdentifier[]): ReadonlyMap<string, Member> {
  return new Map(
    wanted.flatMap((identifier) => {
      const key = isStorableText(identifier.id) ? type.id.decode(identifier.id) : null
      return key === null ? [] : [[identityOf(identifier), { ...identifier, key, idKey: key }]]
    }),
  )
}

/**
 * Reads rows by one collection query. Reads them one by one if the provider has no `fetchCollection`, or if a
 * user-defined serializer makes the ids.
 */
async function readRows(
  served: ServedType,
  ids: readonly string[],
  { context, open, forReference }: Pick<MemberRead, 'context' | 'open'> & { readonly forReference: boolean },
): Promise<readonly RowSet[]> {
  const { type, provider, serializer } = served
  const conditions = scopeConditions(served)
  const { columns, cacheKey } = memberReads(served)
  const transaction = readTransaction(served, open)
  // A store finds one row by a statement that it has cached. The function of an application might do anything else.
  const isOne = ids.length === 1 && !forReference && serializer === null && served.scopeReaders.fetchOne
  if (isOne || provider?.fetchCollection === undefined || serializer !== null) {
    const read = { transaction, context, conditions }
    const wanted = isOne ? { ...read, columns, cacheKey } : { ...read, columns: null }
    const found = await Promise.all(ids.map((id) => findRow(served, id, wanted)))
    return found.flatMap((rows) => rows ?? [])
  }
  const values = ids.map((id) => type.id.decode(id)).filter((key) => key !== null)
  if (values.length === 0) return []
  const column = { of: 'row', name: type.id.column, kind: null, isKey: true } as const
  const { rows } = await readCollection(served, {
    columns,
    transaction,
    context,
    conditions: [{ kind: 'in', column, values, negated: false }, ...conditions],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
    forReference,
  })
  return [rows]
}

/** The columns of members of a type, and the cache key of a read of one. Only types that share a model need more columns than the keys. */
const memberReads = memoize(({ type }: ServedType) => ({
  columns: type.objectType === null ? [...new Set([type.id.column, referenceColumn(type)].flatMap(keyColumns))] : null,
  cacheKey: {},
}))

/** Whether a row is of a type. Types that share a model determine the type from the row. */
function isOfType(
  { related }: ServedRelation,
  { type }: ServedType,
  object: () => Readonly<Record<string, unknown>>,
): boolean {
  return related.size === 1 || type.objectType === null || type.objectType(object()) === type.type
}
