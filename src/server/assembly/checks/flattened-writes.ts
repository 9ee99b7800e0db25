import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { endColumn } from '../../../declare/resource/reading/flattened-chain.js'
import type { CompiledAttribute, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { refuseToMany, walkPath } from './relation-paths.js'

/**
 * Checks flattened attributes that clients may write: a persister writes them, the write is not deferred, no two of
 * them write the same column, and none of them writes an id.
 */
export const flattenedWrites: BuildRule = eachType((declared, context) => {
  const { type, hydrator } = declared
  if (hydrator !== null) return []
  const writers = new Map<string, string>()
  return type.attributes.flatMap(({ name, spec }): readonly TypeFault[] => {
    const { on } = spec
    const written = on === null ? [] : writesOf(spec, type)
    if (on === null || written.length === 0) return []
    const deferred = written.find((member) => type.responses[member].some(({ kind }) => kind === 'accepted'))
    if (deferred !== undefined) {
      return [
        {
          member: name,
          problem: `is written after the resource, but '${deferred}' may defer that with accepted()`,
          remedy: 'make it readOnly()',
        },
      ]
    }
    const chain = `on('${on.join('.')}')`
    // An invalid chain is reported by the rule flattenedChains.
    const end = walkPath(declared, on, { context, refuse: refuseToMany })
    const [last] = end.kind === 'types' ? end.types : []
    if (last === undefined) return []
    const problem = problemAt(last, spec.storedAs ?? name)
    if (problem !== null) return [{ member: name, problem, remedy: 'make it readOnly()' }]
    const column = endColumn(last.type, spec.storedAs ?? name)
    const other = writers.get(`${chain} ${column}`)
    writers.set(`${chain} ${column}`, other ?? name)
    if (other === undefined) return []
    return [
      {
        member: name,
        problem: `writes the column '${column}' at the end of ${chain}, which '${other}' writes too`,
        remedy: 'make it readOnly()',
      },
    ]
  })
})

function problemAt({ type, persister }: DeclaredType, attribute: string): string | null {
  if (persister === null) return `is written to rows of '${type.type}', which have no persister`
  return keyColumns(type.id.column).includes(endColumn(type, attribute))
    ? `would change the ids of '${type.type}'`
    : null
}

/** The operations in which clients may write an attribute, as declarations spell them. */
function writesOf(
  { hidden, computed, readOnlyOnCreate, readOnlyOnUpdate }: CompiledAttribute['spec'],
  { operations }: CompiledType,
): readonly ('create' | 'update')[] {
  if (hidden === true || computed) return []
  return [
    ...(operations.has('Create') && readOnlyOnCreate !== true ? (['create'] as const) : []),
    ...(operations.has('Update') && readOnlyOnUpdate !== true ? (['update'] as const) : []),
  ]
}
