import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import { json, jsonText } from './json.js'

/** JSON text of a stored value. */
export type ValueWriter = (stored: unknown) => string

/** Writes the values of an attribute that are shown as their kind reads them; what it would pass on as it is, it is not asked. */
export function valueWriter({ kind }: Pick<AttributeSpec, 'kind'>): ValueWriter {
  const atLength: ValueWriter = (stored) => (stored === null || stored === undefined ? 'null' : json(kind.read(stored)))
  const { moment, keptAs } = kind
  if (keptAs === 'instant' && moment?.schemaFormat === 'date-time') {
    // Such a moment has nothing that JSON would escape.
    return (stored) => (stored instanceof Date && isMoment(stored) ? `"${moment.write(stored)}"` : atLength(stored))
  }
  switch (kind.readsAsIs) {
    case 'string':
      return (stored) => (typeof stored === 'string' ? jsonText(stored) : atLength(stored))
    case 'integer':
      return (stored) => (Number.isInteger(stored) ? String(stored) : atLength(stored))
    case 'boolean':
      return (stored) => (stored === true ? 'true' : stored === false ? 'false' : atLength(stored))
    case null:
      return atLength
  }
}

function isMoment(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}
