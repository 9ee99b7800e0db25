import { compileAttribute } from '../../../declare/resource/compiled/compile-attribute.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { absent, attributeReader } from '../../../declare/resource/reading/attribute-reader.js'
import { shownValue, UnshownValue, unshownInJoin } from '../../../declare/resource/reading/shown-value.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { ReadContext } from '../read-context.js'

type PivotMeta = { readonly pivot: Readonly<Record<string, unknown>> } | null

/**
 * Returns a function that reads `meta.pivot` of shown members. A field whose kind cannot show the stored value is left out, and reported once.
 *
 * @returns a function of the join row, and of a function that returns the id of the member
 */
export function shownPivotReader(
  { spec, owner, name }: ServedRelation,
  { context, services }: ReadContext,
): (joinRow: RowObject | null, idOf: () => string) => PivotMeta {
  const read = pivotReader(spec, context)
  const checks = Object.entries(spec.pivot).map(([field, declared]) => {
    return [field, shownValue(compileAttribute(field, declared))] as const
  })
  const reported = new Set<string>()
  return (joinRow, idOf) => {
    const meta = read(joinRow)
    if (meta === null) return null
    let shown = meta.pivot
    for (const [field, check] of checks) {
      const unshown = Object.hasOwn(shown, field) ? problemOf(check, shown[field]) : null
      if (unshown === null) continue
      shown = Object.fromEntries(Object.entries(shown).filter(([each]) => each !== field))
      if (!reported.has(field)) {
        services.report(unshownInJoin(`${owner.type}.${name}`, idOf(), unshown), { request: context.request })
      }
      reported.add(field)
    }
    return shown === meta.pivot ? meta : { pivot: shown }
  }
}

function problemOf(check: (value: unknown) => unknown, value: unknown): UnshownValue | null {
  try {
    check(value)
    return null
  } catch (thrown) {
    if (thrown instanceof UnshownValue) return thrown
    throw thrown
  }
}

/** Returns a function that reads `meta.pivot` from join rows: the declared fields, each serialized by its kind. */
export function pivotReader(
  { pivot }: RelationSpec,
  context: RequestContext,
): (joinRow: RowObject | null) => PivotMeta {
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
