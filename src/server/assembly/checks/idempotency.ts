import type { BuildFault } from '../declared/build-fault.js'
import type { BuildContext, BuildRule, DeclaredType } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'
import { idempotencyByServer } from '../declared/idempotency-settings.js'
import { acceptsIdempotencyKeys } from '../declared/accepts-idempotency-keys.js'
import type { OptionShapes } from '../declared/option-shapes.js'
import { faultsByServer, settingFaults, wholeNumber } from '../declared/option-shapes.js'

/**
 * Checks the settings `idempotency` of each server, and that every type that is written on such a server is in a store that can
 * commit a response together with the write.
 */
export const idempotency: BuildRule = (context) => [
  ...faultsByServer(context, 'idempotency', optionFaultsOf),
  ...storeFaults(context),
]

const shapes: OptionShapes = Object.freeze({
  expiresAfter: wholeNumber(1, 'give a whole number of seconds above 0'),
  maxKeys: wholeNumber(1, 'give a whole number of keys above 0'),
  callerKey: {
    holds: (value) => typeof value === 'function',
    remedy: 'give a function: callerKey: (caller) => caller.id',
  },
})

function optionFaultsOf(member: string, value: unknown): readonly BuildFault[] {
  return settingFaults(member, value, {
    remedy: 'give true, or an object: { expiresAfter: 86_400 }',
    otherwise: (given) => typeof given === 'boolean',
    shapes,
    unknown: { problem: 'is not an option', remedy: `use ${Object.keys(shapes).join(', ')}` },
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
