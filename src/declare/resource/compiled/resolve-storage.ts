import type { CompiledRelation, CompiledType } from './compiled-type.js'
import type { DeclarationFault } from '../parts/declaration-fault.js'
import type { Model } from '../parts/model.js'
import { describeKey, isComposite, keyColumns } from '../parts/key-columns.js'
import { foreignColumns } from './foreign-columns.js'
import type { RelationStorage } from './relation-link.js'
import { relationKeyColumns } from './relation-link.js'
import type { RelationKey } from '../relations/relation-spec.js'

/** A relation with its owner type and its target types. */
export interface RelationEnds {
  readonly relation: CompiledRelation
  readonly owner: CompiledType
  readonly targets: readonly CompiledType[]
}

export type StorageResolution =
  | { readonly kind: 'found'; readonly storage: RelationStorage }
  | { readonly kind: 'missing'; readonly fault: DeclarationFault }

/**
 * Resolves where a relation is stored. The sources are, in this order: the declaration, the naming convention, the
 * inverse relation, and the only foreign key that fits. A relation that is `storedAs()` another relation of its type
 * has the storage of that relation.
 */
export function resolveStorage({ relation: declared, owner, targets }: RelationEnds): StorageResolution {
  if (declared.spec.extract !== null) return found({ kind: 'function' })
  const relation = storedRelation(declared, owner)
  const { traits } = relation.spec
  if (traits.ownerSide) return ownKeyStorage(relation, owner)
  const ends = { relation, owner, targets }
  return traits.joined ? joinStorage(ends) : relatedKeyStorage(ends)
}

/** Returns the relation that a relation shares its storage with: the one that `storedAs()` names, else itself. */
function storedRelation(relation: CompiledRelation, owner: CompiledType): CompiledRelation {
  const { storedAs, key, join } = relation.spec
  if (storedAs === null || key !== null || join !== null) return relation
  const other = owner.relationNamed.get(storedAs)
  return other === undefined || other.spec.storedAs !== null || other.spec.extract !== null ? relation : other
}

/** Returns the key columns of a relation in the rows of its owner; `null` if these rows do not hold its key. */
export function ownerSideKey(relation: CompiledRelation, owner: CompiledType): RelationKey | null {
  const stored = relation.spec.extract === null ? storedRelation(relation, owner) : null
  return stored?.spec.traits.ownerSide === true ? ownKey(stored, owner) : null
}

function ownKeyStorage(relation: CompiledRelation, owner: CompiledType): StorageResolution {
  const key = ownKey(relation, owner)
  const { foreignColumns: candidates } = relation
  if (candidates.length < 2 || hasColumns(owner.model, key.id) !== false) return found({ kind: 'ownKey', key })
  const [target = ''] = relation.spec.targets
  return missing(
    `finds several foreign keys to ${quoted([target])}: ${candidates.map(listed).join(', ')}`,
    `name the column: ${relation.spec.kind}('${target}').via(${listed(candidates[0] ?? '')})`,
  )
}

/**
 * Returns the named or conventional column. If that is not known to exist, the only foreign key to the related rows is
 * used.
 */
function ownKey(relation: CompiledRelation, owner: CompiledType): RelationKey {
  const key = namedKey(relation)
  const [foreign, ...others] = relation.foreignColumns
  if (foreign === undefined || others.length > 0 || hasColumns(owner.model, key.id) === true) return key
  return { id: foreign, type: null }
}

/**
 * Returns the key by name: `artist` is stored in `artistId`, and the type of a polymorphic relation in `artistType`.
 */
function namedKey({ name, spec }: CompiledRelation): RelationKey {
  // The build rule for modifiers reports a `storedAs` that is not a string. The build still runs all other rules.
  const base = typeof spec.storedAs === 'string' ? spec.storedAs : name
  const type = spec.traits.polymorphic ? `${base}Type` : null
  if (spec.key === null) return { id: `${base}Id`, type }
  return { id: spec.key.id, type: spec.key.type ?? type }
}

