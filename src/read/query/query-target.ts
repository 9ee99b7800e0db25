import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute, CompiledId } from '../../resource/compiled-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { ValueKind } from '../../resource/fields/value-kind.js'
import type { QueryColumn } from '../../resource/querying/row-condition.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { QueriedRows } from './query-vocabulary.js'
import { pivotColumn, pivotPrefix } from './query-vocabulary.js'
import { isVisible } from './visible-field.js'

/** What a filter or a sort aims at. */
export interface QueryTarget {
  /** The relations that lead to the row of the column; empty for the row that is asked itself. */
  readonly path: readonly ServedRelation[]
  readonly column: QueryColumn
  /** The attribute that stands on the column and says what its values are; `null` where there is none. */
  readonly attribute: AttributeSpec | null
  /** How clients write the key in the column; `null` for every other column. */
  readonly id: CompiledId | null
  /** The ways in which clients see it: all fields of one must be visible. Where there are none, nothing hides it. */
  readonly shownBy: readonly (readonly (AttributeSpec | RelationSpec)[])[]
}

/** The column that a name means: a field of the join rows, an attribute, the id, else a column; `null` for none. */
export function targetNamed(name: string, { served, relation }: QueriedRows): QueryTarget | null {
  if (name.startsWith(pivotPrefix)) return pivotTarget(name.slice(pivotPrefix.length), relation)
  return rowTarget(name, served)
}

/** The column at the end of a path of relations; `null` where the path leads nowhere. */
export function targetAt(path: string, served: ServedType): QueryTarget | null {
  const names = path.split('.')
  const end = targetAfter(names.slice(0, -1), served, (entered) => rowTarget(names.at(-1) ?? '', entered))
  if (end === null) return null
  const passed = end.relations.map(({ spec }) => spec)
  const ways = end.target.shownBy.length === 0 ? [[]] : end.target.shownBy
  return {
    ...end.target,
    path: [...end.relations, ...end.target.path],
    shownBy: ways.map((fields) => [...passed, ...fields]),
  }
}

export function isVisibleTarget({ shownBy }: QueryTarget, context: RequestContext): boolean {
  return shownBy.length === 0 || shownBy.some((fields) => fields.every((spec) => isVisible(spec, context)))
}

/** Whether the store of a relation's owner knows its members, and can be asked for them in a condition. */
export function isAskable({ readBy, related, targets }: ServedRelation): boolean {
  return readBy === 'owner' && targets.every(({ type }) => related.has(type))
}

function rowTarget(name: string, served: ServedType): QueryTarget | null {
  const attribute = served.type.attributeNamed.get(name)
  const on = attribute?.spec.on ?? null
  if (attribute === undefined || on === null) return ownTarget(name, served)
  // A flattened attribute shows what lies at the end of its path, to those too who do not see the relations.
  const end = targetAfter(on, served, (entered) => ownTarget(attribute.spec.storedAs ?? name, entered))
  if (end === null) return null
  const { spec } = attribute
  const column = { ...end.target.column, kind: spec.kind }
  return { path: end.relations, column, attribute: spec, id: null, shownBy: [[spec]] }
}

/** What lies in the row itself. */
function ownTarget(name: string, served: ServedType): QueryTarget | null {
  const { type } = served
  const attribute = type.attributeNamed.get(name)
  if (attribute !== undefined) return attributeTarget(attribute, served)
  if (name === 'id') return { ...keyTarget(type.id), id: type.id }
  const shownBy = fieldsOn(name, served)
  if (shownBy.length === 0 && !mayHaveColumn(name, served)) return null
  if (shownBy.length === 0 && name === type.id.column) return keyTarget(type.id)
  const says = shownBy.flatMap((fields) => fields.at(-1) ?? []).find(({ role }) => role === 'attribute')
  const spec = says?.role === 'attribute' ? says : null
  return { ...columnAlone(name, spec?.kind), attribute: spec, shownBy }
}

/** An attribute without a column may be called like one that it is made from. */
function attributeTarget({ name, spec, column }: CompiledAttribute, { type }: ServedType): QueryTarget | null {
  const shownBy = [[spec]]
  if (column !== null) return { ...columnAlone(column, spec.kind), attribute: spec, shownBy }
  return type.model?.columns?.includes(name) === true ? { ...columnAlone(name), shownBy } : null
}

function columnAlone(name: string, kind: ValueKind | null = null): QueryTarget {
  return { path: [], column: { of: 'row', name, kind, isKey: false }, attribute: null, id: null, shownBy: [] }
}

/** The column that ids stand on, where no attribute says what it holds. */
function keyTarget({ column: name }: CompiledId): QueryTarget {
  const target = columnAlone(name)
  return { ...target, column: { ...target.column, isKey: true } }
}

function mayHaveColumn(name: string, { type }: ServedType): boolean {
  return name !== '' && (type.model?.columns?.includes(name) ?? true)
}

/** The fields that stand on a column, each with those that it stands in. */
function fieldsOn(column: string, { type, relations }: ServedType): QueryTarget['shownBy'] {
  const attributes = type.attributes.flatMap(({ spec, column: own }) =>
    own === column ? [[spec]] : childrenOn(column, spec),
  )
  const keys = [...relations.values()].filter(({ storage }) => {
    return storage.kind === 'ownKey' && (storage.key.id === column || storage.key.type === column)
  })
  return [...attributes, ...keys.map(({ spec }) => [spec])]
}

/** The children of a map are columns of its owner. */
function childrenOn(column: string, spec: AttributeSpec): readonly (readonly AttributeSpec[])[] {
  if (spec.kind.children !== 'columns') return []
  return Object.entries(spec.children).flatMap(([name, child]) => {
    if (child.kind.children === 'columns') return childrenOn(column, child).map((fields) => [spec, ...fields])
    return (child.storedAs ?? name) === column && !child.computed ? [[spec, child]] : []
  })
}

function pivotTarget(field: string, relation: ServedRelation | null): QueryTarget | null {
  const fields = Object.entries(relation?.spec.pivot ?? {})
  const found = fields.find(([name]) => name === field) ?? fields.find(([, { storedAs }]) => storedAs === field)
  if (found === undefined) return null
  const [name, spec] = found
  const column = pivotColumn(name, spec)
  if (column === null) return null
  return {
    path: [],
    column: { of: 'pivot', name: column, kind: spec.kind, isKey: false },
    attribute: spec,
    id: null,
    shownBy: [[spec]],
  }
}

/** Walks relations, each to one type, and looks for what is wanted of the type at the end. */
function targetAfter(
  names: readonly string[],
  served: ServedType,
  find: (entered: ServedType) => QueryTarget | null,
): { readonly relations: readonly ServedRelation[]; readonly target: QueryTarget } | null {
  const relations: ServedRelation[] = []
  let entered = served
  for (const name of names) {
    const relation = entered.relations.get(name)
    if (relation === undefined || !isAskable(relation)) return null
    const [next, ...others] = relation.related.values()
    if (next === undefined || others.length > 0) return null
    relations.push(relation)
    entered = next
  }
  const target = relations.length === 0 ? null : find(entered)
  return target === null ? null : { relations, target }
}
