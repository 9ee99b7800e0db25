import type { OpenTransactions } from '../../read/read-context.js'
import { permissionIn } from '../../read/query/permission.js'
import { ruleCondition } from '../../read/query/scope-conditions.js'
import { withGuardFlags } from '../../read/rows/held-abilities.js'
import { meetsConditions } from '../../read/rows/rows-meeting.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { hiddenness } from '../../../declare/resource/fields/visible-field.js'
import { RowCheck, RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { certainlyMeets, scopeColumns } from '../../../stores/row-query/condition-analysis.js'
import type { ResourceDocument } from '../document/resource-document.js'
import type { WritableMembers } from '../document/writable-members.js'
import { guardsOfMembers, mayBeHidden, mayHideMembers, writableInRow } from '../document/writable-members.js'

/*
 * What a caller cannot see, it cannot set: members that `hidden(predicate)` or `visibleIf()` hides in the row that a write
 * leaves behind are unknown members. A row without them may hide further ones, so the write is repeated until all members
 * that it sets are visible.
 */

/** A write of a document. */
export interface DocumentWrite {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  /** The linkage in which a new resource names itself. */
  readonly selfLinkage?: readonly { readonly relation: ServedRelation }[]
}

/** The result of a write that was rolled back, because the row would hide members from the caller that it sets. */
export interface HiddenMembers {
  readonly kind: 'hidden'
  /** The members that the caller may write. */
  readonly writable: WritableMembers
  /** Whether an upsert would have created the resource. */
  readonly isNew?: boolean
}

/**
 * Returns the writable members without those of the document that the row hides from the caller; `null` if it hides none.
 *
 * @param row the row as the write has stored it
 */
export async function hiddenByRow(
  write: DocumentWrite,
  row: RowObject,
  { context, open }: { readonly context: RequestContext; readonly open: OpenTransactions },
): Promise<HiddenMembers | null> {
  const sent = membersToJudge(write, context)
  if (sent === null) return null
  const flagged = await withGuardFlags(write.served, row, guardsOfMembers(sent), { context, open, flags: new Map() })
  return withoutHidden(write, sent, writableInRow(sent, flagged, context))
}

/**
 * Like `hiddenByRow()`, before the row is written: for a write that could not be undone, because its store has no
 * transactions, or because the work may be deferred. A member is hidden if the values do not decide.
 */
export async function hiddenByDraft(
  write: DocumentWrite,
  draft: RowObject,
  context: RequestContext,
): Promise<HiddenMembers | null> {
  const { served } = write
  const sent = canBeUndone(served) ? null : membersToJudge(write, context)
  if (sent === null) return null
  const flags = await Promise.all(
    guardsOfMembers(sent).map(async ({ flag, ability }) => [flag, await holdsInDraft(served, ability, draft, context)]),
  )
  const flagged = { ...draft, ...Object.fromEntries(flags) }
  return withoutHidden(write, sent, writableInRow(sent, flagged, context))
}

function canBeUndone({ transactions, type: { responses } }: ServedType): boolean {
  const mayBeDeferred = [...responses.create, ...responses.update].some(({ kind }) => kind === 'accepted')
  return transactions !== null && !mayBeDeferred
}

async function holdsInDraft(
  served: ServedType,
  ability: string,
  draft: RowObject,
  context: RequestContext,
): Promise<boolean> {
  const permission = permissionIn(served, ability, context)
  if (typeof permission === 'boolean') return permission
  if (permission instanceof RowCheck) {
    const result: unknown = await permission.check({ row: draft as never, incoming: null }, context)
    return result === true
  }
  const condition = ruleCondition(served, permission, context)
  const columns = scopeColumns(condition)
  if (columns === null || ![...columns].every((column) => Object.hasOwn(draft, column))) return false
  return meetsConditions(served, draft, [condition], context)
}

function withoutHidden(write: DocumentWrite, sent: WritableMembers, shown: WritableMembers): HiddenMembers | null {
  const { attributes, relations } = write.writable
  const writable: WritableMembers = {
    attributes: withoutMissing(attributes, sent.attributes, shown.attributes),
    relations: withoutMissing(relations, sent.relations, shown.relations),
  }
  const isSame = writable.attributes.length === attributes.length && writable.relations.length === relations.length
  return isSame ? null : { kind: 'hidden', writable }
}

/** Returns the members without those that were sent and are not shown. */
function withoutMissing<Member>(
  members: readonly Member[],
  sent: readonly Member[],
  shown: readonly Member[],
): readonly Member[] {
  return members.filter((member) => !sent.includes(member) || shown.includes(member))
}

/** Returns whether the caller certainly sees all members of the document in a row with these values. */
export function certainlyShowsMembers(write: DocumentWrite, values: ColumnValues, context: RequestContext): boolean {
  const sent = membersToJudge(write, context)
  if (sent === null) return true
  if ([...sent.attributes, ...sent.relations].some(({ spec }) => typeof spec.hidden === 'function')) return false
  return guardsOfMembers(sent).every(({ ability }) => {
    const permission = permissionIn(write.served, ability, context)
    return permission instanceof RowRule && certainlyMeets(ruleCondition(write.served, permission, context), values)
  })
}

/** Returns the members of the document that some rows hide from the caller; `null` if there are none. */
function membersToJudge(write: DocumentWrite, context: RequestContext): WritableMembers | null {
  const { served, document, writable, selfLinkage = [] } = write
  if (!mayHideMembers(served)) return null
  const isSent = (relation: ServedRelation): boolean =>
    Object.hasOwn(document.relationships, relation.name) || selfLinkage.some((self) => self.relation === relation)
  const attributes = writable.attributes.filter((attribute) => {
    return mayBeHidden(attribute) && Object.hasOwn(document.attributes, attribute.name) && isByRow(attribute, context)
  })
  const relations = writable.relations.filter((relation) => {
    return mayBeHidden(relation) && isSent(relation) && isByRow(relation, context)
  })
  return attributes.length + relations.length === 0 ? null : { attributes, relations }
}

function isByRow({ spec }: { readonly spec: Parameters<typeof hiddenness>[0] }, context: RequestContext): boolean {
  return hiddenness(spec, context) === 'byRow'
}