function relatedKeyStorage({ relation, owner, targets }: RelationEnds): StorageResolution {
  const { key } = relation.spec
  const inverses = targets.flatMap((target) => inverseKeys(owner, target))
  const candidates = inverses.length > 0 || key !== null ? inverses : inverseForeignKeys(owner, targets)
  const matches = key === null ? distinctKeys(candidates) : candidates.filter(({ id }) => id === key.id)
  const [first, ...others] = matches
  if (key !== null) return found({ kind: 'relatedKey', key: { id: key.id, type: key.type ?? first?.type ?? null } })
  if (first !== undefined && others.length === 0) return found({ kind: 'relatedKey', key: first })
  const target = quoted(targets.map(({ type }) => type))
  return missing(
    first === undefined
      ? `finds no column of ${target} that refers to '${owner.type}': no relation there belongs to '${owner.type}'`
      : `finds several columns of ${target} that refer to '${owner.type}': ${matches.map(({ id }) => listed(id)).join(', ')}`,
    `name the column: ${relation.spec.kind}(${target}).via('…')`,
  )
}

/**
 * Resolves the storage in a join table. Columns that the declaration does not name are taken from the inverse relation over
 * the same join table, else from foreign keys.
 */
function joinStorage({ relation, owner, targets }: RelationEnds): StorageResolution {
  const { join, kind, traits } = relation.spec
  const inverses = targets
    .flatMap((target) => inverseJoins(owner, target, relation))
    .filter(({ model }) => join === null || model === join.model)
  if (join === null && new Set(inverses.map(({ model }) => model)).size > 1) {
    return missing('finds inverse relations with several join tables', `name one: ${kind}(…).through('…')`)
  }
  const inverse = inverses.find((each) => each.owner !== null && each.member !== null) ?? inverses[0]
  const model = join?.model ?? inverse?.model
  if (model === undefined) return missing('has no join table', `name it: ${kind}(…).through('owner_members')`)
  const rows = [join, ...inverses].find((each) => each?.rows != null)?.rows ?? null
  const known = {
    owner: typedOwner(join?.owner ?? null, inverses) ?? inverse?.member ?? null,
    member: join?.member ?? inverse?.owner ?? null,
  }
  const { owner: ownerKey, member: memberKey } = completeKeys(known, rows, { relation, owner, targets })
  const hasMemberType = !traits.polymorphic || (memberKey !== null && memberKey.type !== null)
  if (ownerKey === null || memberKey === null || !hasMemberType) {
    const hint = foreignKeyHint(rows, [owner, ...targets])
    return missing(
      `cannot determine which columns of '${model}' refer to the owner and to the member${hint}`,
      `name them: through('${model}', ${exampleColumns(traits.polymorphic)})`,
    )
  }
  const columns = columnsOf(rows)
  const unknown = [ownerKey, memberKey]
    .flatMap(relationKeyColumns)
    .filter((column) => columns?.includes(column) === false)
  if (unknown.length > 0) {
    return missing(
      `uses ${quoted(unknown)}, which the join table '${model}' does not have`,
      `name columns that exist in through(): ${quoted(columns ?? [])}`,
    )
  }
  return found({ kind: 'join', model, ...(rows === null ? {} : { rows }), owner: ownerKey, member: memberKey })
}

interface JoinKeys {
  readonly owner: RelationKey | null
  readonly member: RelationKey | null
}

/**
 * Completes the keys of a join table: a missing key is the only foreign key to that side which the other side does not
 * use.
 */
function completeKeys(
  known: JoinKeys,
  rows: Model<unknown> | null,
  { relation, owner, targets }: RelationEnds,
): JoinKeys {
  const taken = [known.owner?.id, known.member?.id]
  const keyTo = (sides: readonly CompiledType[]): RelationKey | null => {
    const columns = distinctTexts(sides.flatMap((side) => foreignColumns(rows, side)))
    const [column, ...others] = columns.filter((each) => !taken.includes(each))
    return column === undefined || others.length > 0 ? null : { id: column, type: null }
  }
  const ownerKey = known.owner ?? keyTo([owner])
  // A column that refers to rows of several types has no foreign key.
  const memberKey = known.member ?? (relation.spec.traits.polymorphic ? null : keyTo(targets))
  return ownerKey?.id === memberKey?.id ? known : { owner: ownerKey, member: memberKey }
}

