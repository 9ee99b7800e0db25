import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute, CompiledId, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { QueryColumn } from '../../../declare/resource/querying/row-condition.js'
import { attributesOn, storedTexts } from '../../../declare/resource/querying/stored-texts.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { QueriedRows } from './query-vocabulary.js'
import { pivotColumn, pivotPrefix } from './query-vocabulary.js'
import { lruCache } from '../../../core/util/lru-cache.js'
import { memoize } from '../../../core/util/memoize.js'
import { isFollowable, isVisible } from '../../../declare/resource/fields/visible-field.js'

/** The column that a filter or a sort uses. */
export interface ColumnTarget {
  /** The relations that lead to the row of the column; empty for a column of the queried row itself. */
  readonly path: readonly ServedRelation[]
  /** The first relations of the path, which the client names. It need not see the relations of a flattened attribute. */
  readonly followed: readonly ServedRelation[]
  readonly column: QueryColumn
  /** The attribute that is stored in the column and defines its values; `null` if there is none. */
  readonly attribute: AttributeSpec | null
  /** The id that clients use for the key in the column; `null` for every other column. */
  readonly id: CompiledId | null
  /**
   * The chains of fields that show the column to clients. The column is visible if all fields of one chain are, or if
   * there are no chains.
   */
  readonly shownBy: readonly (readonly (AttributeSpec | RelationSpec)[])[]
  /**
   * The relation whose key is in the column, if clients see the column only as this relation and related rows may be
   * hidden from them. If the related row is hidden, clients see null, as in the linkage. If conditions cannot use the
   * relation, clients cannot use the column.
   */
  readonly reference: ServedRelation | null
}

/** Finds the target of a name: a field of the join rows, an attribute, the id, or a column; `null` if there is none. */
export function targetByName(name: string, { served, relation }: QueriedRows): ColumnTarget | null {
  if (name.startsWith(pivotPrefix)) return pivotTarget(name.slice(pivotPrefix.length), relation)
  return rowTarget(name, served)
}

/** Finds the column at the end of a path of relations; `null` if the path cannot be followed. */
export function targetByPath(path: string, served: ServedType): ColumnTarget | null {
  const names = path.split('.')
  const end = targetAfter(names.slice(0, -1), served, (reachedType) => rowTarget(names.at(-1) ?? '', reachedType))
  if (end === null) return null
  return { ...end.target, path: [...end.relations, ...end.target.path], followed: end.relations }
}

/** Whether a request may sort by a column. */
export function isVisibleTarget(target: ColumnTarget, context: RequestContext): boolean {
  return target.followed.every(({ spec }) => isVisible(spec, context)) && isShown(target, context)
}

/** Whether a request may filter by a column. */
export function isFilterableTarget(target: ColumnTarget, context: RequestContext): boolean {
  return target.followed.every(({ spec }) => isFollowable(spec, context)) && isShown(target, context)
}

function isShown({ shownBy, reference }: ColumnTarget, context: RequestContext): boolean {
  if (reference !== null && !isQueryable(reference)) return false
  return shownBy.length === 0 || shownBy.some((fields) => fields.every((spec) => isVisible(spec, context)))
}

/** Whether conditions can use a relation: its owner's provider reads it, and this server has all related types. */
export function isQueryable({ readBy, related, targets }: ServedRelation): boolean {
  return readBy === 'owner' && targets.every(({ type }) => related.has(type))
}

function rowTarget(name: string, served: ServedType): ColumnTarget | null {
  const attribute = served.type.attributeNamed.get(name)
  const on = attribute?.spec.on ?? null
  if (attribute === undefined || on === null) return localTarget(name, served)
  // A flattened attribute shows the value at the end of its path, even to clients that cannot see the relations.
  const end = targetAfter(on, served, (reachedType) => localTarget(attribute.spec.storedAs ?? name, reachedType))
  if (end === null) return null
  const { spec } = attribute
  const column = { ...end.target.column, kind: spec.kind }
  return { path: end.relations, followed: [], column, attribute: spec, id: null, shownBy: [[spec]], reference: null }
}

/** Finds a column of the row itself. */
function localTarget(name: string, served: ServedType): ColumnTarget | null {
  const { type } = served
  const attribute = type.attributeNamed.get(name)
  if (attribute !== undefined) return attributeTarget(attribute, served)
  if (name === 'id') return { ...keyTarget(type.id.column), id: type.id }
  return targetByColumn(name, served)
}

/** Finds a column by its own name, not by that of an attribute; `null` if there is none. */
function targetByColumn(name: string, served: ServedType): ColumnTarget | null {
  const { type } = served
  const shownBy = fieldsOn(name, served)
  if (shownBy.length === 0 && !mayHaveColumn(name, served)) return null
  if (shownBy.length === 0 && keyColumns(type.id.column).includes(name)) return keyTarget(name)
  const describing = shownBy.flatMap((fields) => fields.at(-1) ?? []).find(({ role }) => role === 'attribute')
  const spec = describing?.role === 'attribute' ? describing : null
  const reference = spec === null ? hiddenReference(name, served) : null
  return { ...columnTarget(name, spec?.kind), attribute: spec, shownBy, reference }
}

