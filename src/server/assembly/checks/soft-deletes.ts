import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { knownColumns } from './known-columns.js'
import { isAlwaysDeferred } from './deferred-writes.js'
import { oneOf, describeValue } from '../declared/describe-value.js'
import type { OptionShape, OptionShapes } from '../declared/option-shapes.js'
import { flag, isNonEmptyText, nonEmptyText, oneOfValues, optionFaults } from '../declared/option-shapes.js'

const name = nonEmptyText('give a string')

const abilityName: OptionShape = {
  holds: (value) => value === false || isNonEmptyText(value),
  remedy: 'name an ability of the policy, or give false',
}

const shapes: OptionShapes = Object.freeze({
  column: name,
  as: oneOfValues(['date', 'text'], "give 'date' or 'text'"),
  restore: flag,
  forceDelete: flag,
  restoreAbility: abilityName,
  forceDeleteAbility: abilityName,
  restorePath: name,
  forcePath: name,
})

const unknown = { problem: 'is not an option of softDeletes', remedy: 'remove it, or correct its spelling' }

/** Checks that soft deletes have a column that only they write, and actions at paths that no other action uses. */
export const softDeletes: BuildRule = eachType((declared) => {
  const options = declared.rawMembers['softDeletes']
  if (options === undefined || options === null) return []
  const invalid = shapeFaults(options)
  if (invalid.length > 0) return invalid
  return [...columnFaults(declared), ...persisterFaults(declared), ...deferredFaults(declared), ...pathFaults(declared)]
})

function shapeFaults(options: unknown): readonly TypeFault[] {
  if (options === true) return []
  if (!isPlainObject(options)) {
    const remedy = "give true, or options: softDeletes: { column: 'deletedAt' }"
    return [{ member: 'softDeletes', problem: `is ${describeValue(options)}`, remedy }]
  }
  return optionFaults('softDeletes', options, shapes, unknown)
}

function columnFaults({ type }: DeclaredType): readonly TypeFault[] {
  const column = type.softDeletes?.column ?? ''
  const known = knownColumns(type)
  if (known !== null && !known.includes(column)) {
    const problem = `uses the column ${describeValue(column)}, which the model ${describeValue(type.model?.name)} does not have`
    return [{ member: 'softDeletes', problem, remedy: `name ${oneOf(known)} as the column` }]
  }
  if (type.ids.some((id) => keyColumns(id.column).some((each) => each === column))) {
    const problem = `uses the column ${describeValue(column)}, which is the column of the id`
    return [{ member: 'softDeletes', problem, remedy: 'name another column' }]
  }
  return type.attributes
    .filter((attribute) => attribute.column === column)
    .flatMap((attribute) => attributeFaults(attribute, type.softDeletes?.as === 'text'))
}

/**
 * An attribute may expose the column if its kind fits and it is read-only: only deletes and the actions write the
 * column.
 */
function attributeFaults({ name: member, spec }: CompiledAttribute, isText: boolean): readonly TypeFault[] {
  const usesColumn = 'uses the column of softDeletes'
  const { comparedAs } = spec.kind
  if (comparedAs !== 'moment' && !(isText && comparedAs === 'text')) {
    return [{ member, problem: `${usesColumn}, but is not a date and time`, remedy: 'declare it with a.dateTime()' }]
  }
  const faults: TypeFault[] = []
  if (!spec.constraints.some(({ kind }) => kind === 'nullable')) {
    faults.push({ member, problem: `${usesColumn}, but is not nullable`, remedy: 'add nullable()' })
  }
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  if (!isReadOnly && spec.hidden !== true) {
    faults.push({ member, problem: `${usesColumn}, but clients can write it`, remedy: 'make it readOnly()' })
  }
  return faults
}

/** If deletes are exposed, a missing persister is reported by the rule exposedWrites. */
function persisterFaults({ type, persister }: DeclaredType): readonly TypeFault[] {
  const hasActions = type.actions.some(({ builtIn }) => builtIn !== null)
  if (persister !== null || !hasActions || type.operations.has('Delete')) return []
  return [
    {
      member: 'softDeletes',
      problem: 'has actions that write, but the type has no persister',
      remedy: "give the type a persister, put a store that writes it under 'data', or remove restore and forceDelete",
    },
  ]
}

/** Soft deletes and restores are updates of the row, so an update that is always deferred would never mark a row. */
function deferredFaults({ type }: DeclaredType): readonly TypeFault[] {
  const marksRows = type.operations.has('Delete') || type.actions.some(({ builtIn }) => builtIn === 'restore')
  if (!marksRows || !isAlwaysDeferred(type.responses.update)) return []
  return [
    {
      member: 'softDeletes',
      problem: 'marks rows by an update, but updates are always deferred: update has no response but accepted()',
      remedy: 'declare update: [ok(), accepted(…)], and return the row from the persister when it marks one',
    },
  ]
}

function pathFaults({ type: { actions } }: DeclaredType): readonly TypeFault[] {
  const repeated = actions.filter(({ path, builtIn }, index) => {
    return builtIn !== null && actions.findIndex((action) => action.path === path) !== index
  })
  return repeated.map(({ path, builtIn }) => ({
    member: 'softDeletes',
    problem: `has an action at the path ${describeValue(path)}, which another action uses`,
    remedy: `name another path as the ${builtIn === 'forceDelete' ? 'forcePath' : 'restorePath'}, or set ${builtIn}: false`,
  }))
}
