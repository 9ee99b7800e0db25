import { endColumn } from '../../resource/reading/flattened-chain.js'
import type { CompiledAttribute, CompiledType } from '../../resource/compiled-type.js'
import type { BuildRule, DeclaredType, TypeFault } from './build-rule.js'
import { eachType } from './build-rule.js'
import { refuseToMany, walkPath } from './relation-paths.js'

/** Flattened attributes that clients may write have somebody who writes them, one each, and leave keys alone. */
export const flattenedWrites: BuildRule = eachType((declared, world) => {
  const { type, hydrator } = declared
  if (hydrator !== null) return []
  const writers = new Map<string, string>()
  return type.attributes.flatMap(({ name: member, spec }): readonly TypeFault[] => {
    const { on } = spec
    if (on === null || !isWritten(spec, type)) return []
    const chain = `on('${on.join('.')}')`
    // A chain that leads nowhere is told by another rule.
    const end = walkPath(declared, on, { world, refuse: refuseToMany })
    const [last] = end.kind === 'types' ? end.types : []
    if (last === undefined) return []
    const problem = problemAt(last, spec.storedAs ?? member)
    if (problem !== null) return [{ member, problem, remedy: 'make it readOnly()' }]
    const column = endColumn(last.type, spec.storedAs ?? member)
    const other = writers.get(`${chain} ${column}`)
    writers.set(`${chain} ${column}`, other ?? member)
    if (other === undefined) return []
    return [
      {
        member,
        problem: `writes the column '${column}' at the end of ${chain}, which '${other}' writes too`,
        remedy: 'make it readOnly()',
      },
    ]
  })
})

function problemAt({ type, persister }: DeclaredType, attribute: string): string | null {
  if (persister === null) return `is written to rows of '${type.type}', which have no persister`
  return endColumn(type, attribute) === type.id.column ? `would change the ids of '${type.type}'` : null
}

function isWritten(
  { hidden, computed, readOnlyOnCreate, readOnlyOnUpdate }: CompiledAttribute['spec'],
  { operations }: CompiledType,
): boolean {
  if (hidden === true || computed) return false
  const created = operations.has('Create') && readOnlyOnCreate !== true
  return created || (operations.has('Update') && readOnlyOnUpdate !== true)
}
