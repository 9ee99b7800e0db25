import type { OpenApiDocument } from 'ashlar'

export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly style?: string
  readonly schema: Json
  readonly 'x-longer-paths'?: boolean
}

/** Returns the parameters of an operation, without those of its path. */
export function parametersOf(document: OpenApiDocument, operation: Json): readonly Parameter[] {
  const listed = (operation['parameters'] as readonly Json[] | undefined) ?? []
  return listed.map((given) => {
    const { $ref } = given
    return (typeof $ref === 'string' ? componentAt(document, $ref) : given) as Parameter
  })
}

/** Returns the component of a reference. */
export function componentAt(document: OpenApiDocument, reference: string): unknown {
  const [, , section = '', name = ''] = reference.split('/')
  return (document.components as Readonly<Record<string, Json>>)[section]?.[name]
}
