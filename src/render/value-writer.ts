import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import { json, jsonText } from './json.js'

/** Returns the JSON text of a stored value. */
export type ValueWriter = (stored: unknown) => string

/**
 * Creates a writer for the values of an attribute that are shown as its kind reads them. Fast path of `writeAny`:
 * `kind.read` is not called for values that it would return unchanged. Without it, a list of 50 takes 7 % more CPU time
 * (W2 with plain texts).
 */
export function valueWriter({ kind }: Pick<AttributeSpec, 'kind'>): ValueWriter {
  const writeAny: ValueWriter = (stored) => (stored === null || stored === undefined ? 'null' : json(kind.read(stored)))
  const { moment, storageType: keptAs } = kind
  if (keptAs === 'instant' && moment?.schemaFormat === 'date-time') {
    // The text of a date needs no JSON escaping.
    return (stored) => (stored instanceof Date && isMoment(stored) ? `"${moment.write(stored)}"` : writeAny(stored))
  }
  switch (kind.unconvertedType) {
    case 'string':
      return (stored) => (typeof stored === 'string' ? jsonText(stored) : writeAny(stored))
    case 'integer':
      return (stored) => (Number.isInteger(stored) ? String(stored) : writeAny(stored))
    case 'boolean':
      return (stored) => (stored === true ? 'true' : stored === false ? 'false' : writeAny(stored))
    case null:
      return writeAny
  }
}

function isMoment(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}
