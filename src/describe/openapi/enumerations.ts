import type { Api } from './described-server.js'
import type { EnumerationSchema } from './value-schema.js'
import { enumerationSchema } from './value-schema.js'

/** Returns a function that describes enumerations: one with a name is a component. */
export function enumerations({ components, names }: Pick<Api, 'components' | 'names'>): EnumerationSchema {
  return (enumeration) => {
    const name = names.ofEnumeration(enumeration)
    if (name === null) return enumerationSchema(enumeration)
    return components.schema(name, () => enumerationSchema(enumeration))
  }
}
