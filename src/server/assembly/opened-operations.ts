import type { Abilities } from '../../declare/resource/policy/abilities.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'

/** What everybody may do if an operation needs no ability. */
const opened: Readonly<Record<keyof Abilities, (type: string) => string>> = {
  FetchCollection: (type) => `list the '${type}' that 'view' shows`,
  FetchOne: (type) => `read the '${type}' that 'view' shows`,
  Create: (type) => `create '${type}'`,
  Update: (type) => `update the '${type}' that 'view' shows`,
  Delete: (type) => `delete the '${type}' that 'view' shows`,
}

/** Returns one sentence for each operation that `abilities` of a type with a policy opens to everybody. */
export function openedOperations(types: readonly CompiledType[]): readonly string[] {
  return types.flatMap(({ type, policy, abilities }) => {
    if (policy === null || abilities === null) return []
    const operations = Object.keys(opened) as (keyof Abilities)[]
    return operations
      .filter((operation) => abilities[operation] === false)
      .map((operation) => `'${type}.abilities.${operation}: false' lets every caller ${opened[operation](type)}.`)
  })
}

/** Warns of what every caller may do, once for each service. Does nothing where the runtime has no warnings. */
export function warnOfOpenedOperations(types: readonly CompiledType[]): void {
  const sentences = openedOperations(types)
  if (sentences.length === 0) return
  globalThis.process?.emitWarning?.(sentences.join(' '), { code: 'ASHLAR_OPEN_OPERATIONS' })
}
