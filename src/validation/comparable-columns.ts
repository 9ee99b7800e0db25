import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'

/**
 * Returns the columns that the attributes of an invalid document would set. A column is `null` if its value cannot be
 * determined, because its attribute has a problem itself or a user-defined function writes it.
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
    const isKnown = spec.fill === null && !problems.some((found) => isAtAttribute(found, name))
    columns[column] = isKnown ? await storedValue(attribute, sent) : null
  }
  return columns
}

/** Whether a problem points to an attribute, or to a value inside it. */
export function isAtAttribute({ source }: Problem, attribute: string): boolean {
  const problemPointer = source !== undefined && 'pointer' in source ? source.pointer : ''
  return `${problemPointer}/`.startsWith(`${pointer('data', 'attributes', attribute)}/`)
}

/**
 * Returns the value to store; `null` if the user-defined function throws, because it may also read attributes that have
 * problems.
 */
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
