import type { CompiledAttribute } from '../../resource/compiled-type.js'
import { isPlainObject } from '../../util/frozen.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { knownColumns } from './known-columns.js'
import { isPutOff } from './put-off-writes.js'
import { oneOf, shown } from '../declared/shown.js'

interface Expectation {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const text: Expectation = { holds: (value) => typeof value === 'string' && value !== '', remedy: 'give a text' }
const flag: Expectation = { holds: (value) => typeof value === 'boolean', remedy: 'give true or false' }

const form: Expectation = { holds: (value) => value === 'date' || value === 'text', remedy: "give 'date' or 'text'" }

const options: Readonly<Record<string, Expectation>> = Object.freeze({
  column: text,
  as: form,
  restore: flag,
  forceDelete: flag,
  restorePath: text,
  forcePath: text,
})

/** Rows that are deleted softly have a column that says so, which nobody else writes, and actions at paths of their own. */
export const softDeletes: BuildRule = eachType((declared) => {
  const given = declared.given['softDeletes']
  if (given === undefined || given === null) return []
  const misshapen = shapeFaults(given)
  if (misshapen.length > 0) return misshapen
  return [...columnFaults(declared), ...persisterFaults(declared), ...putOffFaults(declared), ...pathFaults(declared)]
})

function shapeFaults(given: unknown): readonly TypeFault[] {
  if (given === true) return []
  if (!isPlainObject(given)) {
    const remedy = "give true, or options: softDeletes: { column: 'deletedAt' }"
    return [{ member: 'softDeletes', problem: `is ${shown(given)}`, remedy }]
  }
  return Object.entries(given).flatMap(([option, value]) => {
    const member = `softDeletes.${option}`
    const expected = Object.hasOwn(options, option) ? options[option] : undefined
    if (expected === undefined) {
      return [{ member, problem: 'is no option of soft deletes', remedy: 'take it away, or correct its spelling' }]
    }
    if (value === undefined || expected.holds(value)) return []
    return [{ member, problem: `is ${shown(value)}`, remedy: expected.remedy }]
  })
}

function columnFaults({ type }: DeclaredType): readonly TypeFault[] {
  const column = type.softDeletes?.column ?? ''
  const known = knownColumns(type)
  if (known !== null && !known.includes(column)) {
    const problem = `stands on the column ${shown(column)}, which the model ${shown(type.model?.name)} does not have`
    return [{ member: 'softDeletes', problem, remedy: `name ${oneOf(known)} as the column` }]
  }
  if (type.ids.some((id) => id.column === column)) {
    const problem = `stands on the column ${shown(column)}, which is that of the id`
    return [{ member: 'softDeletes', problem, remedy: 'name a column of its own' }]
  }
  return type.attributes
    .filter((attribute) => attribute.column === column)
    .flatMap((attribute) => attributeFaults(attribute, type.softDeletes?.as === 'text'))
}

/** An attribute may show the column: as what it is, and read-only, since only a delete and the actions write it. */
function attributeFaults({ name: member, spec }: CompiledAttribute, isText: boolean): readonly TypeFault[] {
  const stands = 'stands on the column of softDeletes'
  const { comparedAs } = spec.kind
  if (comparedAs !== 'moment' && !(isText && comparedAs === 'text')) {
    return [{ member, problem: `${stands}, but is no moment`, remedy: 'declare it with a.dateTime()' }]
  }
  const faults: TypeFault[] = []
  if (!spec.constraints.some(({ kind }) => kind === 'nullable')) {
    faults.push({ member, problem: `${stands}, but is never null`, remedy: 'add nullable()' })
  }
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  if (!isReadOnly && spec.hidden !== true) {
    faults.push({ member, problem: `${stands}, which clients could then write`, remedy: 'make it readOnly()' })
  }
  return faults
}

/** The rule for exposed writes speaks of deletes. */
function persisterFaults({ type, persister }: DeclaredType): readonly TypeFault[] {
  const acting = type.actions.some(({ reachesTrashed }) => reachesTrashed)
  if (persister !== null || !acting || type.operations.has('Delete')) return []
  return [
    {
      member: 'softDeletes',
      problem: 'has actions that write, but the type has no persister',
      remedy:
        "give the type a persister, put a store that writes it under 'data', or take restore and forceDelete away",
    },
  ]
}

/** Rows are marked, and come back, by updates; what is always put off marks nothing. */
function putOffFaults({ type }: DeclaredType): readonly TypeFault[] {
  const marking =
    type.operations.has('Delete') || type.actions.some(({ reachesTrashed, removes }) => reachesTrashed && !removes)
  if (!marking || !isPutOff(type.responses.update)) return []
  return [
    {
      member: 'softDeletes',
      problem: 'marks rows by an update, and updates are always put off: update has nothing but accepted()',
      remedy: 'declare update: [ok(), accepted(…)], and let the persister answer a row where it marks one',
    },
  ]
}

function pathFaults({ type: { actions } }: DeclaredType): readonly TypeFault[] {
  const repeated = actions.filter(({ path, reachesTrashed }, index) => {
    return reachesTrashed && actions.findIndex((action) => action.path === path) !== index
  })
  return repeated.map(({ path, removes }) => ({
    member: 'softDeletes',
    problem: `has an action at the path ${shown(path)}, where there is another one`,
    remedy: `name another path as the ${removes ? 'forcePath' : 'restorePath'}, or say ${removes ? 'forceDelete' : 'restore'}: false`,
  }))
}
