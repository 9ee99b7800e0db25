import { JsonApiError } from '../errors/json-api-error.js'
import { hasListenersAfter } from '../hooks/fire-events.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { primaryNode } from '../read/graph/graph-node.js'
import { permissionIn } from '../read/query/permission.js'
import { scopeConditions, scopeIn } from '../read/query/scope-conditions.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { criteriaFor, withScopes } from '../read/rows/fill-scopes.js'
import type { AutocommitWrite, ColumnValues } from '../resource/capabilities/persister.js'
import type { RowFlag } from '../resource/capabilities/provider.js'
import type { CompiledAttribute, CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RowCondition } from '../resource/querying/row-condition.js'
import { linkageIsInRow } from '../resource/reading/row-linkage.js'
import type { RequestContext } from '../resource/request-context.js'
import { rowObject } from '../rows/row-set.js'
import { collectUpTo } from '../util/awaitable.js'
import { isPlainObject } from '../util/deep-freeze.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import { nothingStored } from '../validation/validation.js'
import { setsKeyColumn } from './columns/fixed-key.js'
import { hydrate, setAll } from './columns/hydrate.js'
import { unknownMemberProblems } from './document/check-members.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import { linkageChange } from './linkage/linkage-change.js'
import { readLinkage } from './document/sent-linkage.js'
import { isWritable } from './document/writable-members.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { linkageProblems } from './linkage/linkage-problems.js'
import { ownerColumns } from './linkage/owner-columns.js'
import { changesForeignRows, foreignAbilities } from './linkage/foreign-rows.js'
import { isDecidedByColumns, looksAtModel } from './persist/check-scope.js'
import { permittedConditions, staysPermitted } from './persist/permitted-writes.js'
import { softDeletedNow } from './persist/delete-row.js'
import { mayChangeUpdated, mayChangeVisibility } from './persist/written-members.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { writeOutcome } from './persist/write-outcome.js'
import type { CreateWrite, DeleteWrite, RelationshipWrite, UpdateWrite } from './prepare-write.js'
import { raisedColumn, versionConditions } from './version-conditions.js'
import { areMembersFound, newRow, statementReferences } from './statement-references.js'
import type { WriteStrategies } from './write-strategy.js'
import { writeStrategies } from './write-strategy.js'

/*
 * Writes by one statement: fast paths of the writes in `create-in-transaction.ts`, `update-in-transaction.ts`,
 * `delete-in-transaction.ts` and `mutate-in-transaction.ts`. A create in a transaction takes 2.4 times the CPU time (W5 on
 * SQLite). Each returns `null` if the write needs a transaction, if anything is wrong with it, and if the
 * statement did nothing: the same write in a transaction then finds out why, and reports it. Nothing is stored in that case.
 */

const noShortcuts: { readonly acceptsScopes?: boolean; readonly autocommit?: undefined } = Object.freeze({})

/** Creates a resource whose document was checked. */
export async function createByStatement(write: CreateWrite): Promise<WriteOutcome | null> {
  const { served, changes, selfLinkage, request } = write
  const { context, services } = request
  const { acceptsScopes = false, autocommit } = served.shortcuts.create ?? noShortcuts
  if (writeStrategies(served).create.reason !== null || autocommit === undefined) return null
  if (request.open !== null || selfLinkage.length > 0) return null
  const found = statementReferences(served, changes, { acceptsScopes, context })
  if (found === null) return null
  const { memberOf, references } = found
  const row = await withoutClientErrors(() => newRow(write, memberOf, request))
  if (row === null) return null
  const { values, conditions } = row
  const stored = await autocommit(served.type, values, { context, references, conditions, clientColumns: [] })
  const { create: responses } = served.type.responses
  return stored === null ? null : writeOutcome(served, stored, { responses, services, context })
}

