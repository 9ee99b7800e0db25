import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'

export type Section = 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies'

/** The components of a document. Each is created when something refers to it for the first time. */
export interface Components {
  /** Returns a reference to a component. */
  ref(section: Section, name: string, create: () => JsonSchema): JsonSchema
  /** Returns a reference to a schema. */
  schema(name: string, create: () => JsonSchema): JsonSchema
  /** Returns the component of a reference; anything else as it is. */
  resolve(given: JsonSchema): JsonSchema
  /** Returns all components, those of each section in the order of their names. */
  all(): JsonSchema
}

export function newComponents(): Components {
  const sections = new Map<Section, Map<string, JsonSchema>>([
    ['schemas', new Map()],
    ['parameters', new Map()],
    ['headers', new Map()],
    ['responses', new Map()],
    ['requestBodies', new Map()],
  ])
  // A document refers to most components many times: all references are the same object.
  const references = new Map<string, JsonSchema>()
  const ref: Components['ref'] = (section, name, create) => {
    const $ref = `#/components/${section}/${name}`
    const known = references.get($ref)
    if (known !== undefined) return known
    // A schema may refer to itself, so the reference is known before the schema is.
    const reference = Object.freeze({ $ref })
    references.set($ref, reference)
    sections.get(section)?.set(name, create())
    return reference
  }
  return {
    ref,
    schema: (name, create) => ref('schemas', name, create),
    resolve(given) {
      const { $ref } = given
      if (typeof $ref !== 'string') return given
      const [, , section = '', name = ''] = $ref.split('/')
      return sections.get(section as Section)?.get(name) ?? given
    },
    all: () =>
      Object.fromEntries(
        [...sections].filter(([, known]) => known.size > 0).map(([section, known]) => [section, sorted(known)]),
      ),
  }
}

function sorted(known: ReadonlyMap<string, JsonSchema>): JsonSchema {
  return Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
