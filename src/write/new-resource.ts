import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { ignoreRejection } from '../errors/ignore-rejection.js'
import type { CompiledType } from '../resource/compiled-type.js'
import { RowCheck } from '../resource/policy/rule-kit.js'
import type { RequestContext } from '../resource/request-context.js'
import { firstVersion } from '../resource/versions/raised-version.js'
import { isPlainObject } from '../util/deep-freeze.js'
import { checkTypes, sentRelationships } from './document/sent-linkage.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import { linkageChange } from './linkage/linkage-change.js'
import { ownerColumns } from './linkage/owner-columns.js'
import { splitSelfLinkage } from './document/self-linkage.js'
import type { SentLinkage } from './document/sent-linkage.js'
import { readTransaction } from '../read/open-transactions.js'
import { deny, permissionIn } from '../read/query/permission.js'
import type { ReadContext } from '../read/read-context.js'
import { nothingStored } from '../validation/validation.js'
import type { Write } from './check-document.js'
import { checkDocument } from './check-document.js'
import { setNewKey } from './columns/fixed-key.js'
import type { Columns } from './columns/hydrate.js'
import { hydrate, setAll } from './columns/hydrate.js'
import { flattenedState } from './flattened/flattened-state.js'
import type { ResourceDocument } from './document/resource-document.js'
import { checkClientId, newKey, readResourceDocument } from './document/resource-document.js'
import type { WritableMembers } from './document/writable-members.js'
import { abilitiesOf } from './persist/check-rules.js'

/** A resource to be created, its document checked for structure. */
export interface NewResource {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  /** The changes of its relations. */
  readonly changes: readonly LinkageChange[]
  /** The linkage in which it names itself by its local id. */
  readonly selfLinkage: readonly SentLinkage[]
}

/** Returns the relations that the document of a new resource sets. */
export function sentRelations({
  changes,
  selfLinkage,
}: Pick<NewResource, 'changes' | 'selfLinkage'>): readonly SentRelation[] {
  return selfLinkage.length === 0 ? changes : [...changes, ...selfLinkage]
}

type SentRelation = Pick<SentLinkage, 'relation'>

/** Reads the document of a new resource, and the linkage in it: 400, 403 and 409 if the structure is wrong. */
export function readNewResource(
  document: unknown,
  { served, writable }: Pick<NewResource, 'served' | 'writable'>,
  { context, services }: Pick<ReadContext, 'context' | 'services'>,
): Pick<NewResource, 'document' | 'changes' | 'selfLinkage'> {
  const read = readResourceDocument(document, served.type, { mode: 'create', maxItems: services.maxItems })
  const { document: sent, selfLinkage } = splitSelfLinkage(
    read,
    served.type.type,
    writable.relations,
    services.maxIdentifiers,
  )
  const linkages = sentRelationships(sent, writable.relations, services)
  checkClientId(served.type.id, sent.id)
  checkTypes(linkages, services.maxErrors)
  return {
    document: sent,
    selfLinkage,
    changes: linkages.map((linkage) => linkageChange(linkage, 'replace', [], context)),
  }
}

/** Fails with 401 or 403 if a function of the policy refuses the resource. A rule about rows is checked when the row is known. */
export async function checkNewResource(resource: NewResource & { readonly request: ReadContext }): Promise<void> {
  const { served, request } = resource
  if (served.type.policy === null) return
  const abilities = ['create', ...abilitiesOf(sentRelations(resource))]
  const checked = abilities.flatMap((ability) => {
    const permission = permissionIn(served, ability, request.context)
    return permission instanceof RowCheck ? [{ ability, permission }] : []
  })
  if (checked.length > 0) await runChecks(checked, resource)
}

async function runChecks(
  checked: readonly { readonly ability: string; readonly permission: RowCheck }[],
  { served, document, request: { context } }: NewResource & { readonly request: ReadContext },
): Promise<void> {
  for (const { ability, permission } of checked) {
    const result: unknown = await permission.check({ row: null, incoming: document }, context)
    if (result !== true) deny(served, ability, context)
  }
}

/**
 * Checks the document of a new resource: 422 with everything that is wrong. Returns the document without attributes that have no
 * effect. Nothing is stored yet, so that this needs no transaction, unless one is open.
 */
export async function validateCreate(resource: NewResource, request: ReadContext): Promise<ResourceDocument> {
  const { served, writable, changes } = resource
  const { attributes } = writable
  const { document } = await flattenedState(
    { served, document: resource.document, writable: attributes, start: null },
    { changes, open: request.open, request },
  )
  await checkNewDocument(document === resource.document ? resource : { ...resource, document }, request)
  return document
}

/** Checks a document without attributes that are stored in related rows. */
export async function checkNewDocument(
  { served, document, writable, changes, selfLinkage }: NewResource,
  { context, services, open }: ReadContext,
): Promise<void> {
  const write: Write = {
    mode: 'create',
    context,
    writable,
    changes,
    selfLinkage,
    row: null,
    stored: nothingStored,
    storesRow: true,
    transaction: readTransaction(served, open),
  }
  await checkDocument(served, document, write, services)
}

/** Returns the columns of the new row: attributes, foreign keys and the key. */
export async function newColumns(
  { served, document, writable, changes }: NewResource,
  memberOf: MemberOf,
  { context, services: { maxErrors: limit } }: Pick<ReadContext, 'context' | 'services'>,
): Promise<ColumnValues> {
  const { type } = served
  const hydration = { context, writable: writable.attributes, row: null, stored: nothingStored, limit }
  const owner = { memberOf, row: null, attributes: document.attributes }
  const key = await newKey(type.id, document.id)
  const hydrated = await hydrate(served, document, hydration)
  const keys = await ownerColumns(changes, owner)
  const preset = presetColumns(served, context)
  const columns = preset === null ? hydrated : setAll(preset, hydrated)
  setAll(columns, keys)
  if (key !== undefined) setNewKey(columns, type, key, keys)
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
