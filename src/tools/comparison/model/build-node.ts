import type { ContractDocument } from './contract-document.js'
import { deprecationOf } from './deprecation-of.js'
import { objectIn } from './json.js'
import type { NodeKind, SchemaNode } from './schema-node.js'
import type { SchemaParts } from './schema-parts.js'
import { allowsNull, constantsOf, schemaParts } from './schema-parts.js'

interface NodeOptions {
  readonly kind: NodeKind
  readonly isRequired: boolean
  /** The references above this schema, which detect recursive schemas. */
  readonly above?: ReadonlySet<string>
  /** Members of the schema itself that are left out. */
  readonly without?: readonly string[]
}

/**
 * Builds the node of schemas that all apply. A recursive schema ends where it repeats. The nodes of components are cached: the
 * links of all documents are the same.
 */
export function buildNode(schemas: readonly unknown[], document: ContractDocument, options: NodeOptions): SchemaNode {
  const { kind, isRequired, above, without = [] } = options
  const [reference] = schemas.length === 1 ? Object.entries(objectIn(schemas[0])) : []
  const isComponent = reference?.[0] === '$ref' && Object.keys(objectIn(schemas[0])).length === 1
  if (!isComponent || above?.has(String(reference[1])) === true) return newNode(schemas, document, options)
  const key = ['node', reference[1], kind, isRequired, ...without].join(' ')
  return document.once(key, () => newNode(schemas, document, options))
}

function newNode(
  schemas: readonly unknown[],
  document: ContractDocument,
  { kind, isRequired, above = new Set(), without = [] }: NodeOptions,
): SchemaNode {
  const parts = schemaParts(schemas, document)
  const isRepeated = [...parts.references].some((reference) => above.has(reference))
  const below = { document, above: new Set([...above, ...parts.references]) }
  const children = isRepeated ? new Map<string, SchemaNode>() : childrenOf(parts, below, kind, without)
  return {
    kind,
    component: componentOf(schemas, document),
    isRequired,
    isNullable: schemas.every((schema) => allowsNull(schema, document)),
    types: typesOf(parts, children),
    values: parts.values,
    rules: parts.rules,
    children,
    linkage: null,
    deprecation: deprecationOf(parts.annotations),
    text: JSON.stringify(parts.texts),
  }
}

function componentOf([first, ...others]: readonly unknown[], document: ContractDocument): string | null {
  return others.length > 0 ? null : document.resolve(first).component
}

interface Below {
  readonly document: ContractDocument
  readonly above: ReadonlySet<string>
}

function childrenOf(
  parts: SchemaParts,
  below: Below,
  kind: NodeKind,
  without: readonly string[],
): ReadonlyMap<string, SchemaNode> {
  const { document, above } = below
  const children = new Map<string, SchemaNode>()
  for (const [name, schemas] of parts.members) {
    if (without.includes(name)) continue
    const memberKind = kind === 'joinField' ? 'joinField' : 'member'
    const isRequired = parts.required.has(name)
    children.set(`.${name}`, buildNode(schemas, document, { kind: memberKind, isRequired, above }))
  }
  if (parts.types?.has('array') === true) {
    children.set('[]', buildNode(parts.items, document, { kind: 'item', isRequired: true, above }))
  }
  for (const schema of parts.variants) {
    if (isResource(schema, document)) continue
    const child = isOpenVariant(schema, document) ? true : schema
    const node = buildNode([child], document, { kind: 'variant', isRequired: false, above })
    children.set(freeLabel(variantLabel(schema, node, document), children), node)
  }
  return children
}

/** Returns whether a schema describes a resource object or an identifier. These are compared with their types. */
function isResource(schema: unknown, document: ContractDocument): boolean {
  const { members } = schemaParts([schema], document)
  return members.has('type') && (members.has('id') || members.has('lid'))
}

/** Returns whether a schema describes stored values of a variant that is no longer declared. */
function isOpenVariant(schema: unknown, document: ContractDocument): boolean {
  const { members } = schemaParts([schema], document)
  return [...members.values()].flat().some((member) => objectIn(member)['not'] !== undefined)
}

/** Returns the label of a variant: the constant that identifies it, its title, or its types. */
function variantLabel(schema: unknown, node: SchemaNode, document: ContractDocument): string {
  if (isOpenVariant(schema, document)) return 'any other'
  const [constant] = Object.values(constantsOf(schema, document))
  const { title } = document.resolve(schema).value
  if (constant !== undefined) return typeof constant === 'string' ? constant : JSON.stringify(constant)
  if (typeof title === 'string') return title
  return [...(node.types ?? ['any']), ...[node.rules.get('format') ?? []].flat().map(String)].join(' ')
}

function freeLabel(label: string, children: ReadonlyMap<string, SchemaNode>): string {
  let free = `<${label}>`
  for (let count = 2; children.has(free); count += 1) free = `<${label} ${count}>`
  return free
}

/** Returns the types of a schema, or those of its variants if it has none. */
function typesOf(
  { types, variants }: SchemaParts,
  children: ReadonlyMap<string, SchemaNode>,
): readonly string[] | null {
  if (types !== null) return [...types].toSorted()
  if (variants.length === 0 || children.size === 0) return null
  const all = [...children].filter(([label]) => label.startsWith('<')).map(([, node]) => node.types)
  return all.some((each) => each === null) ? null : [...new Set(all.flatMap((each) => each ?? []))].toSorted()
}
