import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

const ROOT = 'https://document.test/openapi'

/**
 * Returns the findings of the strict mode of Ajv in the schemas of an OpenAPI document: keywords that are unknown or have no effect,
 * required members without a schema, and examples that do not fit.
 */
export function strictProblems(document: object): readonly string[] {
  // Ajv reads schemas, and not the documents around them.
  const text = JSON.stringify(document).replaceAll('"#/components/schemas/', `"${ROOT}#/$defs/`)
  const { components, ...rest } = JSON.parse(text) as { readonly components: { readonly schemas: Json } }
  const { schemas, ...others } = components
  const inline = new Map([...schemasIn(rest), ...schemasIn(others)].map((schema) => [JSON.stringify(schema), schema]))
  const ajv = strictAjv(document)
  // One function for all of them: to compile each schema by itself takes ten times as long.
  const all = { $id: ROOT, $defs: schemas, allOf: [...refs(schemas), ...inline.values()] }
  const shown = withExamples([schemas, ...inline.values()])
  return [...problemsOf(ajv, 'the document', all), ...shown.flatMap((schema) => problemsOf(ajv, 'a schema', schema))]
}

function refs(schemas: Json): readonly Json[] {
  return Object.keys(schemas).map((name) => ({ $ref: `#/$defs/${name}` }))
}

/** Returns the findings of the strict mode of Ajv in JSON Schemas. */
export function strictSchemaProblems(schemas: Json): readonly string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const ajv = strictAjv(schema)
    return [
      ...problemsOf(ajv, name, schema as Json),
      ...withExamples([schema]).flatMap((each) => problemsOf(ajv, name, each)),
    ]
  })
}

function problemsOf(ajv: Ajv2020, name: string, schema: Json): readonly string[] {
  try {
    const validate = ajv.compile(schema)
    return examplesOf(schema).flatMap((example) =>
      validate(example) ? [] : [`${name}: the example ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`],
    )
  } catch (thrown) {
    return [`${name}: ${String(thrown)}`]
  }
}

function strictAjv(described: unknown): Ajv2020 {
  // In JSON Schema, a list of types allows null. A schema next to `allOf` has the type of its parts.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: true, inlineRefs: false, logger: false })
  formats.default(ajv)
  // OpenAPI has its own keywords, which do not restrict values.
  ajv.addVocabulary([...new Set(['discriminator', 'example', ...extensionsIn(described)])])
  return ajv
}

/** Returns the names of the members that begin with `x-`, anywhere in a value. */
function extensionsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.keys(value).filter((name) => name.startsWith('x-'))
  return [...own, ...Object.values(value).flatMap((member) => extensionsIn(member))]
}

/** Returns the schemas of parameters, headers and bodies. */
function schemasIn(value: unknown): readonly Json[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === 'schema' ? [member as Json] : schemasIn(member),
  )
}

/** Returns the schemas that have examples. */
function withExamples(value: unknown): readonly Json[] {
  if (typeof value !== 'object' || value === null) return []
  const own = !Array.isArray(value) && examplesOf(value as Json).length > 0 ? [value as Json] : []
  return [...own, ...Object.values(value).flatMap((member) => withExamples(member))]
}

function examplesOf({ examples }: Json): readonly unknown[] {
  return Array.isArray(examples) ? (examples as readonly unknown[]) : []
}
