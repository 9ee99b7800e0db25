import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { absent, attributeReader, isHiddenFrom } from '../../../declare/resource/reading/attribute-reader.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

/**
 * Returns an attribute of a row as the client reads it; `undefined` if the client cannot read it. Attributes are read
 * lazily.
 */
type ReadStored = (name: string) => unknown

/** Reads stored attributes of a resource. If the type has a user-defined serializer, clients read its output. */
export function storedAttributes(
  { type, serializer }: ServedType,
  row: RowObject,
  context: RequestContext,
): ReadStored {
  const { attributeNamed } = type
  if (serializer === null) return storedFields(attributeNamed, row, context)
  let serialized: Readonly<Record<string, unknown>> | undefined
  return cachedReader(attributeNamed, ({ name, spec }) => {
    if (isHiddenFrom(spec, row, context)) return undefined
    serialized ??= serializer.serialize(row, context).attributes ?? {}
    return Object.hasOwn(serialized, name) ? serialized[name] : undefined
  })
}

/** Reads stored fields of any row with declared fields. */
export function storedFields(
  fields: ReadonlyMap<string, CompiledAttribute>,
  row: RowObject,
  context: RequestContext,
): ReadStored {
  const [columns, values] = [Object.keys(row), Object.values(row)]
  return cachedReader(fields, (attribute) => {
    const value = attributeReader(attribute, columns)(values, row, context)
    return value === absent ? undefined : value
  })
}

function cachedReader(
  fields: ReadonlyMap<string, CompiledAttribute>,
  read: (attribute: CompiledAttribute) => unknown,
): ReadStored {
  const cached = new Map<string, unknown>()
  return (name) => {
    if (cached.has(name)) return cached.get(name)
    const attribute = fields.get(name)
    const isShown = attribute !== undefined && attribute.spec.hidden !== true && attribute.spec.writeOnly !== true
    const value = isShown ? asJson(read(attribute)) : undefined
    cached.set(name, value)
    return value
  }
}

/**
 * Converts a value to the JSON that the client reads. Rows may hold values that JSON does not have, such as dates in an
 * open object.
 */
function asJson(value: unknown): unknown {
  switch (typeof value) {
    case 'object':
      return value === null ? null : JSON.parse(JSON.stringify(value, bigintsAsText) ?? 'null')
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'function':
    case 'symbol':
      return null
    default:
      return value
  }
}

function bigintsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
