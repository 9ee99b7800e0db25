import { buildNode } from './build-node.js'
import type { OperationContract, Role, RoleNodes, TypeContract } from './contract.js'
import type { ContractDocument } from './contract-document.js'
import type { StatedDeprecation } from './deprecation-of.js'
import type { JsonObject } from './json.js'
import { objectIn, textIn } from './json.js'
import { readLinkage } from './read-linkage.js'
import type { WrittenOperation } from './read-operations.js'
import { contentOf } from './read-operations.js'
import type { SchemaNode } from './schema-node.js'
import type { SchemaParts } from './schema-parts.js'
import { schemaParts } from './schema-parts.js'

/** The roles of resource objects, in the order of sentences about them. */
const readRoles: readonly Role[] = ['read', 'create', 'update', 'input', 'change']

/** Reads the types of the resources that requests and responses may have. */
export function readTypes(
  document: ContractDocument,
  written: readonly WrittenOperation[],
  operations: readonly OperationContract[],
): ReadonlyMap<string, TypeContract> {
  const found = [
    ...readResources(document),
    ...sentResources(document, written),
    ...changedRelations(document, written),
  ]
  const names = new Set(found.map(({ type }) => type))
  return new Map(
    [...names].map((name) => {
      const own = found.filter(({ type }) => type === name)
      const isCreated = own.some(({ role }) => role === 'create')
      // The documents of actions have the same rules as those that create a resource.
      const roles = readRoles.filter((role) => role !== 'input' || !isCreated)
      const nodes = (part: 'members' | 'id'): RoleNodes => {
        const byRole = roles.flatMap((role) => {
          const node = own.find((resource) => resource.role === role)?.[part] ?? null
          return node === null ? [] : [[role, node]]
        })
        return Object.fromEntries(byRole) as RoleNodes
      }
      return [
        name,
        { name, deprecation: commonDeprecation(name, operations), members: nodes('members'), ids: nodes('id') },
      ]
    }),
  )
}

/** The resource objects of a type in one role. */
interface FoundResource {
  readonly type: string
  readonly role: Role
  readonly members: SchemaNode
  readonly id: SchemaNode | null
}

/** Returns the resources that clients read: the components with a type and attributes. */
function readResources(document: ContractDocument): readonly FoundResource[] {
  const schemas = objectIn(objectIn(document.root['components'])['schemas'])
  return Object.entries(schemas).flatMap(([name, schema]) =>
    name.endsWith('Resource') ? resourceIn({ $ref: `#/components/schemas/${name}` }, schema, 'read', document) : [],
  )
}

/** Returns the resource objects of requests. */
function sentResources(document: ContractDocument, written: readonly WrittenOperation[]): readonly FoundResource[] {
  return written.flatMap(({ key, members, subject }) => {
    // A path without a subject is one that the application has added.
    if (subject['type'] === undefined || subject['relation'] !== undefined) return []
    const role = subject['action'] !== undefined ? 'input' : key.startsWith('POST ') ? 'create' : 'update'
    return bodySchemas(members, document).flatMap((schema) => {
      const [data] = schemaParts([schema], document).members.get('data') ?? []
      return resourceIn(data, data, role, document)
    })
  })
}

function bodySchemas({ requestBody }: JsonObject, document: ContractDocument): readonly unknown[] {
  return contentOf(document.resolve(requestBody).value['content']).schemas
}

function resourceIn(
  reference: unknown,
  schema: unknown,
  role: Role,
  document: ContractDocument,
): readonly FoundResource[] {
  const { members, required } = schemaParts([schema], document)
  const [type] = schemaParts(members.get('type') ?? [], document).values ?? []
  if (typeof type !== 'string' || !members.has('attributes')) return []
  const { component } = document.resolve(reference)
  const ids = members.get('id') ?? [false]
  const id = ids.includes(false) ? null : buildNode(ids, document, { kind: 'member', isRequired: required.has('id') })
  return [{ type, role, id, members: { ...resourceNode({ members, required }, document), component } }]
}

/** Returns the node of a resource object. Its children are attributes and relations, and its further members behind a slash. */
function resourceNode(
  { members, required }: Pick<SchemaParts, 'members' | 'required'>,
  document: ContractDocument,
): SchemaNode {
  const attributes = buildNode(members.get('attributes') ?? [], document, { kind: 'member', isRequired: true })
  const relations = schemaParts(members.get('relationships') ?? [], document)
  const children = new Map<string, SchemaNode>()
  for (const [name, node] of attributes.children) children.set(name, { ...node, kind: 'attribute' })
  for (const [name, [relationship]] of relations.members) {
    children.set(`.${name}`, readLinkage({ relationship, isRequired: relations.required.has(name) }, document))
  }
  for (const name of ['links', 'meta']) {
    const schemas = members.get(name)
    if (schemas === undefined) continue
    children.set(`/${name}`, buildNode(schemas, document, { kind: 'member', isRequired: required.has(name) }))
  }
  return { ...attributes, children, deprecation: null }
}

/** Returns the linkage in requests to relationship endpoints. A removal has no fields of join rows. */
function changedRelations(document: ContractDocument, written: readonly WrittenOperation[]): readonly FoundResource[] {
  const byType = new Map<string, Map<string, SchemaNode>>()
  for (const { key, members, subject } of written) {
    const [type, relation] = [String(subject['type']), textIn(subject['relation'])]
    if (relation === null || key.startsWith('DELETE ')) continue
    const relations = byType.get(type) ?? new Map<string, SchemaNode>()
    for (const relationship of bodySchemas(members, document)) {
      relations.set(`.${relation}`, readLinkage({ relationship, isRequired: true }, document))
      byType.set(type, relations)
    }
  }
  const empty = buildNode([], document, { kind: 'member', isRequired: true })
  return [...byType].map(([type, children]) => ({ type, role: 'change', id: null, members: { ...empty, children } }))
}

/** Returns the deprecation of a type: all its operations are deprecated. The sunset is the latest one. */
function commonDeprecation(name: string, operations: readonly OperationContract[]): StatedDeprecation | null {
  const own = operations.filter(({ owner }) => owner === name)
  const deprecations = own.flatMap(({ deprecation }) => deprecation ?? [])
  if (own.length === 0 || deprecations.length < own.length) return null
  const sunsets = deprecations.flatMap(({ sunset }) => sunset ?? [])
  const last = sunsets.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null
  return { sunset: sunsets.length < own.length ? null : last }
}
