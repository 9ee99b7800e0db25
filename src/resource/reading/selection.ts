import type { Serializer } from '../capabilities/serializer.js'
import type { CompiledAttribute, CompiledType } from '../compiled-type.js'

/** The members of a type that a document shows, and the columns that takes. */
export interface Selection {
  readonly attributes: readonly CompiledAttribute[]
  /** What a serializer of the author's may show of what it makes. */
  readonly serialized: readonly string[]
  /** `null` when a callback may look at the whole row. */
  readonly columns: readonly string[] | null
}

/** What a fieldset leaves of a type; without a fieldset, what the type usually shows. */
export function select(
  type: CompiledType,
  serializer: Serializer | null,
  fieldset: ReadonlySet<string> | undefined,
): Selection {
  const attributes = serializer === null ? type.attributes.filter((attribute) => isSelected(attribute, fieldset)) : []
  const serialized = serializer?.members.filter((member) => showsMember(type, member, fieldset)) ?? []
  return { attributes, serialized, columns: columnsFor(type, serializer, attributes) }
}

/** Whether `fields[type]` may name a member. Hidden and write-only ones may be named; they render nothing. */
export function isFieldsetMember(type: CompiledType, serializer: Serializer | null, name: string): boolean {
  if (name === 'id' || type.relationNamed.has(name) || type.attributeNamed.has(name)) return true
  return serializer?.members.includes(name) === true
}

/** A serializer's member that is declared too obeys its modifiers; any other is shown as the fieldset says. */
function showsMember(type: CompiledType, member: string, fieldset: ReadonlySet<string> | undefined): boolean {
  const attribute = type.attributeNamed.get(member)
  return attribute === undefined ? fieldset === undefined || fieldset.has(member) : isSelected(attribute, fieldset)
}

function isSelected({ name, spec }: CompiledAttribute, fieldset: ReadonlySet<string> | undefined): boolean {
  if (spec.hidden === true || spec.writeOnly === true) return false
  if (spec.sparseness === 'always') return true
  return fieldset === undefined ? spec.sparseness === 'usual' : fieldset.has(name)
}

function columnsFor(
  type: CompiledType,
  serializer: Serializer | null,
  attributes: readonly CompiledAttribute[],
): readonly string[] | null {
  if (serializer !== null || type.meta !== null || type.links !== null) return null
  const columns = new Set([type.id.column])
  for (const { readColumns } of attributes) {
    if (readColumns === null) return null
    for (const column of readColumns) columns.add(column)
  }
  return [...columns]
}
