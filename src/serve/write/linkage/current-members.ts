import { fail } from '../../../core/errors/json-api-error.js'
import type { RelatedCriteria, WantedColumns } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { guardsOf } from '../../../declare/resource/fields/field-guard.js'
import type { Identifier } from '../../../declare/resource/parts/identifier.js'
import { keyColumns, keyReader } from '../../../declare/resource/parts/key-columns.js'
import {
  idReader,
  linkageIsInRow,
  linkageNeedsFlag,
  rowLinkage,
} from '../../../declare/resource/reading/row-linkage.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import { readTransaction } from '../../read/read-context.js'
import { scopeConditions } from '../../read/query/scope-conditions.js'
import { softDeleteConditions } from '../../read/query/soft-deleted.js'
import type { ReadContext } from '../../read/read-context.js'
import { holds } from '../../read/graph/fetch-parent.js'
import type { GraphNode } from '../../read/graph/graph-node.js'
import { parentRows } from '../../read/graph/read-relation.js'
import type { RelationRead } from '../../read/plan/relation-read.js'
import { linkageColumns, wholeRelationRead } from '../../read/plan/relation-read.js'
import { loadCandidates } from '../../read/rows/load-related.js'
import { relatedMemberReader } from '../../read/rows/related-rows.js'
import type { CurrentMember, LinkageChange } from './linkage-change.js'
import { identityOf, linkageChange } from './linkage-change.js'
import type { RelationshipMode } from '../../../declare/resource/events/hooks.js'
import type { SentIdentifier, SentLinkage } from '../document/sent-linkage.js'
import { forEachInSlices, pauses } from '../../../core/util/time-slices.js'

/** The relation and the owner whose members are read. */
interface Membership {
  readonly relation: ServedRelation
  readonly parent: GraphNode
  /** The JSON pointer to the linkage in the body. */
  readonly pointer: string
  readonly request: ReadContext
}

/**
 * Returns the members of a relation that are in the client's scope, in their default order. A write neither reports nor
 * removes members outside the scope. For a to-one relation, returns every row that points at the owner.
 */
async function currentMembers(
  membership: Membership,
  { forChange, named, sent }: CurrentMembersRead,
): Promise<readonly CurrentMember[]> {
  const { relation, parent } = membership
  const linkage = linkageInRow(relation, parent)
  if (linkage !== undefined) {
    // The key of the member is not needed: only the owner's row changes.
    return linkage === null ? [] : [{ ...linkage, key: null, idKey: null, join: null }]
  }
  const conditionsOf = named === null ? {} : { conditionsOf: namedConditions(relation, named) }
  if (!forChange || !relation.spec.traits.toMany) return readMembers({ forChange, ...conditionsOf }, membership)
  return readMembers({ forChange, ...conditionsOf, ...replaceableMembers(sent, membership) }, membership)
}

/** Returns the limit of the members that a replacement reads: those that stay, and as many as one write may remove. */
function replaceableMembers({ members }: SentLinkage, { request }: Membership): Pick<RelatedCriteria, 'maxMembers'> {
  return { maxMembers: members.length + request.services.maxIdentifiers }
}

/** Returns linkage that the row of the owner holds; `undefined` if it must be read. A flag may have decided about it. */
function linkageInRow(
  relation: ServedRelation,
  { rows, row, relationships }: GraphNode,
): Identifier | null | undefined {
  if (linkageIsInRow(relation)) return rowLinkage(relation, rows.columns)(row)
  const read = linkageNeedsFlag(relation) ? relationships?.get(relation.name)?.data : undefined
  return Array.isArray(read) ? undefined : (read as Identifier | null | undefined)
}

interface CurrentMembersRead {
  /** Whether to lock the rows, so that members that stay cannot be removed before the commit. */
  readonly forChange: boolean
  /** The only members to read; `null` for all. */
  readonly named: readonly SentIdentifier[] | null
  readonly sent: SentLinkage
}

/** Returns the conditions of visible rows that identifiers name, by type. */
function namedConditions(
  { related }: ServedRelation,
  named: readonly SentIdentifier[],
): RelatedCriteria['conditionsOf'] {
  return new Map(
    Array.from(related, ([name, served]) => {
      const { id } = served.type
      const ids = named.filter((each) => each.type === name)
      const column = { of: 'row', name: id.column, kind: null, isKey: true } as const
      const values = ids.map((each) => id.decode(each.id)).filter((key) => key !== null)
      return [name, [{ kind: 'in', column, values, negated: false }, ...scopeConditions(served)]]
    }),
  )
}

/**
 * Returns the members outside the client's scope, if they are needed: for constraints on the whole set, and for a
 * user-defined `fill` function, which stores the whole set. Soft-deleted rows do not count for constraints, but `fill`
 * gets them, because they may be restored.
 */
