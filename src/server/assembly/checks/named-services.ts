import { isHydrator } from '../../../declare/resource/fields/hydrator.js'
import { isSerializer } from '../../../declare/resource/fields/serializer.js'
import { synchronousRemedy, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Returns the service with a name, or `undefined` if none is registered. */
export function serviceNamed(services: unknown, name: string): unknown {
  if (typeof services !== 'object' || services === null || !Object.hasOwn(services, name)) return undefined
  return (services as Readonly<Record<string, unknown>>)[name]
}

interface Contract {
  readonly member: 'serializer' | 'hydrator'
  readonly isValid: (service: unknown) => boolean
  /** The members that an implementation must have. */
  readonly parts: string
}

const contracts: readonly Contract[] = [
  { member: 'serializer', isValid: isSerializer, parts: "a function 'serialize' and a list or an object 'members'" },
  { member: 'hydrator', isValid: isHydrator, parts: "a function 'hydrate'" },
]

/** Checks that named serializers and hydrators are registered, and that all of them implement their contract. */
export const namedServices: BuildRule = eachType(({ rawMembers: given }, { settings }) =>
  contracts.flatMap((contract) => {
    const service = given[contract.member]
    if (service === undefined || service === null) return []
    return [
      ...serviceFaults(contract, service, settings.services),
      ...asyncFaults(contract.member, service, settings.services),
    ]
  }),
)

/** The result of `serialize` is not awaited; that of `hydrate` is. */
function asyncFaults(member: string, declared: unknown, services: unknown): readonly TypeFault[] {
  const service = typeof declared === 'string' ? serviceNamed(services, declared) : declared
  const isAsync = member === 'serializer' && isSerializer(service) && isAsyncFunction(Reflect.get(service, 'serialize'))
  if (!isAsync) return []
  return [{ member, problem: "has an async function as 'serialize'", remedy: synchronousRemedy }]
}

function serviceFaults(
  { member, isValid, parts }: Contract,
  declared: unknown,
  services: unknown,
): readonly TypeFault[] {
  if (typeof declared !== 'string') {
    if (isValid(declared)) return []
    return [
      { member, problem: `${describeValue(declared)} is not a ${member}`, remedy: `give an object with ${parts}` },
    ]
  }
  const service = serviceNamed(services, declared)
  if (service === undefined) {
    return [
      {
        member,
        problem: `names the service ${describeValue(declared)}, which is not registered`,
        remedy: `register it in the settings: services: { '${declared}': … }`,
      },
    ]
  }
  if (isValid(service)) return []
  return [
    {
      member,
      problem: `names the service ${describeValue(declared)}, which is not a ${member}`,
      remedy: `register an object with ${parts}`,
    },
  ]
}
