import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { absent, attributeReader, isHiddenFrom } from '../../resource/reading/attribute-reader.js'
import type { RequestContext } from '../../resource/request-context.js'

/** Attributes of a row by name, as this client would read them; `undefined` for what it would not. Read when asked for. */
type ReadStored = (name: string) => unknown

/** Of a resource. What a serializer of the author's shows is what its clients read. */
export function storedAttributes(
  { type, serializer }: ServedType,
  row: RowObject,
  context: RequestContext,
): ReadStored {
  const { attributeNamed } = type
  if (serializer === null) return storedFields(attributeNamed, row, context)
  let shown: Readonly<Record<string, unknown>> | undefined
  return reader(attributeNamed, ({ name, spec }) => {
    if (isHiddenFrom(spec, row, context)) return undefined
    shown ??= serializer.serialize(row, context).attributes ?? {}
    return Object.hasOwn(shown, name) ? shown[name] : undefined
  })
}

/** Of any row that has declared fields. */
export function storedFields(
  fields: ReadonlyMap<string, CompiledAttribute>,
  row: RowObject,
  context: RequestContext,
): ReadStored {
  const [columns, values] = [Object.keys(row), Object.values(row)]
  return reader(fields, (attribute) => {
    const value = attributeReader(attribute, columns)(values, row, context)
    return value === absent ? undefined : value
  })
}

function reader(
  fields: ReadonlyMap<string, CompiledAttribute>,
  read: (attribute: CompiledAttribute) => unknown,
): ReadStored {
  const known = new Map<string, unknown>()
  return (name) => {
    if (known.has(name)) return known.get(name)
    const attribute = fields.get(name)
    const isShown = attribute !== undefined && attribute.spec.hidden !== true && attribute.spec.writeOnly !== true
    const value = isShown ? asJson(read(attribute)) : undefined
    known.set(name, value)
    return value
  }
}

/** What rows hold may be more than JSON can say, such as the dates in an open object: a client reads what is left of it. */
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