async function unseenMembers(
  membership: Membership,
  seen: readonly CurrentMember[],
): Promise<readonly CurrentMember[]> {
  const { relation } = membership
  const { spec } = relation
  const related = [...relation.related.values()]
  const isNeeded = spec.traits.toMany && (spec.constraints.length > 0 || spec.fill !== null)
  const isPartial = related.some(({ type }) => type.scope !== null || type.softDeletes !== null)
  if (!isNeeded || !isPartial) return []
  const conditionsOf = new Map(
    related.map(({ type }) => [type.type, spec.fill === null ? softDeleteConditions(type, 'hidden') : []]),
  )
  const known = new Set(seen.map(identityOf))
  const all = await readMembers({ conditionsOf }, membership)
  return all.filter((member) => !known.has(identityOf(member)))
}

async function readMembers(
  extraCriteria: Partial<Pick<RelatedCriteria, 'conditionsOf' | 'forChange' | 'maxMembers'>>,
  { relation, parent, pointer, request }: Membership,
): Promise<readonly CurrentMember[]> {
  const { criteria } = membersRead(relation, request)
  const allCriteria = {
    ...criteria,
    // The conditions of named members are of this request.
    cacheKey: extraCriteria.conditionsOf === undefined ? criteria.cacheKey : undefined,
    context: request.context,
    transaction: readTransaction(parent.rows.served, request.open),
    ...extraCriteria,
  }
  const related = await loadCandidates(parent.rows.served, relation, parentRows(relation, [parent]), allCriteria)
  if (related.beyondLimit !== undefined) {
    const { maxIdentifiers: limit } = request.services
    fail('LIMIT_EXCEEDED', { limit, subject: 'members that it removes' }, { source: { pointer } })
  }
  const memberOf = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const { type } = served.type
    const idOf = idReader(served, columns)
    const keyOf = keyReader(columns, referenceColumn(served.type))
    const idKeyOf = keyReader(columns, served.type.id.column)
    return (row, { pivot }): CurrentMember => ({
      type,
      id: idOf(row, request.context),
      key: keyOf(row),
      idKey: idKeyOf(row),
      join: pivot,
    })
  })
  const members: CurrentMember[] = []
  await forEachInSlices(related.groups[0]?.members ?? [], (member) => {
    members.push(memberOf(member))
  })
  return members
}

/** Returns the read of all members. It is cached if it is the same for all callers: a default sort may not be. */
function membersRead(relation: ServedRelation, request: ReadContext): RelationRead {
  const known = membersReads.get(relation)
  if (known !== undefined) return known
  const read = wholeRelationRead(relation, (served) => memberColumns(relation, served), request)
  if (!read.query.orders.every(({ kind }) => kind === 'key' || kind === 'type')) return read
  const keyed = { ...read, criteria: { ...read.criteria, cacheKey: {} } }
  membersReads.set(relation, keyed)
  return keyed
}

const membersReads = new WeakMap<ServedRelation, RelationRead>()

function memberColumns(relation: ServedRelation, served: ServedType): WantedColumns {
  const columns = linkageColumns(relation, served)
  return columns === null ? null : [...new Set([...columns, ...keyColumns(referenceColumn(served.type))])]
}

/** Returns the changes of an existing resource by linkage. All of them are compared with the state before the write. */
export function linkageChanges(
  owner: GraphNode,
  linkages: readonly SentLinkage[],
  mode: RelationshipMode,
  request: ReadContext,
): Promise<readonly LinkageChange[]> {
  const pause = pauses()
  return Promise.all(
    linkages.map(async (linkage) => {
      const { relation } = linkage
      const membership = { relation, parent: owner, pointer: linkage.pointer, request }
      // Members that stay are not written again, so their rows are locked against removal by others.
      const named = readsNamedMembers(linkage, mode) ? linkage.members : null
      const current = await currentMembers(membership, { forChange: mode === 'replace', named, sent: linkage })
      const unseen = await unseenMembers(membership, current)
      const isConcealed = !(await isReadable(owner, relation, request))
      await pause()
      return { ...linkageChange(linkage, mode, current, request.context), isConcealed, unseen }
    }),
  )
}

/** Whether the caller may read a relation of a resource. */
async function isReadable(owner: GraphNode, { spec }: ServedRelation, request: ReadContext): Promise<boolean> {
  for (const guard of guardsOf(spec)) if (!(await holds(owner, guard, request))) return false
  return true
}

/**
 * Whether a change needs only those current members that the body names. Constraints and `fillUsing()` need the whole set. An
 * addition to a large relation would read all of its members otherwise.
 */
function readsNamedMembers({ relation, members }: SentLinkage, mode: RelationshipMode): boolean {
  const { spec, related } = relation
  if (mode === 'replace' || spec.constraints.length > 0 || spec.fill !== null) return false
  if ([...related.values()].some(({ serializer }) => serializer !== null)) return false
  // An id that has another form, or that cannot be decoded, may still be that of a stored row.
  return members.every(({ type, id }) => {
    const idOf = related.get(type)?.type.id
    return idOf === undefined || (idOf.hasFormat(id) && idOf.decode(id) !== null)
  })
}
