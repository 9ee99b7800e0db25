import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Section } from './components.js'
import type { Api } from './described-server.js'

/**
 * Returns a reference to a component that is defined by its content: operations with equal parts refer to the same component.
 *
 * @param wanted the name if no other component has it
 */
export function sharedComponent(
  { components, names }: Pick<Api, 'components' | 'names'>,
  section: Section,
  wanted: string,
  component: JsonSchema,
): JsonSchema {
  return components.ref(section, names.ofContent(section, wanted, component), () => component)
}

/** Returns the name of the component of a reference. */
export function componentName({ $ref }: JsonSchema): string {
  return String($ref).slice(String($ref).lastIndexOf('/') + 1)
}
