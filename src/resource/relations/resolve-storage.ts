import type { CompiledRelation, CompiledType } from '../compiled-type.js'
import type { DeclarationFault } from '../declaration-fault.js'
import type { RelationStorage } from './relation-link.js'
import type { RelationKey } from './relation-spec.js'

/** A relation and the types at both of its ends. */
export interface RelationEnds {
  readonly relation: CompiledRelation
  readonly owner: CompiledType
  readonly targets: readonly CompiledType[]
}

export type FoundStorage =
  | { readonly kind: 'found'; readonly storage: RelationStorage }
  | { readonly kind: 'missing'; readonly fault: DeclarationFault }

/**
 * Where a relation is stored: as the author says, else by convention, else as the relation that leads back says. A
 * relation that is `storedAs()` another one of its type is stored like it.
 */
export function resolveStorage(ends: RelationEnds): FoundStorage {
  const { relation, owner } = ends
  const { spec } = relation
  if (spec.extract !== null) return found({ kind: 'function' })
  const twin = spec.storedAs === null ? undefined : owner.relationNamed.get(spec.storedAs)
  if (twin !== undefined && twin.spec.storedAs === null && spec.key === null && spec.join === null) {
    return resolveStorage({ ...ends, relation: twin })
  }
  if (spec.traits.ownerSide) return found({ kind: 'ownKey', key: ownKey(relation) })
  return spec.traits.joined ? joinStorage(ends) : relatedKeyStorage(ends)
}

/** `artist` is kept in `artistId`, and the type of a relation to several in `artistType`. */
function ownKey({ name, spec }: CompiledRelation): RelationKey {
  // What is no name at all is told by the rule for modifiers; the build asks all rules, whatever one of them finds.
  const base = typeof spec.storedAs === 'string' ? spec.storedAs : name
  const type = spec.traits.polymorphic ? `${base}Type` : null
  if (spec.key === null) return { id: `${base}Id`, type }
  return { id: spec.key.id, type: spec.key.type ?? type }
}

function relatedKeyStorage({ relation, owner, targets }: RelationEnds): FoundStorage {
  const { key } = relation.spec
  const inverses = targets.flatMap((target) => backTo(owner, target).map(ownKey))
  const named = key === null ? distinct(inverses) : inverses.filter(({ id }) => id === key.id)
  const [first, ...others] = named
  if (key !== null) return found({ kind: 'relatedKey', key: { id: key.id, type: key.type ?? first?.type ?? null } })
  if (first !== undefined && others.length === 0) return found({ kind: 'relatedKey', key: first })
  const target = targets.map(({ type }) => `'${type}'`).join(', ')
  return missing(
    first === undefined
      ? `finds no column of ${target} that leads back: no relation there belongs to '${owner.type}'`
      : `finds several columns of ${target} that lead back: ${named.map(({ id }) => `'${id}'`).join(', ')}`,
    `name the column: ${relation.spec.kind}(${target}).via('…')`,
  )
}

/** What the author left out of the join rows, the relation that leads back over the same rows says. */
function joinStorage({ relation, owner, targets }: RelationEnds): FoundStorage {
  const { join, kind, traits } = relation.spec
  const inverses = targets.flatMap((target) => joinsBackTo(owner, target))
  const inverse = inverses.find(({ model }) => join === null || model === join.model)
  if (join === null && distinctModels(inverses) > 1) {
    return missing('finds several sets of join rows that lead back', `name one: ${kind}(…).through('…')`)
  }
  const model = join?.model ?? inverse?.model
  if (model === undefined) return missing('has no join rows', `name them: ${kind}(…).through('owner_members')`)
  const ownerKey = keyOf(join?.owner) ?? inverse?.member ?? null
  const memberKey = join?.member ?? inverse?.owner ?? null
  const typed = !traits.polymorphic || (memberKey !== null && memberKey.type !== null)
  if (ownerKey !== null && memberKey !== null && typed) {
    return found({ kind: 'join', model, owner: ownerKey, member: memberKey })
  }
  const columns = traits.polymorphic
    ? "{ owner: 'ownerId', member: 'memberId', memberType: 'memberType' }"
    : "{ owner: 'ownerId', member: 'memberId' }"
  return missing(
    `does not know which columns of '${model}' point at the two sides`,
    `name them: through('${model}', ${columns})`,
  )
}

/** The relations of a type whose key leads to another type. */
function backTo(owner: CompiledType, from: CompiledType): readonly CompiledRelation[] {
  return from.relations.filter(({ spec }) => {
    return spec.traits.ownerSide && spec.extract === null && spec.targets.includes(owner.type)
  })
}

interface Join {
  readonly model: string
  readonly owner: RelationKey | null
  readonly member: RelationKey | null
}

function joinsBackTo(owner: CompiledType, from: CompiledType): readonly Join[] {
  return from.relations
    .filter(({ spec }) => spec.traits.joined && spec.targets.includes(owner.type))
    .flatMap(({ spec: { join } }) => {
      if (join === null) return []
      return [{ model: join.model, owner: keyOf(join.owner), member: join.member }]
    })
}

function keyOf(column: string | null | undefined): RelationKey | null {
  return typeof column === 'string' ? { id: column, type: null } : null
}

function distinct(keys: readonly RelationKey[]): readonly RelationKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

function distinctModels(joins: readonly Join[]): number {
  return new Set(joins.map(({ model }) => model)).size
}

function found(storage: RelationStorage): FoundStorage {
  return { kind: 'found', storage: Object.freeze(storage) }
}

function missing(problem: string, remedy: string): FoundStorage {
  return { kind: 'missing', fault: { problem, remedy } }
}
