import { anyOf } from '../../describe/contract/merged-schema.js'
import type { Api } from '../../describe/openapi/described-server.js'
import type { RelationshipChange, TypeContract } from '../../describe/contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { batchedTypes, identitySchema, operationWith, refOrHref, targetSchema } from './target-schemas.js'

/** The operations on relationships of one kind. */
interface Kind {
  /** The name of the component, without `Operation`; with `Ref`, the end of the names of the targets. */
  readonly name: string
  readonly code: RelationshipChange
  readonly toMany: boolean
}

const kinds: readonly Kind[] = Object.freeze([
  { name: 'AtomicToOne', code: 'update', toMany: false },
  { name: 'AtomicAddMembers', code: 'add', toMany: true },
  { name: 'AtomicUpdateMembers', code: 'update', toMany: true },
  { name: 'AtomicRemoveMembers', code: 'remove', toMany: true },
])

/** Returns references to the operations that change relationships. */
export function relationshipOperations(api: Api): readonly JsonSchema[] {
  return kinds.flatMap((kind) => {
    const targets = batchedTypes(api, 'Update').flatMap((type) => targetOf(api, type, kind))
    if (targets.length === 0) return []
    const identifier = identitySchema(api)
    const data = kind.toMany ? { type: 'array', items: identifier } : { anyOf: [identifier, { type: 'null' }] }
    return [
      api.components.schema(`${kind.name}Operation`, () => ({
        ...operationWith([kind.code], { ref: anyOf([...new Set(targets)]), data }, ['data']),
        anyOf: refOrHref,
      })),
    ]
  })
}

/** Returns a reference to any relationship. In documents of many types, the relationships of each type would take too much space. */
function anyTarget(api: Api): JsonSchema {
  const text = { type: 'string' }
  return api.components.schema('AtomicRef', () => ({
    ...targetSchema(text, { relationship: text }),
    required: ['type', 'relationship'],
  }))
}

/** Returns a reference to the relationships of a type that operations of one kind may change; none if there are none. */
function targetOf(api: Api, contract: TypeContract, { name, code, toMany }: Kind): readonly JsonSchema[] {
  const relations = contract.relations.filter((each) => each.toMany === toMany && each.changes.includes(code))
  if (relations.length === 0) return []
  const { type } = contract
  if (api.isCompact) return [anyTarget(api)]
  const relationship = { type: 'string', enum: relations.map((relation) => relation.name) }
  return [
    api.components.schema(`${api.names.ofType(type)}${name}Ref`, () => ({
      ...targetSchema({ type: 'string', const: type }, { relationship }),
      required: ['type', 'relationship'],
    })),
  ]
}