/** Finds the column of a rule. An attribute over it decides neither about the comparison nor about the value. */
function targetOfRule(column: string, served: ServedType): ColumnTarget | null {
  const target = targetByColumn(column, served)
  if (target === null) return null
  return { ...target, attribute: null, column: { ...columnAsStored(target.column, served), isKey: false } }
}

/** Caches `targetOfRule()`: rules look their columns up in each request, and find the same ones. */
export function ruleTarget(column: string, served: ServedType): ColumnTarget | null {
  const known = ruleTargets(served)
  const found = known.get(column)
  if (found !== undefined) return found
  const target = targetOfRule(column, served)
  known.set(column, target)
  return target
}

const ruleTargets = memoize((_served: ServedType) => lruCache<string, ColumnTarget | null>(1000))

/** Returns a column as rules and scopes compare it. Ids are compared as keys. */
export function columnAsStored(column: QueryColumn, served: ServedType): QueryColumn {
  return { ...column, kind: null, asStored: storedTexts(column.name, served.type) }
}

/** Finds the relation whose key is in a column, if some of the related rows may be hidden; `null` if there is none. */
function hiddenReference(column: string, { relations, source }: ServedType): ServedRelation | null {
  // The keys of groups are null where the related row is hidden.
  if (source !== null) return null
  const found = [...relations.values()].find((relation) => {
    const { storage, related } = relation
    const isKey = storage.kind === 'ownKey' && relationKeyColumns(storage.key).includes(column)
    return isKey && [...related.values()].some(({ type }) => mayHideRows(type))
  })
  return found ?? null
}

/** Whether rows of a type may be hidden from clients: then the linkage of relations to it is null. */
export function mayHideRows({ scope, softDeletes }: CompiledType): boolean {
  return scope !== null || softDeletes !== null
}

/** Returns the target of an attribute. One without a column may have the name of a column from which it is computed. */
function attributeTarget({ name, spec, column }: CompiledAttribute, { type }: ServedType): ColumnTarget | null {
  const shownBy = [[spec]]
  if (column !== null) return { ...columnTarget(column, spec.kind), attribute: spec, shownBy }
  return type.model?.columns?.includes(name) === true ? { ...columnTarget(name), shownBy } : null
}

function columnTarget(name: string, kind: ValueKind | null = null): ColumnTarget {
  const column: QueryColumn = { of: 'row', name, kind, isKey: false }
  return { path: [], followed: [], column, attribute: null, id: null, shownBy: [], reference: null }
}

/** Returns the column of the ids, or one column of a composite key, if no attribute defines its values. */
function keyTarget(name: string): ColumnTarget {
  const target = columnTarget(name)
  return { ...target, column: { ...target.column, isKey: true } }
}

function mayHaveColumn(name: string, { type }: ServedType): boolean {
  return name !== '' && (type.model?.columns?.includes(name) ?? true)
}

/** Returns the fields that are stored in a column, each after the composite fields that contain it. */
function fieldsOn(column: string, { type, relations }: ServedType): ColumnTarget['shownBy'] {
  const keys = [...relations.values()].filter(({ storage }) => {
    return storage.kind === 'ownKey' && relationKeyColumns(storage.key).includes(column)
  })
  return [...attributesOn(column, type), ...keys.map(({ spec }) => [spec])]
}

function pivotTarget(field: string, relation: ServedRelation | null): ColumnTarget | null {
  const fields = Object.entries(relation?.spec.pivot ?? {})
  const found = fields.find(([name]) => name === field) ?? fields.find(([, { storedAs }]) => storedAs === field)
  if (found === undefined) return null
  const [name, spec] = found
  const column = pivotColumn(name, spec)
  if (column === null) return null
  return {
    path: [],
    followed: [],
    column: { of: 'pivot', name: column, kind: spec.kind, isKey: false },
    attribute: spec,
    id: null,
    shownBy: [[spec]],
    reference: null,
  }
}

/**
 * Follows relations, each of which must have one related type, and finds the target in the type at the end; `null` if
 * there are no relations or the path cannot be followed.
 */
function targetAfter(
  names: readonly string[],
  served: ServedType,
  find: (reachedType: ServedType) => ColumnTarget | null,
): { readonly relations: readonly ServedRelation[]; readonly target: ColumnTarget } | null {
  const relations: ServedRelation[] = []
  let reachedType = served
  for (const name of names) {
    const relation = reachedType.relations.get(name)
    if (relation === undefined || !isQueryable(relation)) return null
    const [next, ...others] = relation.related.values()
    if (next === undefined || others.length > 0) return null
    relations.push(relation)
    reachedType = next
  }
  const target = relations.length === 0 ? null : find(reachedType)
  return target === null ? null : { relations, target }
}
