import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { CompiledExport } from '../parts/export.js'
import type { CompiledAttribute } from '../compiled/compiled-type.js'
import { selectionFor } from './selection.js'

/** A column of an export after the id: an attribute, or the identifier of a to-one relation. */
export type ExportColumn =
  | { readonly kind: 'attribute'; readonly name: string; readonly attribute: CompiledAttribute }
  | {
      readonly kind: 'relation'
      readonly name: string
      readonly relation: ServedRelation
      /** Whether the members have several types: then the type is a column, too. */
      readonly hasTypes: boolean
    }

/** Returns the export of the members of a relation: that of their type. Members of several types, and of to-one relations, have none. */
export function exportOfMembers({ spec, targets, related }: ServedRelation): CompiledExport | null {
  const [member, ...others] = related.values()
  const hasExport = spec.traits.toMany && targets.length === 1 && others.length === 0
  return hasExport ? (member?.type.exported ?? null) : null
}

/** Returns the columns that a fieldset selects, in its order. Without a fieldset, those of a document in the order of the declaration. */
export function exportColumns(served: ServedType, fieldset: ReadonlySet<string> | undefined): readonly ExportColumn[] {
  const { attributes, relations } = selectionFor(served, fieldset)
  const columns: readonly ExportColumn[] = [
    ...attributes.map((attribute): ExportColumn => ({ kind: 'attribute', name: attribute.name, attribute })),
    ...relations.flatMap(({ relation, onlyWhenLoaded }): readonly ExportColumn[] => {
      const { spec, name, targets, readBy } = relation
      const isKnown = !spec.traits.toMany && !onlyWhenLoaded && readBy !== 'none'
      return isKnown ? [{ kind: 'relation', name, relation, hasTypes: targets.length > 1 }] : []
    }),
  ]
  if (fieldset === undefined) return columns
  const positions = new Map([...fieldset].map((name, index) => [name, index]))
  const positionOf = ({ name }: ExportColumn): number => positions.get(name) ?? -1
  return columns.toSorted((one, other) => positionOf(one) - positionOf(other))
}
