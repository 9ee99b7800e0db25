import type { CompiledRelation, CompiledType } from '../compiled-type.js'
import type { DeclarationFault } from '../declaration-fault.js'
import type { Model } from '../model.js'
import { foreignColumns } from './foreign-columns.js'
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
 * Where a relation is stored: as the author says, else by convention, else as the relation that leads back says, else
 * where the one foreign key leads. A relation that is `storedAs()` another one of its type is stored like it.
 */
export function resolveStorage({ relation: named, owner, targets }: RelationEnds): FoundStorage {
  if (named.spec.extract !== null) return found({ kind: 'function' })
  const relation = stored(named, owner)
  const { traits } = relation.spec
  if (traits.ownerSide) return ownKeyStorage(relation, owner)
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
  return held?.spec.traits.ownerSide === true ? ownKey(held, owner) : null
}

function ownKeyStorage(relation: CompiledRelation, owner: CompiledType): FoundStorage {
  const key = ownKey(relation, owner)
  const { foreignColumns: candidates } = relation
  if (candidates.length < 2 || columnsOf(owner.model)?.includes(key.id) !== false) return found({ kind: 'ownKey', key })
  const [target = ''] = relation.spec.targets
  return missing(
    `finds several foreign keys to ${shown([target])}: ${shown(candidates)}`,
    `name the column: ${relation.spec.kind}('${target}').via('${candidates[0]}')`,
  )
}

/** Where the convention's column is not known to be there, the one foreign key that leads to the related rows is it. */
function ownKey(relation: CompiledRelation, owner: CompiledType): RelationKey {
  const key = namedKey(relation)
  const [foreign, ...others] = relation.foreignColumns
  if (foreign === undefined || others.length > 0 || columnsOf(owner.model)?.includes(key.id) === true) return key
  return { id: foreign, type: null }
}

/** `artist` is kept in `artistId`, and the type of a relation to several in `artistType`. */
function namedKey({ name, spec }: CompiledRelation): RelationKey {
  // What is no name at all is told by the rule for modifiers; the build asks all rules, whatever one of them finds.
  const base = typeof spec.storedAs === 'string' ? spec.storedAs : name
  const type = spec.traits.polymorphic ? `${base}Type` : null
  if (spec.key === null) return { id: `${base}Id`, type }
  return { id: spec.key.id, type: spec.key.type ?? type }
}

function relatedKeyStorage({ relation, owner, targets }: RelationEnds): FoundStorage {
  const { key } = relation.spec
  const inverses = targets.flatMap((target) => backTo(owner, target))
  const candidates = inverses.length > 0 || key !== null ? inverses : foreignKeysBackTo(owner, targets)
  const named = key === null ? distinct(candidates) : candidates.filter(({ id }) => id === key.id)
  const [first, ...others] = named
  if (key !== null) return found({ kind: 'relatedKey', key: { id: key.id, type: key.type ?? first?.type ?? null } })
  if (first !== undefined && others.length === 0) return found({ kind: 'relatedKey', key: first })
  const target = shown(targets.map(({ type }) => type))
  return missing(
    first === undefined
      ? `finds no column of ${target} that leads back: no relation there belongs to '${owner.type}'`
      : `finds several columns of ${target} that lead back: ${shown(named.map(({ id }) => id))}`,
    `name the column: ${relation.spec.kind}(${target}).via('…')`,
  )
}

/** What the author left out of the join rows, the relation that leads back over the same rows says, else foreign keys. */
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
  const rows = [join, ...inverses].find((each) => each?.rows != null)?.rows ?? null
  const said = {
    owner: typedOwner(join?.owner ?? null, inverses) ?? inverse?.member ?? null,
    member: join?.member ?? inverse?.owner ?? null,
  }
  const { owner: ownerKey, member: memberKey } = completed(said, rows, { relation, owner, targets })
  const typed = !traits.polymorphic || (memberKey !== null && memberKey.type !== null)
  if (ownerKey === null || memberKey === null || !typed) {
    return missing(
      `does not know which columns of '${model}' point at the two sides${hint(rows, [owner, ...targets])}`,
      `name them: through('${model}', ${joinColumns(traits.polymorphic)})`,
    )
  }
  const known = columnsOf(rows)
  const strange = [ownerKey, memberKey]
    .flatMap(({ id, type }) => (type === null ? [id] : [id, type]))
    .filter((column) => known?.includes(column) === false)
  if (strange.length > 0) {
    return missing(
      `is held by ${shown(strange)}, which the join rows '${model}' do not have`,
      `name others of ${shown(known ?? [])} in through()`,
    )
  }
  return found({ kind: 'join', model, ...(rows === null ? {} : { rows }), owner: ownerKey, member: memberKey })
}

interface JoinKeys {
  readonly owner: RelationKey | null
  readonly member: RelationKey | null
}

/** Both sides of join rows: what is not said is the one foreign key that leads there and is not the other side's. */
function completed(said: JoinKeys, rows: Model<unknown> | null, { relation, owner, targets }: RelationEnds): JoinKeys {
  const taken = [said.owner?.id, said.member?.id]
  const keyTo = (sides: readonly CompiledType[]): RelationKey | null => {
    const columns = distinctTexts(sides.flatMap((side) => foreignColumns(rows, side)))
    const [column, ...others] = columns.filter((each) => !taken.includes(each))
    return column === undefined || others.length > 0 ? null : { id: column, type: null }
  }
  const ownerKey = said.owner ?? keyTo([owner])
  // Rows of several types are pointed at by a column that has no foreign key.
  const memberKey = said.member ?? (relation.spec.traits.polymorphic ? null : keyTo(targets))
  return ownerKey?.id === memberKey?.id ? said : { owner: ownerKey, member: memberKey }
}

function hint(rows: Model<unknown> | null, sides: readonly CompiledType[]): string {
  const columns = distinctTexts(sides.flatMap((side) => foreignColumns(rows, side)))
  return columns.length === 0 ? '' : `: foreign keys lead there from ${shown(columns)}`
}

function joinColumns(polymorphic: boolean): string {
  return polymorphic
    ? "{ owner: 'ownerId', member: 'memberId', memberType: 'memberType' }"
    : "{ owner: 'ownerId', member: 'memberId' }"
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
    .map((relation) => ownKey(relation, from))
}

/** The columns that foreign keys of the related rows lead to a type by. */
function foreignKeysBackTo(owner: CompiledType, targets: readonly CompiledType[]): readonly RelationKey[] {
  return targets.flatMap(({ model }) => foreignColumns(model, owner)).map((id) => ({ id, type: null }))
}

interface Join {
  readonly model: string
  readonly rows: Model<unknown> | null
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
      return [{ model: join.model, rows: join.rows, owner: keyOf(join.owner), member: join.member }]
    })
}

function keyOf(column: string | null): RelationKey | null {
  return column === null ? null : { id: column, type: null }
}

function distinct(keys: readonly RelationKey[]): readonly RelationKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

function distinctTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** The columns of a model where they are known; what is no list of names is told by the rule for models. */
function columnsOf(model: Model<unknown> | null): readonly string[] | null {
  const columns: unknown = model?.columns
  return Array.isArray(columns) ? columns : null
}

function shown(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}

function found(storage: RelationStorage): FoundStorage {
  return { kind: 'found', storage: Object.freeze(storage) }
}

function missing(problem: string, remedy: string): FoundStorage {
  return { kind: 'missing', fault: { problem, remedy } }
}
