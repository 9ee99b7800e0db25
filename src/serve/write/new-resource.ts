import type { ColumnValues } from '../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { ignoreRejection } from '../../core/errors/ignore-rejection.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowCheck } from '../../declare/resource/policy/rule-kit.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { firstVersion } from '../../declare/resource/versions/raised-version.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import type { RowCondition } from '../../declare/resource/querying/row-condition.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { certainlyShowsMembers } from './persist/hidden-members.js'
import { creatableConditions } from './persist/permitted-writes.js'
import { writeStrategies } from './write-strategy.js'
import { abilitiesOf, checkTypes, sentRelationships } from './document/sent-linkage.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import { linkageChange } from './linkage/linkage-change.js'
import { splitSelfLinkage } from './document/self-linkage.js'
import type { SentLinkage } from './document/sent-linkage.js'
import { readTransaction } from '../read/read-context.js'
import { deny } from '../read/query/permission.js'
import type { ReadContext } from '../read/read-context.js'
import { nothingStored } from '../validation/validation.js'
import type { Write } from './check-document.js'
import { checkDocument } from './check-document.js'
import { setNewKey } from './columns/fixed-key.js'
import type { Columns } from './columns/hydrate.js'
import { setAll } from './columns/hydrate.js'
import type { SentColumns } from './linkage/owner-columns.js'
import { plainSentColumns, sentColumns } from './linkage/owner-columns.js'
import { flattenedState, hasFlattened } from './flattened/flattened-state.js'
import type { ResourceDocument } from './document/resource-document.js'
import { checkClientId, newKey, readResourceDocument } from './document/resource-document.js'
import type { WritableMembers } from './document/writable-members.js'

/** A resource to be created, its document checked for structure. */
export interface NewResource {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  /** The changes of its relations. */
  readonly changes: readonly LinkageChange[]
  /** The linkage in which it names itself by its local id. */
  readonly selfLinkage: readonly SentLinkage[]
  /** The abilities of `security({ mutate })` of the relations that its document sets. */
  readonly relationAbilities: readonly string[]
}

interface RequestOf {
  readonly request: ReadContext
}

/** Reads the document of a new resource, and the linkage in it: 400, 403 and 409 if the structure is wrong. */
export function newResource(
  sent: unknown,
  { served, writable }: Pick<NewResource, 'served' | 'writable'>,
  { context, services }: Pick<ReadContext, 'context' | 'services'>,
): NewResource {
  const { type } = served
  const { maxItems, maxIdentifiers, maxErrors } = services
  const read = readResourceDocument(sent, type, { mode: 'create', maxItems })
  const { document, selfLinkage } =
    read.lid === null
      ? { document: read, selfLinkage: none }
      : splitSelfLinkage(read, type.type, writable.relations, maxIdentifiers)
  const linkages = sentRelationships(document, writable.relations, services)
  checkClientId(type.id, document.id)
  checkTypes(linkages, maxErrors)
  return {
    served,
    document,
    writable,
    changes: linkages.map((linkage) => linkageChange(linkage, 'replace', [], context)),
    selfLinkage,
    relationAbilities: abilitiesOf(selfLinkage.length === 0 ? linkages : [...linkages, ...selfLinkage]),
  }
}

const none: readonly SentLinkage[] = Object.freeze([])

/** A function of a policy that decides about an ability. */
export interface PolicyCheck {
  readonly ability: string
  readonly permission: RowCheck
}

/** Fails with 401 or 403 if a function of the policy refuses a new resource. A rule about rows is checked when the row is known. */
export async function runChecks(
  checks: readonly PolicyCheck[],
  { served, document }: Pick<NewResource, 'served' | 'document'>,
  context: RequestContext,
): Promise<void> {
  for (const { ability, permission } of checks) {
    const result: unknown = await permission.check({ row: null, incoming: document }, context)
    if (result !== true) deny(served, ability, context)
  }
}

/**
 * Checks the document of a new resource: 422 with everything that is wrong. Returns the resource, its document without attributes that
 * have no effect. Nothing is stored yet, so that this needs no transaction, unless one is open.
 */
