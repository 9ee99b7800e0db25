import type { CompiledType } from '../../resource/compiled-type.js'

/** The columns of a type's model, `null` where they are not known. */
export function knownColumns({ model }: CompiledType): readonly string[] | null {
  const columns: unknown = model?.columns
  return Array.isArray(columns) && columns.every((column) => typeof column === 'string') ? columns : null
}

/** What queries may aim at: `absent` and `underived` are faults, `unknown` cannot be judged. */
export type QueryTarget = 'found' | 'absent' | 'underived' | 'unknown'

/** What a name means to filters and sorts: an attribute, else a column. */
export function queryTarget(type: CompiledType, name: string): QueryTarget {
  const columns = knownColumns(type)
  if (name === 'id' || columns?.includes(name) === true) return 'found'
  const attribute = type.attributeNamed.get(name) ?? type.attributes.find(({ column }) => column === name)
  if (attribute === undefined) return columns === null ? 'unknown' : 'absent'
  return attribute.column === null && attribute.spec.on === null ? 'underived' : 'found'
}
