import { buildNode } from './build-node.js'
import type { ContractDocument } from './contract-document.js'
import { deprecationOf } from './deprecation-of.js'
import type { Linkage, SchemaNode } from './schema-node.js'
import { allowsNull, schemaParts } from './schema-parts.js'

interface RelationSchema {
  /** The relationship object; for a relationship endpoint, its document. */
  readonly relationship: unknown
  readonly isRequired: boolean
}

/** Reads the linkage of a relation. Its children are the fields of join rows, and further members of the relationship object. */
export function readLinkage({ relationship, isRequired }: RelationSchema, document: ContractDocument): SchemaNode {
  const object = schemaParts([relationship], document)
  const data = object.members.get('data') ?? []
  const linkage = schemaParts(data, document)
  const isMany = linkage.types?.has('array') === true
  const members = isMany ? linkage.items : data
  const joinFields = pivotOf(members, document)
  const others = buildNode([relationship], document, {
    kind: 'relation',
    isRequired,
    without: ['data', 'meta', 'jsonapi'],
  })
  return {
    ...others,
    types: null,
    values: null,
    isNullable: !isMany && data.every((schema) => allowsNull(schema, document)),
    rules: isMany ? linkage.rules : new Map(),
    children: new Map([...others.children, ...joinFields]),
    linkage: { isMany, targets: targetsOf(members, document) },
    deprecation: deprecationOf(object.annotations),
  }
}

/** Returns the types of resource identifiers. */
function targetsOf(schemas: readonly unknown[], document: ContractDocument): Linkage['targets'] {
  const { members, variants } = schemaParts(schemas, document)
  const own = (members.get('type') ?? []).flatMap((type) => schemaParts([type], document).values ?? [])
  const others = variants.flatMap((variant) => targetsOf([variant], document))
  return [...new Set([...own.filter((type) => typeof type === 'string'), ...others])].toSorted()
}

/** Returns the fields of join rows, which are in the meta of identifiers. */
function pivotOf(identifier: readonly unknown[], document: ContractDocument): ReadonlyMap<string, SchemaNode> {
  const meta = schemaParts(identifier, document).members.get('meta') ?? []
  const pivot = schemaParts(meta, document).members.get('pivot') ?? []
  return buildNode(pivot, document, { kind: 'joinField', isRequired: false }).children
}
