import type { DataSource } from '../../data/data-source.js'
import { thrownMessage } from '../../errors/describe-thrown.js'
import type { Persister } from '../../resource/capabilities/persister.js'
import { isPersister } from '../../resource/capabilities/persister.js'
import type { Provider } from '../../resource/capabilities/provider.js'
import { isProvider } from '../../resource/capabilities/provider.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import { shown } from './shown.js'

/** A provider or a persister, as the contracts of stores call it. */
interface CapabilityContract<Capability extends object> {
  /** The member of the declaration. */
  readonly member: 'provider' | 'persister'
  readonly isSound: (value: unknown) => value is Capability
  /** The functions that it may have. */
  readonly methods: readonly (keyof Capability)[]
  /** What an object must have to be one. */
  readonly remedy: string
}

export const providerContract: CapabilityContract<Provider> = Object.freeze<CapabilityContract<Provider>>({
  member: 'provider',
  isSound: isProvider,
  methods: ['fetchOne', 'fetchCollection', 'fetchRelated', 'countRelated'],
  remedy: "give an object with a function 'fetchOne' and, for collections, 'fetchCollection'",
})

export const persisterContract: CapabilityContract<Persister> = Object.freeze<CapabilityContract<Persister>>({
  member: 'persister',
  isSound: isPersister,
  methods: ['instantiate', 'create', 'update', 'delete', 'mutateRelationship'],
  remedy: "give an object with the functions 'create', 'update' and 'delete'",
})

interface ChosenCapability<Capability> {
  readonly capability: Capability | null
  /** The store behind it; `null` for one of the type's own. */
  readonly source: DataSource | null
  /** The functions that are the author's, not the store's. */
  readonly own: ReadonlySet<keyof Capability>
  /** What is wrong with the one that was given. */
  readonly fault: DeclarationFault | null
}

/** What a store has for the type. */
type Found<Capability> = { readonly source: DataSource; readonly capability: Capability } | null

/** The type's own before that of a store; a function makes its own of that of the store, which stays behind it. */
export function chooseCapability<Capability extends object>(
  given: unknown,
  found: Found<Capability>,
  contract: CapabilityContract<Capability>,
): ChosenCapability<Capability> {
  const { member, isSound, methods, remedy } = contract
  const own: ReadonlySet<keyof Capability> = new Set()
  const ofStore = { capability: found?.capability ?? null, source: found?.source ?? null, own, fault: null }
  if (given === undefined || given === null) return ofStore
  if (isSound(given)) return { capability: given, source: null, own: new Set(methods), fault: null }
  if (typeof given === 'function') return { ...ofStore, ...decorated(given, ofStore.capability, contract) }
  return { ...ofStore, fault: { problem: `${shown(given)} is no ${member}`, remedy } }
}

function decorated<Capability extends object>(
  decorate: CallableFunction,
  store: Capability | null,
  { member, isSound, methods, remedy }: CapabilityContract<Capability>,
): Omit<ChosenCapability<Capability>, 'source'> {
  const refused = (problem: string, change: string): ReturnType<typeof decorated<Capability>> => {
    return { capability: store, own: new Set(), fault: { problem, remedy: change } }
  }
  if (store === null) {
    const problem = `is a function of the store's ${member}, and no store has one for this type`
    return refused(problem, `put a store that serves it under 'data', or ${remedy}`)
  }
  try {
    const given = bound(store, methods)
    const made: unknown = decorate(given)
    if (isSound(made)) return { capability: made, own: changed(made, given, methods), fault: null }
    return refused(`the function answers ${shown(made)}, which is no ${member}`, remedy)
  } catch (thrown) {
    return refused(`the function threw: ${thrownMessage(thrown)}`, `mend it, it has to answer a ${member}`)
  }
}

/** What an author took over as it was is still the store's. */
function changed<Capability extends object>(
  made: Capability,
  given: Capability,
  methods: readonly (keyof Capability)[],
): ReadonlySet<keyof Capability> {
  return new Set(methods.filter((method) => made[method] !== given[method]))
}

/** With the functions as members of its own, so that an author may spread it, whatever the store made it of. */
function bound<Capability extends object>(capability: Capability, methods: readonly (keyof Capability)[]): Capability {
  const own: Partial<Capability> = {}
  for (const method of methods) {
    const value = capability[method]
    // A function may have members of its own, which belong to it.
    if (typeof value === 'function')
      own[method] = Object.assign(value.bind(capability), value) as Capability[typeof method]
  }
  return { ...capability, ...own }
}
