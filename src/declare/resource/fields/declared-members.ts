import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { DeclarationFault } from '../parts/declaration-fault.js'

export interface DeclaredMembers {
  readonly members: readonly (readonly [name: string, declared: unknown])[]
  readonly faults: readonly DeclarationFault[]
}

/**
 * Returns the members of a declaration: an object, or a function that receives a kit and returns an object. `example`
 * is shown in the remedy of a fault. Never throws.
 */
export function declaredMembers(declaration: unknown, kit: unknown, example: string): DeclaredMembers {
  if (declaration === undefined || declaration === null) return { members: [], faults: [] }
  let declared: unknown = declaration
  if (typeof declaration === 'function') {
    try {
      declared = declaration(kit)
    } catch (thrown) {
      return faulty(
        `the function threw: ${thrownMessage(thrown)}`,
        'fix the function: it has to return an object of declarations',
      )
    }
  }
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
    return faulty('declares nothing', `give an object, or a function that returns one: ${example}`)
  }
  if ('then' in declared && typeof declared.then === 'function') {
    return faulty('returns a promise', 'make the function return the object itself')
  }
  return { members: Object.entries(declared), faults: [] }
}

function faulty(problem: string, remedy: string): DeclaredMembers {
  return { members: [], faults: [Object.freeze({ problem, remedy })] }
}
