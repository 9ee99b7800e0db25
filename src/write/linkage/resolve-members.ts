import { failAll, problem } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { idReader } from '../../resource/reading/id-reader.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { scopeConditions } from '../../read/query/scope-conditions.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { readCollection } from '../../read/rows/read-collection.js'
import type { OpenTransactions } from '../../read/open-transactions.js'
import { readTransaction } from '../../read/open-transactions.js'
import type { LinkageChange } from './linkage-change.js'
import type { Member } from '../document/member.js'
import { identityOf } from '../document/member.js'
import type { SentIdentifier } from '../document/sent-linkage.js'

/** The resources that identifiers of a body name. */
export type MemberOf = (identifier: SentIdentifier) => Member | undefined

interface Occasion {
  readonly context: RequestContext
  readonly open: OpenTransactions | null
  /** The most problems that are told. */
  readonly limit: number
}

/**
 * Finds the rows that new members are. 404 with every identifier whose resource does not exist, or not for this caller;
 * nothing is written then.
 */
export async function resolveMembers(changes: readonly NewMembers[], occasion: Occasion): Promise<MemberOf> {
  const memberOf = await findMembers(changes, occasion)
  const missing = changes.flatMap(({ added }) => added.filter((identifier) => memberOf(identifier) === undefined))
  if (missing.length > 0) {
    failAll(
      missing.slice(0, occasion.limit).map(({ type, id, pointer }) => {
        return problem('RELATED_RESOURCE_NOT_FOUND', { type, id }, { source: { pointer } })
      }),
    )
  }
  return memberOf
}

type NewMembers = Pick<LinkageChange, 'relation' | 'added'>

/** One read for each related type of a relation; who is not found is not there for this caller. */
export async function findMembers(
  changes: readonly NewMembers[],
  occasion: Pick<Occasion, 'context' | 'open'>,
): Promise<MemberOf> {
  const reads = changes.flatMap(({ relation, added }) =>
    [...relation.related.values()].map(async (served) => {
      const wanted = added.filter(({ type }) => type === served.type.type)
      if (wanted.length === 0) return []
      const members = await membersNamed(relation, served, wanted, occasion)
      return wanted.map((identifier) => [identifier, members.get(identityOf(identifier))] as const)
    }),
  )
  const found = new Map((await Promise.all(reads)).flat())
  return (identifier) => found.get(identifier)
}

async function membersNamed(
  relation: ServedRelation,
  served: ServedType,
  wanted: readonly SentIdentifier[],
  occasion: Pick<Occasion, 'context' | 'open'>,
): Promise<ReadonlyMap<string, Member>> {
  const { type, provider } = served
  if (provider === null) return unreadMembers(served, wanted)
  // Where members are of several types, the column of their keys has no foreign key that would keep them.
  const forReference = relation.spec.targets.length > 1
  const sets = await rowsNamed(served, [...new Set(wanted.map(({ id }) => id))], { ...occasion, forReference })
  const members = sets.flatMap(({ columns, rows }) => {
    const idOf = idReader(served, columns)
    const [keyPosition, idPosition] = [columns.indexOf(referenceColumn(type)), columns.indexOf(type.id.column)]
    return rows
      .filter((row) => isOfType(relation, served, () => rowObject(columns, row)))
      .map((row): Member => {
        const keys = { key: row[keyPosition], idKey: row[idPosition] }
        return { type: type.type, id: idOf(row, occasion.context), ...keys }
      })
  })
  return new Map(members.map((member) => [identityOf(member), member]))
}

/** Nobody reads the type, so nobody can say whether its resources exist: the reference is taken as it is. */
function unreadMembers({ type }: ServedType, wanted: readonly SentIdentifier[]): ReadonlyMap<string, Member> {
  return new Map(
    wanted.flatMap((identifier) => {
      const key = type.id.decode(identifier.id)
      return key === null ? [] : [[identityOf(identifier), { ...identifier, key, idKey: key }]]
    }),
  )
}

/** By one read of the collection; a provider that has none, or whose ids only a serializer knows, is asked for each. */
async function rowsNamed(
  served: ServedType,
  ids: readonly string[],
  { context, open, forReference }: Pick<Occasion, 'context' | 'open'> & { readonly forReference: boolean },
): Promise<readonly RowSet[]> {
  const { type, provider, serializer } = served
  const conditions = scopeConditions(served)
  const read = { columns: null, transaction: readTransaction(served, open), context }
  if (provider?.fetchCollection === undefined || serializer !== null) {
    const found = await Promise.all(ids.map((id) => findRow(served, id, { ...read, conditions })))
    return found.flatMap((rows) => rows ?? [])
  }
  const values = ids.map((id) => type.id.decode(id)).filter((key) => key !== null)
  if (values.length === 0) return []
  const column = { of: 'row', name: type.id.column, kind: null, isKey: true } as const
  const { rows } = await readCollection(served, {
    ...read,
    conditions: [{ kind: 'in', column, values, negated: false }, ...conditions],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
    forReference,
  })
  return [rows]
}

/** Types that share a model tell their rows by the object. */
function isOfType(
  { related }: ServedRelation,
  { type }: ServedType,
  object: () => Readonly<Record<string, unknown>>,
): boolean {
  return related.size === 1 || type.objectType === null || type.objectType(object()) === type.type
}

/** The resource that an identifier names; it has been found before. */
export function memberNamed(sent: SentIdentifier, memberOf: MemberOf): Member {
  const member = memberOf(sent)
  invariant(member !== undefined, 'a new member of a relation was not looked for')
  return member
}
