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
export function resolveStorage({ relation: named, owner, targets }: RelationEnds): FoundStorage {
  if (named.spec.extract !== null) return found({ kind: 'function' })
  const relation = stored(named, owner)
  const { traits } = relation.spec
  if (traits.ownerSide) return found({ kind: 'ownKey', key: ownKey(relation) })
  const ends = { relation, owner, targets }
  return traits.joined ? joinStorage(ends) : relatedKeyStorage(ends)
}

/** The relation of its type that one is stored like: the one that it is `storedAs()`, else itself. */
function stored(relation: CompiledRelation, owner: CompiledType): CompiledRelation {
  const { storedAs, key, join } = relation.spec
  if (storedAs === null || key !== null || join !== null) return relation
  const twin = owner.relationNamed.get(storedAs)
  return twin === undefined || twin.spec.storedAs !== null || twin.spec.extract !== null ? relation : twin
}

/** The key that a type's own rows hold of a relation; `null` where they hold none. */
export function heldKey(relation: CompiledRelation, owner: CompiledType): RelationKey | null {
  const held = relation.spec.extract === null ? stored(relation, owner) : null
  return held?.spec.traits.ownerSide === true ? ownKey(held) : null
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
  const inverses = targets.flatMap((target) => backTo(owner, target))
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
  const inverses = targets
    .flatMap((target) => joinsBackTo(owner, target, relation))
    .filter(({ model }) => join === null || model === join.model)
  if (join === null && new Set(inverses.map(({ model }) => model)).size > 1) {
    return missing('finds several sets of join rows that lead back', `name one: ${kind}(…).through('…')`)
  }
  const inverse = inverses.find((each) => each.owner !== null && each.member !== null) ?? inverses[0]
  const model = join?.model ?? inverse?.model
  if (model === undefined) return missing('has no join rows', `name them: ${kind}(…).through('owner_members')`)
  const ownerKey = typedOwner(join?.owner ?? null, inverses) ?? inverse?.member ?? null
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

/** The column that points to the owner; its type is where a relation to several types that leads back has it. */
function typedOwner(column: string | null, inverses: readonly Join[]): RelationKey | null {
  if (column === null) return null
  const same = inverses.find(({ member }) => member?.id === column)
  return { id: column, type: same?.member?.type ?? null }
}

/** The keys in the rows of a type that lead to another type. */
function backTo(owner: CompiledType, from: CompiledType): readonly RelationKey[] {
  return from.relations
    .filter(({ spec }) => spec.extract === null && spec.targets.includes(owner.type))
    .map((relation) => stored(relation, from))
    .filter(({ spec }) => spec.traits.ownerSide)
    .map(ownKey)
}

interface Join {
  readonly model: string
  readonly owner: RelationKey | null
  readonly member: RelationKey | null
}

/** A relation of a type to itself does not lead back over its own join rows. */
function joinsBackTo(owner: CompiledType, from: CompiledType, relation: CompiledRelation): readonly Join[] {
  return from.relations
    .filter(({ spec }) => spec.extract === null && spec.targets.includes(owner.type))
    .map((other) => stored(other, from))
    .filter((other) => other.spec !== relation.spec)
    .flatMap(({ spec: { join } }) => {
      if (join === null) return []
      return [{ model: join.model, owner: keyOf(join.owner), member: join.member }]
    })
}

function keyOf(column: string | null): RelationKey | null {
  return column === null ? null : { id: column, type: null }
}

function distinct(keys: readonly RelationKey[]): readonly RelationKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

function found(storage: RelationStorage): FoundStorage {
  return { kind: 'found', storage: Object.freeze(storage) }
}

function missing(problem: string, remedy: string): FoundStorage {
  return { kind: 'missing', fault: { problem, remedy } }
}