function foreignKeyHint(rows: Model<unknown> | null, sides: readonly CompiledType[]): string {
  const columns = distinctTexts(sides.flatMap((side) => foreignColumns(rows, side)))
  return columns.length === 0 ? '' : `: its foreign keys to these types are ${columns.map(listed).join(', ')}`
}

function exampleColumns(polymorphic: boolean): string {
  return polymorphic
    ? "{ owner: 'ownerId', member: 'memberId', memberType: 'memberType' }"
    : "{ owner: 'ownerId', member: 'memberId' }"
}

/**
 * Returns the key that refers to the owner. Its type column is the one of a polymorphic inverse relation over the same
 * column.
 */
function typedOwner(column: string | null, inverses: readonly InverseJoin[]): RelationKey | null {
  if (column === null) return null
  const inverse = inverses.find(({ member }) => member?.id === column)
  return { id: column, type: inverse?.member?.type ?? null }
}

/** Returns the keys in the rows of `target` that refer to the owner. */
function inverseKeys(owner: CompiledType, target: CompiledType): readonly RelationKey[] {
  return target.relations
    .filter(({ spec }) => spec.extract === null && spec.targets.includes(owner.type))
    .map((relation) => storedRelation(relation, target))
    .filter(({ spec }) => spec.traits.ownerSide)
    .map((relation) => ownKey(relation, target))
}

/** Returns the columns of the related rows that are foreign keys to the owner. */
function inverseForeignKeys(owner: CompiledType, targets: readonly CompiledType[]): readonly RelationKey[] {
  return targets.flatMap(({ model }) => foreignColumns(model, owner)).map((id) => ({ id, type: null }))
}

interface InverseJoin {
  readonly model: string
  readonly rows: Model<unknown> | null
  readonly owner: RelationKey | null
  readonly member: RelationKey | null
}

/** Returns the join tables of the inverse relations. A relation of a type to itself is not its own inverse. */
function inverseJoins(owner: CompiledType, target: CompiledType, relation: CompiledRelation): readonly InverseJoin[] {
  return target.relations
    .filter(({ spec }) => spec.extract === null && spec.targets.includes(owner.type))
    .map((other) => storedRelation(other, target))
    .filter((other) => other.spec !== relation.spec)
    .flatMap(({ spec: { join } }) => {
      if (join === null) return []
      return [{ model: join.model, rows: join.rows, owner: keyOf(join.owner), member: join.member }]
    })
}

function keyOf(column: string | null): RelationKey | null {
  return column === null ? null : { id: column, type: null }
}

function distinctKeys(keys: readonly RelationKey[]): readonly RelationKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

function distinctTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/**
 * Returns the columns of a model; `null` if they are unknown. The build rule for models reports a value that is not a
 * list.
 */
function columnsOf(model: Model<unknown> | null): readonly string[] | null {
  const columns: unknown = model?.columns
  return Array.isArray(columns) ? columns : null
}

/** Returns whether a model has all columns of a key; `undefined` if its columns are unknown. */
function hasColumns(model: Model<unknown> | null, key: string): boolean | undefined {
  const columns = columnsOf(model)
  return columns === null ? undefined : keyColumns(key).every((column) => columns.includes(column))
}

/** Returns a key as a declaration names it: `'artistId'`, or `['orderId', 'productId']`. */
function listed(key: string): string {
  return isComposite(key) ? `[${describeKey(key)}]` : describeKey(key)
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}

function found(storage: RelationStorage): StorageResolution {
  return { kind: 'found', storage: Object.freeze(storage) }
}

function missing(problem: string, remedy: string): StorageResolution {
  return { kind: 'missing', fault: { problem, remedy } }
}
