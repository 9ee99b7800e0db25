import { isPersister } from '../../resource/capabilities/persister.js'
import { isProvider } from '../../resource/capabilities/provider.js'
import type { BuildRule } from './build-rule.js'
import { eachType } from './build-rule.js'
import { shown } from './shown.js'

/** A type's own provider and persister have the functions that they are called with. */
export const givenCapabilities: BuildRule = eachType(({ given: { provider, persister } }) => [
  ...(isAbsent(provider) || isProvider(provider)
    ? []
    : [
        {
          member: 'provider',
          problem: `${shown(provider)} is no provider`,
          remedy: "give an object with a function 'fetchOne' and, for collections, 'fetchCollection'",
        },
      ]),
  ...(isProvider(provider) && provider.fetchCollection !== undefined && typeof provider.fetchCollection !== 'function'
    ? [{ member: 'provider', problem: "has a 'fetchCollection' that is no function", remedy: 'make it one' }]
    : []),
  ...(isAbsent(persister) || isPersister(persister)
    ? []
    : [
        {
          member: 'persister',
          problem: `${shown(persister)} is no persister`,
          remedy: "give an object with the functions 'create', 'update' and 'delete'",
        },
      ]),
])

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
