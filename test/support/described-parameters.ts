import type { OpenApiDocument } from 'ashlar'

export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly style?: string
  readonly schema: Json
  readonly 'x-longer-paths'?: boolean
}

/** Returns the parameters of an operation, without those of its path: those of a QUERY request are in its body. */
export function parametersOf(document: OpenApiDocument, operation: Json): readonly Parameter[] {
  const listed = (operation['parameters'] as readonly Json[] | undefined) ?? []
  const outside = listed.map((given) => {
    const { $ref } = given
    return (typeof $ref === 'string' ? componentAt(document, $ref) : given) as Parameter
  })
  return [...outside, ...parametersOfForm(document, operation)]
}

interface Form {
  readonly schema: { readonly properties: Readonly<Record<string, Json>> }
  readonly encoding?: Readonly<Record<string, Json>>
}

function parametersOfForm(document: OpenApiDocument, { requestBody }: Json): readonly Parameter[] {
  const { content } = (requestBody ?? {}) as { readonly content?: Readonly<Record<string, Form>> }
  const form = content?.['application/x-www-form-urlencoded']
  return Object.entries(form?.schema.properties ?? {}).map(([name, given]) => {
    const { $ref } = given
    const schema = (typeof $ref === 'string' ? componentAt(document, $ref) : given) as Json
    return { ...schema, name, schema, ...form?.encoding?.[name] }
  })
}

/** Returns the component of a reference. */
export function componentAt(document: OpenApiDocument, reference: string): unknown {
  const [, , section = '', name = ''] = reference.split('/')
  return (document.components as Readonly<Record<string, Json>>)[section]?.[name]
}
