import { thrownMessage } from '../../errors/describe-thrown.js'
import type { MemberFault } from '../compiled-type.js'

export interface DeclaredMembers {
  readonly members: readonly (readonly [name: string, declared: unknown])[]
  readonly faults: readonly MemberFault[]
}

/** What an author wrote under `attributes`, `relations`, `filters` or `sorts`: an object, or a function of a kit. */
export function declaredMembers(given: unknown, member: string, kit: unknown): DeclaredMembers {
  if (given === undefined || given === null) return { members: [], faults: [] }
  let declared: unknown = given
  if (typeof given === 'function') {
    try {
      declared = given(kit)
    } catch (thrown) {
      return faulty(
        member,
        `the function threw: ${thrownMessage(thrown)}`,
        'mend it, it has to answer what it declares',
      )
    }
  }
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
    return faulty(member, 'declares nothing', `give an object, or a function that answers one: ${member}: () => ({})`)
  }
  if ('then' in declared && typeof declared.then === 'function') {
    return faulty(member, 'answers later, with a promise', 'make the function answer the object itself')
  }
  return { members: Object.entries(declared), faults: [] }
}

function faulty(member: string, problem: string, remedy: string): DeclaredMembers {
  return { members: [], faults: [Object.freeze({ member, problem, remedy })] }
}
