import { isHydrator } from '../../resource/capabilities/hydrator.js'
import { isSerializer } from '../../resource/capabilities/serializer.js'
import { atOnce, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

/** The service of a name, `undefined` where none is registered. */
export function serviceNamed(services: unknown, name: string): unknown {
  if (typeof services !== 'object' || services === null || !Object.hasOwn(services, name)) return undefined
  return (services as Readonly<Record<string, unknown>>)[name]
}

interface Contract {
  readonly member: 'serializer' | 'hydrator'
  readonly keeps: (service: unknown) => boolean
  readonly parts: string
}

const contracts: readonly Contract[] = [
  { member: 'serializer', keeps: isSerializer, parts: "a function 'serialize' and a list 'members'" },
  { member: 'hydrator', keeps: isHydrator, parts: "a function 'hydrate'" },
]

/** Serializers and hydrators are registered, where they are named, and do what their name says. */
export const namedServices: BuildRule = eachType(({ given }, { settings }) =>
  contracts.flatMap((contract) => {
    const service = given[contract.member]
    if (service === undefined || service === null) return []
    return [...judge(contract, service, settings.services), ...lateShapes(contract.member, service, settings.services)]
  }),
)

/** Writes are awaited; what is rendered is not. */
function lateShapes(member: string, given: unknown, services: unknown): readonly TypeFault[] {
  const service = typeof given === 'string' ? serviceNamed(services, given) : given
  const late = member === 'serializer' && isSerializer(service) && isAsyncFunction(Reflect.get(service, 'serialize'))
  if (!late) return []
  return [{ member, problem: "has an async function as 'serialize'", remedy: atOnce }]
}

function judge({ member, keeps, parts }: Contract, given: unknown, services: unknown): readonly TypeFault[] {
  if (typeof given !== 'string') {
    if (keeps(given)) return []
    return [{ member, problem: `${shown(given)} is no ${member}`, remedy: `give an object with ${parts}` }]
  }
  const service = serviceNamed(services, given)
  if (service === undefined) {
    return [
      {
        member,
        problem: `names the service ${shown(given)}, which is not registered`,
        remedy: `register it in the settings: services: { '${given}': … }`,
      },
    ]
  }
  if (keeps(service)) return []
  return [
    {
      member,
      problem: `names the service ${shown(given)}, which is no ${member}`,
      remedy: `register an object with ${parts}`,
    },
  ]
}
