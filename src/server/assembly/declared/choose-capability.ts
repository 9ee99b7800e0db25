import type { DataSource } from '../../../stores/common/data-source.js'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { scopeReaders, shortcutsFor } from '../../../declare/resource/capabilities/own-functions.js'
import type { Persister } from '../../../declare/resource/capabilities/persister.js'
import { isPersister } from '../../../declare/resource/capabilities/persister.js'
import type { Provider, ReadFunctions } from '../../../declare/resource/capabilities/provider.js'
import { isProvider } from '../../../declare/resource/capabilities/provider.js'
import type { DeclarationFault } from '../../../declare/resource/parts/declaration-fault.js'
import { describeValue } from './describe-value.js'

/** The contract of a provider or a persister. */
interface CapabilityContract<Capability extends object> {
  /** The member of the declaration. */
  readonly member: 'provider' | 'persister'
  readonly isValid: (value: unknown) => value is Capability
  /** The names of all functions of the contract. */
  readonly methods: readonly (keyof Capability)[]
  /** Returns what an object states about its functions, with copies of the functions in their place. */
  readonly stated: (capability: Capability, functions: Partial<Capability>) => Partial<Capability>
  /** Names the functions that an object must have. */
  readonly remedy: string
}

export const providerContract: CapabilityContract<Provider> = Object.freeze<CapabilityContract<Provider>>({
  member: 'provider',
  isValid: isProvider,
  methods: ['fetchOne', 'fetchCollection', 'fetchRelated', 'countRelated', 'fetchGroups'],
  stated(provider, functions) {
    const readers = scopeReaders(provider)
    const accepting = Object.entries(functions).filter(([name]) => readers[name as keyof ReadFunctions])
    return { acceptsScopes: Object.fromEntries(accepting) }
  },
  remedy: "give an object with a function 'fetchOne' and, for collections, 'fetchCollection'",
})

export const persisterContract: CapabilityContract<Persister> = Object.freeze<CapabilityContract<Persister>>({
  member: 'persister',
  isValid: isPersister,
  methods: ['instantiate', 'create', 'update', 'delete', 'mutateRelationship'],
  stated: (persister, functions) => ({ shortcuts: shortcutsFor(functions, persister) }),
  remedy: "give an object with the functions 'create', 'update' and 'delete'",
})

interface ChosenCapability<Capability> {
  readonly capability: Capability | null
  /** The store behind the capability; `null` if the type has its own. */
  readonly source: DataSource | null
  /** The functions that are user-defined, not those of the store. */
  readonly customFunctions: ReadonlySet<keyof Capability>
  /** The fault of the capability in the declaration. */
  readonly fault: DeclarationFault | null
}

/** The capability of a store for the type; `null` if no store has one. */
type StoreCapability<Capability> = { readonly source: DataSource; readonly capability: Capability } | null

/**
 * Returns the capability in the declaration, else that of a store. A function in the declaration wraps that of the
 * store.
 */
export function chooseCapability<Capability extends object>(
  declared: unknown,
  found: StoreCapability<Capability>,
  contract: CapabilityContract<Capability>,
): ChosenCapability<Capability> {
  const { member, isValid, methods, remedy } = contract
  const none: ReadonlySet<keyof Capability> = new Set()
  const ofStore = {
    capability: found?.capability ?? null,
    source: found?.source ?? null,
    customFunctions: none,
    fault: null,
  }
  if (declared === undefined || declared === null) return ofStore
  if (isValid(declared)) return { capability: declared, source: null, customFunctions: new Set(methods), fault: null }
  if (typeof declared === 'function') return { ...ofStore, ...decorated(declared, ofStore.capability, contract) }
  return { ...ofStore, fault: { problem: `${describeValue(declared)} is not a ${member}`, remedy } }
}

function decorated<Capability extends object>(
  decorate: CallableFunction,
  store: Capability | null,
  contract: CapabilityContract<Capability>,
): Omit<ChosenCapability<Capability>, 'source'> {
  const { member, isValid, methods, remedy } = contract
  const withFault = (problem: string, change: string): ReturnType<typeof decorated<Capability>> => {
    return { capability: store, customFunctions: new Set(), fault: { problem, remedy: change } }
  }
  if (store === null) {
    const problem = `is a function that takes the ${member} of a store, but no store has one for this type`
    return withFault(problem, `put a store that serves it under 'data', or ${remedy}`)
  }
  try {
    const original = bound(store, contract)
    const result: unknown = decorate(original)
    if (isValid(result)) return { capability: result, customFunctions: changed(result, original, methods), fault: null }
    return withFault(`the function returns ${describeValue(result)}, which is not a ${member}`, remedy)
  } catch (thrown) {
    return withFault(`the function threw: ${thrownMessage(thrown)}`, `fix it, it must return a ${member}`)
  }
}

/** Returns the functions that differ from those of the store. */
function changed<Capability extends object>(
  wrapped: Capability,
  original: Capability,
  methods: readonly (keyof Capability)[],
): ReadonlySet<keyof Capability> {
  return new Set(methods.filter((method) => wrapped[method] !== original[method]))
}

/**
 * Returns a copy with the functions as own properties, so that it can be spread even if it is an instance of a class.
 */
function bound<Capability extends object>(
  capability: Capability,
  { methods, stated }: CapabilityContract<Capability>,
): Capability {
  const functions: Partial<Capability> = {}
  for (const method of methods) {
    const value = capability[method]
    if (typeof value === 'function') functions[method] = value.bind(capability) as Capability[typeof method]
  }
  return { ...capability, ...functions, ...stated(capability, functions) }
}
