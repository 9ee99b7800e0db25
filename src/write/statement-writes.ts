import { JsonApiError } from '../errors/json-api-error.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { withScopes } from '../read/rows/fill-scopes.js'
import { scopeConditions } from '../read/query/scope-conditions.js'
import type { ReadContext } from '../read/read-context.js'
import type { ColumnValues, RowReference } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { RowCondition } from '../resource/querying/row-condition.js'
import type { RequestContext } from '../resource/request-context.js'
import type { RowSet } from '../rows/row-set.js'
import { catchAwaitable, collectUpTo, mapAwaitable } from '../util/awaitable.js'
import type { Awaitable } from '../util/types.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import { nothingStored } from '../validation/validation.js'
import { hydrate } from './columns/hydrate.js'
import { unknownMemberProblems } from './document/check-members.js'
import type { Member } from './document/member.js'
import { identityOf } from './document/member.js'
import type { ResourceDocument } from './document/resource-document.js'
import type { SentIdentifier, SentLinkage } from './document/sent-linkage.js'
import type { WritableMembers } from './document/writable-members.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { linkageChange } from './linkage/linkage-change.js'
import { linkageProblems } from './linkage/linkage-problems.js'
import { ownerColumns } from './linkage/owner-columns.js'
import type { MemberOf } from './linkage/resolve-members.js'
import type { NewResource } from './new-resource.js'
import { newColumns } from './new-resource.js'
import { softDeletedNow } from './persist/remove-row.js'
import type { WriteStrategies } from './write-strategy.js'
import { writeStrategies } from './write-strategy.js'

/*
 * Writes by one statement. Each returns `null` if the write needs a transaction, if anything is wrong with it, and if the
 * statement did nothing: the same write in a transaction then finds out why, and reports it. Nothing is stored in that case.
 */

/** Creates a resource whose document was checked. Returns the new row. */
export function createByStatement(resource: NewResource, reading: ReadContext): Awaitable<object | null> {
  const { served, changes } = resource
  const { create, references } = writeStrategies(served)
  const autocommit = served.persister?.create.autocommit
  if (create.reason !== null || autocommit === undefined || reading.open !== null) return null
  const referring = referencesIn(changes, references, reading.context)
  if (referring === null) return null
  const { context } = reading
  const columns = withoutClientErrors(() => {
    if (changes.length > 1) checkAgreement(changes, { memberOf: referring.memberOf, row: null })
    return newColumns(resource, referring.memberOf, reading)
  })
  return mapAwaitable(columns, (values) =>
    values === null
      ? null
      : autocommit(served.type, values, {
          context,
          references: referring.references,
          conditions: [],
          clientColumns: [],
        }),
  )
}

/** An update whose document has the right structure. */
export interface SentUpdate {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly linkages: readonly SentLinkage[]
}

/** Updates a resource without reading it before. Returns the row as stored. */
export async function updateByStatement(update: SentUpdate, reading: ReadContext): Promise<RowSet | null> {
  const { served, document, linkages } = update
  const { context, services } = reading
  const strategies = writeStrategies(served)
  const autocommit = served.persister?.update.autocommit
  if (strategies.update.reason !== null || autocommit === undefined) return null
  if (reading.open !== null || services.validateStored) return null
  const attributes = sentAttributes(update, strategies)
  const changes = linkages.map((linkage) => linkageChange(linkage, 'replace', [], context))
  const referring = changes.every(isWritableBlindly) ? referencesIn(changes, strategies.references, context) : null
  const key = served.type.id.decode(document.id ?? '')
  if (attributes === null || referring === null || key === null) return null
  const values = await withoutClientErrors(async () => {
    if (!(await isValidUpdate(update, attributes, changes, reading))) return null
    if (changes.length > 1) checkAgreement(changes, { memberOf: referring.memberOf, row: null })
    return updatedColumns(update, attributes, { changes, memberOf: referring.memberOf }, reading)
  })
  if (values === null || Object.keys(values).length === 0) return null
  const conditions = filled(scopeConditions(served), context)
  const clientColumns = attributes.flatMap(({ column, spec }) => (column === null ? [] : [{ column, kind: spec.kind }]))
  const { references } = referring
  const row = await autocommit(served.type, key, values, { context, references, conditions, clientColumns })
  return row === null ? null : checkedRows(served, row)
}

/** Deletes a resource, softly where its type says so. Returns the row as it was, or as it is marked. */
export async function deleteByStatement(served: ServedType, id: string, reading: ReadContext): Promise<RowSet | null> {
  const { type, persister } = served
  const { context, open } = reading
  const key = type.id.decode(id)
  if (writeStrategies(served).delete.reason !== null || open !== null || key === null) return null
  const conditions = filled(scopeConditions(served), context)
  const write = { context, references: [], conditions, clientColumns: [] }
  const row =
    type.softDeletes === null
      ? await persister?.delete.autocommit?.(type, key, write)
      : await persister?.update.autocommit?.(type, key, softDeletedNow(type.softDeletes), write)
  return row === null || row === undefined ? null : checkedRows(served, row)
}

