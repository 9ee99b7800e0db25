import type { ResourceOperation } from '../../../declare/resource/replies/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { quoteList } from '../declared/describe-value.js'

const renderingOperations: readonly ResourceOperation[] = ['FetchCollection', 'FetchOne', 'Create', 'Update']
const hydratingOperations: readonly ResourceOperation[] = ['Create', 'Update']

/**
 * Checks that a type that is declared with `defineType()` has a serializer if an operation renders it, and a hydrator
 * if an operation writes it.
 */
export const exposedShapes: BuildRule = eachType(({ type, rawMembers: given }) => {
  if (type.origin === 'resource') return []
  const rendered = renderingOperations.filter((operation) => type.operations.has(operation))
  const hydrated = hydratingOperations.filter((operation) => type.operations.has(operation))
  return [
    ...(rendered.length === 0 || isDeclared(given['serializer'])
      ? []
      : [
          {
            member: 'serializer',
            problem: `is missing, but is required by ${quoteList(rendered)}`,
            remedy: 'give one, or declare the type with defineResource(), whose attributes define how it is rendered',
          },
        ]),
    ...(hydrated.length === 0 || isDeclared(given['hydrator'])
      ? []
      : [
          {
            member: 'hydrator',
            problem: `is missing, but is required by ${quoteList(hydrated)}`,
            remedy: 'give one, or declare the type with defineResource(), whose attributes define how it is written',
          },
        ]),
  ]
})

function isDeclared(service: unknown): boolean {
  return service !== undefined && service !== null
}
