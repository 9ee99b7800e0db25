import { thrownMessage } from '../../errors/describe-thrown.js'
import type { DeclarationFault } from '../declaration-fault.js'

export interface DeclaredMembers {
  readonly members: readonly (readonly [name: string, declared: unknown])[]
  readonly faults: readonly DeclarationFault[]
}

/**
 * What an author declared by name: an object, or a function of a kit that answers one. `example` shows how it is written.
 * Never throws.
 */
export function declaredMembers(given: unknown, kit: unknown, example: string): DeclaredMembers {
  if (given === undefined || given === null) return { members: [], faults: [] }
  let declared: unknown = given
  if (typeof given === 'function') {
    try {
      declared = given(kit)
    } catch (thrown) {
      return faulty(`the function threw: ${thrownMessage(thrown)}`, 'mend it, it has to answer what it declares')
    }
  }
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
    return faulty('declares nothing', `give an object, or a function that answers one: ${example}`)
  }
  if ('then' in declared && typeof declared.then === 'function') {
    return faulty('answers later, with a promise', 'make the function answer the object itself')
  }
  return { members: Object.entries(declared), faults: [] }
}

function faulty(problem: string, remedy: string): DeclaredMembers {
  return { members: [], faults: [Object.freeze({ problem, remedy })] }
}