/** Updates a resource without reading it before. */
export async function updateByStatement(update: UpdateWrite): Promise<WriteOutcome | null> {
  const { served, document, linkages, request } = update
  const { context, services, open } = request
  const strategies = writeStrategies(served)
  const { acceptsScopes = false, autocommit } = served.shortcuts.update ?? noShortcuts
  const versions = versionConditions(served, update.ifMatch)
  if (strategies.update.reason !== null || autocommit === undefined || versions === null) return null
  if (open !== null || services.validateStored) return null
  const attributes = sentAttributes(update, strategies)
  const changes = linkages.map((linkage) => linkageChange(linkage, 'replace', [], context))
  const found = changes.every(isWritableWithoutRow)
    ? statementReferences(served, changes, { acceptsScopes, context })
    : null
  const key = served.type.id.decode(document.id ?? '')
  if (attributes === null || found === null || key === null) return null
  const { memberOf, references } = found
  if (!areMembersFound(changes, memberOf)) return null
  const values = await withoutClientErrors(async () => {
    if (!(await isValidUpdate(update, attributes, changes))) return null
    if (changes.length > 1) checkAgreement(changes, { memberOf, row: null })
    return updatedColumns(update, attributes, { changes, memberOf })
  })
  if (values === null || Object.keys(values).length === 0 || setsKeyColumn(served.type, values)) return null
  const permitted = permittedConditions(served, 'update', context)
  if (permitted === null || !staysPermitted(served, values, context)) return null
  const conditions = [...conditionsFor(acceptsScopes, scopeConditions(served), context), ...permitted, ...versions]
  const clientColumns: AutocommitWrite['clientColumns'][number][] = []
  for (const { column, spec } of attributes) if (column !== null) clientColumns.push({ column, kind: spec.kind })
  const flags = returnableFlags(update, acceptsScopes)
  const raises = raisedColumn(served)
  const write = { context, references, conditions, clientColumns, flags, raises }
  const row = await autocommit(served.type, key, values, write)
  return row === null ? null : { kind: 'row', rows: checkedRows(served, row) }
}

/**
 * Returns the flags that the statement can return. PostgreSQL evaluates their conditions before the update, so they must not
 * depend on rows of the same model.
 */
function returnableFlags(
  { served, plan, request: { context } }: UpdateWrite,
  acceptsScopes: boolean,
): readonly RowFlag[] {
  // User-defined functions get the row with its columns, and no flags.
  const flags = hasListenersAfter(served, 'update') ? [] : plan.flags(served)
  const returnable = flags.filter(({ condition }) => !looksAtModel(condition, served, context))
  return acceptsScopes ? returnable : withScopes({ conditions: [], flags: returnable, context }).flags
}

/** Deletes a resource, softly if its type has soft deletes. Returns its row. */
export async function deleteByStatement({ served, id, ifMatch, request }: DeleteWrite): Promise<RowObject | null> {
  const { type, shortcuts } = served
  const { context, open } = request
  const key = type.id.decode(id)
  const permitted = permittedConditions(served, 'delete', context)
  const versions = versionConditions(served, ifMatch)
  if (writeStrategies(served).delete.reason !== null || open !== null) return null
  if (key === null || permitted === null || versions === null) return null
  const { acceptsScopes = false } = (type.softDeletes === null ? shortcuts.delete : shortcuts.update) ?? noShortcuts
  const conditions = [...conditionsFor(acceptsScopes, scopeConditions(served), context), ...permitted, ...versions]
  const write = { context, references: [], conditions, clientColumns: [], flags: [], raises: raisedColumn(served) }
  const stored =
    type.softDeletes === null
      ? await shortcuts.delete?.autocommit?.(type, key, write)
      : await shortcuts.update?.autocommit?.(type, key, softDeletedNow(type.softDeletes), write)
  if (stored === null || stored === undefined) return null
  const { columns, rows } = checkedRows(served, stored)
  return rowObject(columns, rows[0] ?? [])
}

/** Adds or removes members of a relation that join rows hold. Returns the owner. */
export async function changeMembersByStatement(write: RelationshipWrite): Promise<GraphNode | null> {
  const { owner, relation, mode, id, ifMatch, request } = write
  const { context, open } = request
  const { acceptsScopes = false, autocommit } = owner.shortcuts.mutateRelationship ?? noShortcuts
  const [target] = relation.related.values()
  const strategy = writeStrategies(owner).members.get(relation.name)
  if (strategy?.reason !== null || autocommit === undefined || target === undefined) return null
  if (mode === 'replace' || open !== null || !isWritable(relation, 'update', context)) return null
  const versions = versionConditions(owner, ifMatch)
  if (versions === null) return null
  const permitted = permittedConditions(owner, 'update', context)
  if (permitted === null || !staysPermitted(owner, {}, context)) return null
  if (![scopeIn(owner, context), ...permitted].every(isDecidedByColumns)) return null
  const foreign = changesForeignRows(relation) ? foreignAbilities(relation, target) : []
  if (foreign.some((ability) => permissionIn(target, ability, context) !== true)) return null
  // Whether the rules permit the members after the change is known only after it is stored.
  if (mayChangeVisibility(relation, target, context) || mayChangeUpdated(relation, target, context)) return null
  const members = memberKeys(write, target.type)
  const key = owner.type.id.decode(id)
  if (members === null || key === null) return null
  const isDone = await autocommit(
    relation,
    { kind: mode, owner: key, type: target.type, members },
    {
      context,
      ownerConditions: [...conditionsFor(acceptsScopes, scopeConditions(owner), context), ...permitted, ...versions],
      memberConditions: conditionsFor(acceptsScopes, scopeConditions(target), context),
    },
  )
  return isDone ? primaryNode({ served: owner, columns: [owner.type.id.column] }, [key]) : null
}

