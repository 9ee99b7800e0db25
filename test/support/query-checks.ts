import type { OpenApiDocument } from 'ashlar'

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly style?: string
  readonly schema: Json
  readonly 'x-longer-paths'?: boolean
}

/** Families that the service ignores where they mean nothing, and families of the application. */
const checkedFamilies: readonly string[] = ['filter', 'sort', 'include', 'withCount']

/**
 * Returns what is wrong about the query of a request that has succeeded. A server that is not strict ignores `withCount` unless its profile
 * is negotiated.
 */
export function queryProblems(
  document: OpenApiDocument,
  operation: Json,
  query: string,
  isCounting: boolean,
): readonly string[] {
  const declared = ((operation['parameters'] as readonly Json[] | undefined) ?? []).map((each) =>
    parameterOf(document, each),
  )
  const isLinkage = /^\w+Relationship\./.test(String(operation['operationId']))
  return [...new URLSearchParams(query)].flatMap(([name, value]) => {
    const family = /^\w+/.exec(name)?.[0] ?? ''
    if (family === 'withCount' && !isCounting) return []
    if (!checkedFamilies.includes(family) || (isLinkage && family === 'include')) return []
    if (family !== 'filter' && (value === '' || name !== family)) return []
    const parameter = declared.find((each) => each.name === name || name.startsWith(`${each.name}[`))
    if (parameter === undefined) return [`the parameter ${name} is not described`]
    return valueProblems(parameter, name, value)
  })
}

function parameterOf(document: OpenApiDocument, given: Json): Parameter {
  const name = typeof given['$ref'] === 'string' ? given['$ref'].split('/').at(-1) : undefined
  const found: unknown = name === undefined ? given : document.components['parameters']?.[name]
  return found as Parameter
}

function valueProblems(
  { name, schema, 'x-longer-paths': isOpen }: Parameter,
  sent: string,
  value: string,
): readonly string[] {
  const rest = sent.slice(name.length)
  const { type, items, properties } = schema as {
    type?: unknown
    items?: Json
    properties?: Readonly<Record<string, Json>>
  }
  if (type === 'object' || rest !== '') {
    const bound = /^\[(\w+)\]$/.exec(rest)?.[1]
    if (properties === undefined || bound === undefined) return []
    return properties[bound] === undefined ? [`${sent} is not described`] : textProblems(properties[bound], sent, value)
  }
  if (type !== 'array') return textProblems(schema, sent, value)
  const parts = value.split(',').filter((part) => part !== '')
  return parts.flatMap((part) => (isOpen === true ? [] : textProblems(items ?? {}, sent, part.trim())))
}

const types: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^\s*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?\s*$/,
  boolean: /^\s*(?:true|false|1|0|on|off|yes|no|)\s*$/i,
}

function textProblems(schema: Json, sent: string, value: string): readonly string[] {
  const { type, enum: values } = schema
  if (Array.isArray(values) && !values.map(String).includes(value))
    return [`'${value}' of ${sent} is not one of ${values.join(', ')}`]
  const expression = typeof type === 'string' ? types[type] : undefined
  return expression === undefined || expression.test(value) ? [] : [`'${value}' of ${sent} is not ${String(type)}`]
}
