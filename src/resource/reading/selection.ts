import { oncePer } from '../../util/once-per.js'
import { isSealed } from '../../util/sealed.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { CompiledAttribute, CompiledType } from '../compiled-type.js'
import type { FieldSpec } from '../fields/field-spec.js'
import { parentColumns } from '../relations/relation-link.js'
import { flattenedChains } from './flattened-chain.js'
import { linkageIsInRow } from './identifier.js'

/** The members of a type that a document shows, and the columns that takes. */
export interface Selection {
  readonly attributes: readonly CompiledAttribute[]
  /** What a serializer of the author's may show of what it makes. */
  readonly serialized: readonly string[]
  readonly relations: readonly SelectedRelation[]
  /** `null` when a callback may look at the whole row. */
  readonly columns: readonly string[] | null
}

export interface SelectedRelation {
  readonly relation: ServedRelation
  /** Shown only where the request had it read: left out of the usual members, and named by no fieldset. */
  readonly onlyWhenLoaded: boolean
}

const usual = oncePer((served: ServedType): Selection => select(served, undefined))
const bySet = new WeakMap<ReadonlySet<string>, Map<ServedType, Selection>>()

/** What a fieldset leaves of a type, worked out once for a fieldset that nobody changes any more. */
export function selected(served: ServedType, fieldset: ReadonlySet<string> | undefined): Selection {
  if (fieldset === undefined) return usual(served)
  if (!isSealed(fieldset)) return select(served, fieldset)
  const ofTypes = bySet.get(fieldset) ?? new Map<ServedType, Selection>()
  bySet.set(fieldset, ofTypes)
  const known = ofTypes.get(served) ?? select(served, fieldset)
  ofTypes.set(served, known)
  return known
}

/** What a fieldset leaves of a type; without a fieldset, what the type usually shows. */
function select(served: ServedType, fieldset: ReadonlySet<string> | undefined): Selection {
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

/** Whether `fields[type]` may name a member. Hidden and write-only ones may be named; they render nothing. */
export function isFieldsetMember({ type, serializer }: ServedType, name: string): boolean {
  if (name === 'id' || type.relationNamed.has(name) || type.attributeNamed.has(name)) return true
  return serializer?.members.includes(name) === true
}

/** A serializer's member that is declared too obeys its modifiers; any other is shown as the fieldset says. */
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
  const columns = new Set([type.id.column])
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
  } of flattenedChains(served, attributes)) {
    const needed = first === undefined ? [] : parentColumns(first)
    if (needed === null) return null
    for (const column of needed) columns.add(column)
  }
  for (const { relation } of relations) {
    if (typeof relation.spec.hidden === 'function') return null
    if (!linkageIsInRow(relation)) continue
    for (const column of parentColumns(relation) ?? []) columns.add(column)
  }
  return [...columns]
}
