import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'

/** Returns the columns of the model of a type, or `null` if they are not known. */
export function knownColumns({ model }: CompiledType): readonly string[] | null {
  const columns: unknown = model?.columns
  return Array.isArray(columns) && columns.every((column) => typeof column === 'string') ? columns : null
}

/** Whether a query can use a name: `absent` and `withoutColumn` are faults, `unknown` cannot be checked. */
export type QueryTarget = 'found' | 'absent' | 'withoutColumn' | 'unknown'

/** Resolves a name in a filter or sort: to an attribute, else to a column. */
export function queryTarget(type: CompiledType, name: string): QueryTarget {
  const columns = knownColumns(type)
  if (name === 'id' || columns?.includes(name) === true) return 'found'
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  if (attribute === undefined) return columns === null ? 'unknown' : 'absent'
  return attribute.column === null && attribute.spec.on === null ? 'withoutColumn' : 'found'
}
