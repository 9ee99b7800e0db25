import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildContext, BuildRule, DeclaredType } from '../declared/build-rule.js'
import { settingFault, typeLabel } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { idempotencyByServer } from '../declared/idempotency-settings.js'
import { acceptsIdempotencyKeys } from '../declared/accepts-idempotency-keys.js'

/**
 * Checks the settings `idempotency` of each server, and that every type that is written on such a server is in a store that can
 * commit a response together with the write.
 */
export const idempotency: BuildRule = (context) => [...settingFaults(context), ...storeFaults(context)]

const optionRules: Readonly<Record<string, readonly [holds: (value: unknown) => boolean, remedy: string]>> = {
  expiresAfter: [(value) => Number.isSafeInteger(value) && Number(value) > 0, 'give a whole number of seconds above 0'],
  maxKeys: [(value) => Number.isSafeInteger(value) && Number(value) > 0, 'give a whole number of keys above 0'],
  callerKey: [(value) => typeof value === 'function', 'give a function: callerKey: (caller) => caller.id'],
}

function settingFaults({ settings }: BuildContext): readonly BuildFault[] {
  const servers: Readonly<Record<string, unknown>> = isPlainObject(settings.servers) ? settings.servers : {}
  const named = Object.entries(servers).map(([name, server]) => {
    return [`servers.${name}.idempotency`, isPlainObject(server) ? server['idempotency'] : undefined] as const
  })
  const declared = [['idempotency', settings.idempotency as unknown] as const, ...named]
  const faults = declared.flatMap(([member, value]) => (value === undefined ? [] : valueFaults(member, value)))
  const isTwice =
    settings.idempotency !== undefined &&
    named.some(([member, value]) => member === 'servers.default.idempotency' && value !== undefined)
  if (!isTwice) return faults
  const remedy = "leave one of them out: both are of the server 'default'"
  return [...faults, settingFault('idempotency', "is also declared as 'servers.default.idempotency'", remedy)]
}

function valueFaults(member: string, value: unknown): readonly BuildFault[] {
  if (typeof value === 'boolean') return []
  if (!isPlainObject(value)) {
    return [settingFault(member, `is ${describeValue(value)}`, 'give true, or an object: { expiresAfter: 86_400 }')]
  }
  return Object.entries(value).flatMap(([name, option]) => {
    const [holds, remedy] = Object.hasOwn(optionRules, name) ? (optionRules[name] ?? []) : []
    if (holds === undefined || remedy === undefined) {
      const names = Object.keys(optionRules).join(', ')
      return [settingFault(`${member}.${name}`, 'is not an option', `use ${names}`)]
    }
    return option === undefined || holds(option)
      ? []
      : [settingFault(`${member}.${name}`, `is ${describeValue(option)}`, remedy)]
  })
}

function storeFaults(context: BuildContext): readonly BuildFault[] {
  const without = new Map<DeclaredType, string>()
  for (const server of idempotencyByServer(context.settings).keys()) {
    for (const declared of context.typesByServer.get(server)?.values() ?? []) {
      if (acceptsIdempotencyKeys(declared.type) && !storesResponses(declared)) without.set(declared, server)
    }
  }
  return [...without].map(([declared, server]) => ({
    type: typeLabel(declared),
    member: 'persister',
    problem: `cannot store responses for the setting 'idempotency' of the server '${server}'`,
    remedy: 'put the type into a store that can, such as memoryData() or sqlData(), or on a server without the setting',
  }))
}

function storesResponses({ persisterStore, transactions }: DeclaredType): boolean {
  return persisterStore?.idempotency !== undefined && transactions !== null
}
