import type { ResourceOperation } from '../../resource/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { listed } from '../declared/shown.js'

const rendering: readonly ResourceOperation[] = ['FetchCollection', 'FetchOne', 'Create', 'Update']
const hydrating: readonly ResourceOperation[] = ['Create', 'Update']

/** A type made of capabilities has a serializer behind what renders it and a hydrator behind what it is written with. */
export const exposedShapes: BuildRule = eachType(({ type, given }) => {
  if (type.origin === 'resource') return []
  const rendered = rendering.filter((operation) => type.operations.has(operation))
  const hydrated = hydrating.filter((operation) => type.operations.has(operation))
  return [
    ...(rendered.length === 0 || isGiven(given['serializer'])
      ? []
      : [
          {
            member: 'serializer',
            problem: `is missing, and ${listed(rendered)} cannot do without`,
            remedy: 'give one, or declare the type with defineResource(), whose attributes say how it is rendered',
          },
        ]),
    ...(hydrated.length === 0 || isGiven(given['hydrator'])
      ? []
      : [
          {
            member: 'hydrator',
            problem: `is missing, and ${listed(hydrated)} cannot do without`,
            remedy: 'give one, or declare the type with defineResource(), whose attributes say how it is written',
          },
        ]),
  ]
})

function isGiven(service: unknown): boolean {
  return service !== undefined && service !== null
}