export function validateCreate<Of extends NewResource & RequestOf>(resource: Of): Awaitable<Of> {
  return hasFlattened(resource.served.type.attributes)
    ? validateFlattened(resource)
    : checkNewResource(resource, resource.request)
}

async function validateFlattened<Of extends NewResource & RequestOf>(resource: Of): Promise<Of> {
  const { served, document, writable, changes, request } = resource
  const state = await flattenedState(
    { served, document, writable: writable.attributes, start: null },
    { changes, open: request.open, request },
  )
  return checkNewResource({ ...resource, document: state.document }, request)
}

/** Checks a document without attributes that are stored in related rows. */
export function checkNewResource<Of extends NewResource>(
  resource: Of,
  { context, services, open }: ReadContext,
): Awaitable<Of> {
  const { served, document, writable, changes, selfLinkage } = resource
  const write: Write = {
    mode: 'create',
    context,
    writable,
    changes,
    selfLinkage,
    row: null,
    stored: nothingStored,
    storesRow: true,
    transaction: open === null ? null : readTransaction(served, open),
  }
  return checkDocument(served, document, write, services, resource)
}

/** Returns the columns of the new row: attributes, foreign keys and the key. */
export function newColumns(
  resource: NewResource,
  memberOf: MemberOf,
  request: Pick<ReadContext, 'context' | 'services'>,
): Awaitable<ColumnValues> {
  const { served, document, writable, changes } = resource
  const { context, services } = request
  const { id } = served.type
  const limit = services.maxErrors
  const hydration = { context, writable: writable.attributes, row: null, stored: nothingStored, limit }
  const isMade = document.id === null && id.spec.fallback.kind === 'function'
  const plain = isMade ? null : plainSentColumns(served, document, hydration, { changes, memberOf })
  if (plain !== null) return newRow(served, { key: newKey(id, document.id), sent: plain }, context)
  return convertedRow()

  async function convertedRow(): Promise<ColumnValues> {
    const key = await newKey(id, document.id)
    return newRow(served, { key, sent: await sentColumns(served, document, hydration, { changes, memberOf }) }, context)
  }
}

function newRow(
  served: ServedType,
  { key, sent: { own, linked } }: { readonly key: unknown; readonly sent: SentColumns },
  context: RequestContext,
): ColumnValues {
  const preset = presetColumns(served, context)
  const columns = preset === null ? own : setAll(preset, own)
  setAll(columns, linked)
  if (key !== undefined) setNewKey(columns, served.type, key, linked)
  return columns
}

/** Returns the columns of a new row that do not depend on its document; `null` if there are none. */
function presetColumns({ type, persister }: ServedType, context: RequestContext): Columns | null {
  if (type.version === null && type.defaults === null && persister?.instantiate === undefined) return null
  const columns: Columns = {}
  if (type.version !== null) setAll(columns, firstVersion(type))
  setAll(columns, persister?.instantiate?.(type))
  if (type.defaults !== null) setAll(columns, defaultColumns(type, type.defaults(context)))
  return columns
}

function defaultColumns({ type }: CompiledType, defaults: unknown): ColumnValues {
  if (isPlainObject(defaults)) return defaults
  ignoreRejection(defaults)
  throw new TypeError(`'defaults' of '${type}' did not return an object of columns.`)
}

/** A row that a statement inserts, if the row as it is stored meets the conditions. */
export interface StatementRow {
  readonly values: ColumnValues
  readonly conditions: readonly RowCondition[]
}

/** Returns the row of a new resource; `null` if more than the stored row decides whether the caller may create it. */
export function statementRow(
  resource: NewResource,
  memberOf: MemberOf,
  { context, services }: ReadContext,
): Awaitable<StatementRow | null> {
  const { served, changes } = resource
  if (changes.length > 1) checkAgreement(changes, { memberOf, row: null })
  const columns = newColumns(resource, memberOf, { context, services })
  return isPromise(columns) ? columns.then(row) : row(columns)

  function row(values: ColumnValues): StatementRow | null {
    const conditions = creatableConditions(served, values, context)
    if (conditions === null || (conditions.length > 0 && served.shortcuts.create?.checksRows !== true)) return null
    const showsAll = !writeStrategies(served).mayHideMembers || certainlyShowsMembers(resource, values, context)
    return showsAll ? { values, conditions } : null
  }
}
