import { compileAttribute } from '../../resource/fields/compile-attribute.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { absent, attributeReader } from '../../resource/reading/attribute-reader.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'

/** Returns a function that reads `meta.pivot` from join rows: the declared fields, each serialized by its kind. */
export function pivotReader(
  { pivot }: RelationSpec,
  context: RequestContext,
): (joinRow: RowObject | null) => Readonly<Record<string, unknown>> | null {
  const shown = Object.entries(pivot).filter(([, spec]) => spec.hidden !== true && spec.writeOnly !== true)
  if (shown.length === 0) return () => null
  const attributes = shown.map(([name, spec]) => compileAttribute(name, spec))
  const columns = attributes.flatMap(({ column }) => column ?? [])
  const fields = attributes.map((attribute) => [attribute.name, attributeReader(attribute, columns)] as const)
  return (joinRow) => {
    if (joinRow === null) return null
    const row = columns.map((column) => joinRow[column])
    const values = fields.map(([name, read]) => [name, read(row, joinRow, context)] as const)
    return { pivot: Object.fromEntries(values.filter(([, value]) => value !== absent)) }
  }
}
