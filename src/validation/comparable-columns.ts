import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'

/**
 * The columns that attributes of a document with problems would set; `null` for those of which that cannot be told: of
 * attributes that have problems themselves, and of those that a function of the author's writes.
 */
export async function comparableColumns(
  attributes: readonly CompiledAttribute[],
  sent: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): Promise<ColumnValues> {
  const columns: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const { name, column, spec } = attribute
    if (column === null || !Object.hasOwn(sent, name)) continue
    const isTold = spec.fill === null && !problems.some((found) => concerns(found, name))
    columns[column] = isTold ? await storedValue(attribute, sent) : null
  }
  return columns
}

/** Whether a problem is at an attribute, or somewhere in it. */
export function concerns({ source }: Problem, attribute: string): boolean {
  const place = source !== undefined && 'pointer' in source ? source.pointer : ''
  return `${place}/`.startsWith(`${pointer('data', 'attributes', attribute)}/`)
}

/** A function of the author's may look at attributes that have problems, and fail on them. */
async function storedValue(
  { name, spec }: CompiledAttribute,
  sent: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (spec.deserialize === null) return sent[name] === null ? null : spec.kind.write(sent[name])
  try {
    return await spec.deserialize(sent[name], sent)
  } catch {
    return null
  }
}