/** Adds or removes members of a relation that join rows hold. Returns the key of the owner if it was done. */
export async function changeMembersByStatement(
  owner: ServedType,
  { relation, members }: SentLinkage,
  { id, kind }: { readonly id: string; readonly kind: 'add' | 'remove' },
  { context, open }: ReadContext,
): Promise<{ readonly key: unknown } | null> {
  const autocommit = owner.persister?.mutateRelationship?.autocommit
  const [target] = relation.related.values()
  const strategy = writeStrategies(owner).members.get(relation.name)
  if (strategy?.reason !== null || autocommit === undefined || target === undefined || open !== null) return null
  const { type } = target
  const isPlain = members.every((member) => {
    return member.type === type.type && type.id.hasFormat(member.id) && Object.keys(member.pivot).length === 0
  })
  const keys = [...new Map(members.map((member) => [identityOf(member), type.id.decode(member.id)])).values()]
  const key = owner.type.id.decode(id)
  if (!isPlain || keys.length === 0 || key === null || keys.includes(null)) return null
  const isDone = await autocommit(
    relation,
    { kind, owner: key, type, members: keys },
    {
      context,
      ownerConditions: filled(scopeConditions(owner), context),
      memberConditions: filled(scopeConditions(target), context),
    },
  )
  return isDone ? { key } : null
}

/** Persisters get conditions of the request in place of scopes. */
function filled(conditions: readonly RowCondition[], context: RequestContext): readonly RowCondition[] {
  return withScopes({ conditions, context }).conditions
}

interface Referring {
  readonly memberOf: MemberOf
  readonly references: readonly RowReference[]
}

const noReferences: Referring = Object.freeze({ memberOf: () => undefined, references: [] })

/** Returns `null` if a relation is not held by a key that the statement can check. */
function referencesIn(
  changes: readonly LinkageChange[],
  known: WriteStrategies['references'],
  context: RequestContext,
): Referring | null {
  if (changes.length === 0) return noReferences
  // A list and not a map: there are a few at most, one for each foreign key of the row.
  const sent: SentIdentifier[] = []
  const members: Member[] = []
  const references: RowReference[] = []
  for (const { relation, added } of changes) {
    const reference = known.get(relation)
    if (reference === undefined) return null
    for (const identifier of added) {
      const { type, id } = identifier
      const key = reference.type.id.decode(id)
      if (key === null) return null
      sent.push(identifier)
      members.push({ type, id, key, idKey: key })
      references.push({ ...reference, conditions: filled(reference.conditions, context) })
    }
  }
  return { memberOf: (identifier) => members[sent.indexOf(identifier)], references }
}

/** Returns the attributes that were sent, `null` if one of them cannot be set without the stored row. */
function sentAttributes(
  { document, writable }: SentUpdate,
  { updatable }: WriteStrategies,
): readonly CompiledAttribute[] | null {
  const sent = writable.attributes.filter(({ name }) => Object.hasOwn(document.attributes, name))
  return sent.every((attribute) => updatable.has(attribute)) ? sent : null
}

/**
 * Whether neither a gate of the relation nor a rule about its member needs the stored row. A client that sends null may have read
 * null because it cannot see the member: that must not clear the relation.
 */
function isWritableBlindly({ relation: { spec, targets }, added }: LinkageChange): boolean {
  if (spec.cannotReplace !== false || spec.cannotRemove !== false) return false
  const isVisible = targets.every(({ scope, softDeletes }) => scope === null && softDeletes === null)
  return added.length > 0 || (spec.constraints.length === 0 && isVisible)
}

async function isValidUpdate(
  { served, document, writable }: SentUpdate,
  attributes: readonly CompiledAttribute[],
  changes: readonly LinkageChange[],
  { context, services }: ReadContext,
): Promise<boolean> {
  const { schemas, unknownMembers } = services
  const validation = { mode: 'update', context, schemas, limit: 1, unknownMembers, validateStored: false } as const
  if (unknownMembers === 'reject' && unknownMemberProblems(served, document, writable, 1).length > 0) return false
  const judged = { ...validation, writable: attributes, stored: nothingStored, row: null }
  if ((await attributeProblems(document.attributes, judged)).length > 0) return false
  return (await collectUpTo(changes, 1, (change) => linkageProblems(change, validation))).length === 0
}

async function updatedColumns(
  { served, document }: SentUpdate,
  writable: readonly CompiledAttribute[],
  { changes, memberOf }: { readonly changes: readonly LinkageChange[]; readonly memberOf: MemberOf },
  { context, services: { maxErrors: limit } }: ReadContext,
): Promise<ColumnValues> {
  const hydrated = await hydrate(served, document, { context, writable, row: null, stored: nothingStored, limit })
  const keys = await ownerColumns(changes, { memberOf, row: null, attributes: document.attributes })
  return { ...hydrated, ...keys }
}

/** Returns `null` in place of an error that is meant for the client: the transaction reports it. */
function withoutClientErrors<Result>(work: () => Awaitable<Result>): Awaitable<Result | null> {
  return catchAwaitable(work, (thrown) => {
    if (JsonApiError.is(thrown)) return null
    throw thrown
  })
}