/** Returns the keys of the members that were sent, each once; `null` if the linkage is not valid, or names no member. */
function memberKeys({ relation, document, request }: RelationshipWrite, type: CompiledType): readonly unknown[] | null {
  const data = isPlainObject(document) ? document['data'] : undefined
  const { linkage } = readLinkage(relation, data, '/data', request.services.maxIdentifiers)
  if (linkage === null || linkage.members.length === 0) return null
  const { members } = linkage
  const isPlain = members.every((member) => {
    return member.type === type.type && type.id.hasFormat(member.id) && Object.keys(member.pivot).length === 0
  })
  const keys = [...new Map(members.map((member) => [member.id, type.id.decode(member.id)])).values()]
  return isPlain && !keys.includes(null) ? keys : null
}

/** Returns the conditions for a shortcut of a persister: with conditions of the request instead of scopes, unless it accepts scopes. */
function conditionsFor(
  acceptsScopes: boolean,
  conditions: readonly RowCondition[],
  context: RequestContext,
): readonly RowCondition[] {
  return criteriaFor(acceptsScopes, { conditions, context }).conditions
}

/** Returns the attributes that were sent, `null` if one of them cannot be set without the stored row. */
function sentAttributes(
  { document, writable }: UpdateWrite,
  { updatable }: WriteStrategies,
): readonly CompiledAttribute[] | null {
  const sent = writable.attributes.filter(({ name }) => Object.hasOwn(document.attributes, name))
  return sent.every((attribute) => updatable.has(attribute)) ? sent : null
}

/**
 * Whether neither a gate of the relation nor a rule about its member needs the stored row. Null clears a relation only if
 * clients read the key in the row: a client that reads null because it cannot see the member must not clear the relation.
 */
function isWritableWithoutRow({ relation, added }: LinkageChange): boolean {
  const { spec, readBy } = relation
  if (spec.cannotReplace !== false || spec.cannotRemove !== false || readBy !== 'owner') return false
  if (typeof spec.hidden === 'function') return false
  return added.length > 0 || (spec.constraints.length === 0 && linkageIsInRow(relation))
}

async function isValidUpdate(
  { served, document, writable, request: { context, services } }: UpdateWrite,
  attributes: readonly CompiledAttribute[],
  changes: readonly LinkageChange[],
): Promise<boolean> {
  const { schemas, unknownMembers } = services
  const mode = 'update'
  const [limit, validateStored] = [1, false]
  if (unknownMembers === 'reject' && unknownMemberProblems(served, document, writable, limit).length > 0) return false
  const found = await attributeProblems(document.attributes, {
    mode,
    context,
    schemas,
    limit,
    validateStored,
    writable: attributes,
    stored: nothingStored,
    row: null,
  })
  if (found.length > 0 || changes.length === 0) return found.length === 0
  const validation = { mode, context, schemas, limit, unknownMembers, validateStored } as const
  return (await collectUpTo(changes, limit, (change) => linkageProblems(change, validation))).length === 0
}

async function updatedColumns(
  { served, document, request: { context, services } }: UpdateWrite,
  writable: readonly CompiledAttribute[],
  { changes, memberOf }: { readonly changes: readonly LinkageChange[]; readonly memberOf: MemberOf },
): Promise<ColumnValues> {
  const { maxErrors: limit } = services
  const columns = await hydrate(served, document, { context, writable, row: null, stored: nothingStored, limit })
  return setAll(columns, await ownerColumns(changes, { memberOf, row: null, attributes: document.attributes }))
}

/** Returns `null` instead of an error for the client: the transaction reports it. */
async function withoutClientErrors<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (thrown) {
    if (JsonApiError.is(thrown)) return null
    throw thrown
  }
}
