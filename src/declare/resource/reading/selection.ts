import { memoize } from '../../../core/util/memoize.js'
import { isSealed } from '../../../core/util/sealed.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { CompiledAttribute, CompiledType } from '../compiled/compiled-type.js'
import { checksRow } from '../fields/field-guard.js'
import type { FieldSpec } from '../fields/field-spec.js'
import { keyColumns } from '../parts/key-columns.js'
import { parentColumns } from '../compiled/relation-link.js'
import { flattenedChainsOf } from './flattened-chain.js'
import { linkageIsInRow } from './row-linkage.js'

/** The members of a type that a document contains, and the columns that they need. */
export interface Selection {
  readonly attributes: readonly CompiledAttribute[]
  /** The attributes of a user-defined serializer that the document contains. */
  readonly serialized: readonly string[]
  readonly relations: readonly SelectedRelation[]
  /** `null` if a user-defined function gets the whole row. */
  readonly columns: readonly string[] | null
}

export interface SelectedRelation {
  readonly relation: ServedRelation
  /**
   * Whether the document contains the relation only if it was loaded: it is not a default member, and no fieldset names
   * it.
   */
  readonly onlyWhenLoaded: boolean
}

const defaultSelection = memoize((served: ServedType): Selection => computeSelection(served, undefined))

/** Caches the selections of sealed fieldsets: the query reader shares one sealed set between equal fieldsets. */
const selectionsByFieldset = new WeakMap<ReadonlySet<string>, Map<ServedType, Selection>>()

/** Returns the selection for a fieldset. Cached if the fieldset is sealed, which means that it can no longer change. */
export function selectionFor(served: ServedType, fieldset: ReadonlySet<string> | undefined): Selection {
  if (fieldset === undefined) return defaultSelection(served)
  if (!isSealed(fieldset)) return computeSelection(served, fieldset)
  const selectionsByType = selectionsByFieldset.get(fieldset) ?? new Map<ServedType, Selection>()
  selectionsByFieldset.set(fieldset, selectionsByType)
  const selection = selectionsByType.get(served) ?? computeSelection(served, fieldset)
  selectionsByType.set(served, selection)
  return selection
}

/** Returns the members of a fieldset; without a fieldset, the default members. */
function computeSelection(served: ServedType, fieldset: ReadonlySet<string> | undefined): Selection {
  const { type, serializer } = served
  const attributes = serializer === null ? type.attributes.filter((attribute) => isSelected(attribute, fieldset)) : []
  const serialized = serializer?.members.filter((member) => showsMember(type, member, fieldset)) ?? []
  const relations = [...served.relations.values()].flatMap((relation) => {
    const onlyWhenLoaded = fieldset === undefined && relation.spec.sparseness === 'onDemand'
    const isWanted = onlyWhenLoaded ? isShown(relation.spec) : isSelected(relation, fieldset)
    return isWanted ? [{ relation, onlyWhenLoaded }] : []
  })
  return { attributes, serialized, relations, columns: columnsFor(served, attributes, relations) }
}

/**
 * Returns whether `fields[type]` may name a member. Hidden and write-only members may be named, but are not rendered.
 */
export function isFieldsetMember({ type, serializer }: ServedType, name: string): boolean {
  if (name === 'id' || type.relationNamed.has(name) || type.attributeNamed.has(name)) return true
  return serializer?.members.includes(name) === true
}

/** If a serializer's member is also a declared attribute, its modifiers apply. Otherwise only the fieldset decides. */
function showsMember(type: CompiledType, member: string, fieldset: ReadonlySet<string> | undefined): boolean {
  const attribute = type.attributeNamed.get(member)
  return attribute === undefined ? fieldset === undefined || fieldset.has(member) : isSelected(attribute, fieldset)
}

interface Member {
  readonly name: string
  readonly spec: FieldSpec
}

function isSelected({ name, spec }: Member, fieldset: ReadonlySet<string> | undefined): boolean {
  if (!isShown(spec)) return false
  if (spec.sparseness === 'always') return true
  return fieldset === undefined ? spec.sparseness === 'usual' : fieldset.has(name)
}

function isShown({ hidden, writeOnly }: FieldSpec): boolean {
  return hidden !== true && writeOnly !== true
}

function columnsFor(
  served: ServedType,
  attributes: readonly CompiledAttribute[],
  relations: readonly SelectedRelation[],
): readonly string[] | null {
  const { type, serializer } = served
  if (serializer !== null || type.meta !== null || type.links !== null) return null
  const columns = new Set(keyColumns(type.id.column))
  for (const { linkColumns } of type.actions.filter(({ asLink }) => asLink)) {
    if (linkColumns === null) return null
    for (const column of linkColumns) columns.add(column)
  }
  for (const { readColumns } of attributes) {
    if (readColumns === null) return null
    for (const column of readColumns) columns.add(column)
  }
  for (const {
    relations: [first],
  } of flattenedChainsOf(served, attributes)) {
    const needed = first === undefined ? [] : parentColumns(first)
    if (needed === null) return null
    for (const column of needed) columns.add(column)
  }
  for (const { relation } of relations) {
    if (typeof relation.spec.hidden === 'function' || checksRow(relation.spec)) return null
    if (!linkageIsInRow(relation)) continue
    for (const column of parentColumns(relation) ?? []) columns.add(column)
  }
  return [...columns]
}
