import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue, oneOf } from '../declared/describe-value.js'
import type { OptionShapes } from '../declared/option-shapes.js'
import { flag, isNonEmptyText, nonEmptyText, oneOfValues, optionFaults } from '../declared/option-shapes.js'
import { knownColumns } from './known-columns.js'

const shapes: OptionShapes = Object.freeze({
  column: nonEmptyText('name a column'),
  as: oneOfValues(['integer', 'instant'], "give 'integer' or 'instant'"),
  hash: oneOfValues([true], 'give true, or remove it'),
  required: flag,
  inMeta: flag,
})

const unknown = { problem: 'is not an option of version', remedy: 'remove it, or correct its spelling' }

/** Checks that a version has a column that only writes of the service set, or is a hash, and the column of `lastModified`. */
export const versions: BuildRule = eachType((declared) => {
  const given = declared.rawMembers['version']
  const invalid = given === undefined || given === null ? [] : shapeFaults(given)
  const ofVersion = invalid.length > 0 ? invalid : columnFaults(declared)
  const { type } = declared
  return type.lastModified === null
    ? ofVersion
    : [...ofVersion, ...absentColumn(type, 'lastModified', type.lastModified)]
})

function absentColumn(type: DeclaredType['type'], member: string, column: string): readonly TypeFault[] {
  const known = knownColumns(type)
  if (known === null || known.includes(column)) return []
  const problem = `uses the column ${describeValue(column)}, which the model ${describeValue(type.model?.name)} does not have`
  return [{ member, problem, remedy: `name ${oneOf(known)} as the column` }]
}

function shapeFaults(given: unknown): readonly TypeFault[] {
  if (isNonEmptyText(given)) return []
  if (!isPlainObject(given)) {
    const remedy = 'name a column, give options: version: { hash: true }, or null for no version'
    return [{ member: 'version', problem: `is ${describeValue(given)}`, remedy }]
  }
  const faults = optionFaults('version', given, shapes, unknown)
  return faults.length > 0 ? faults : contradictions(given)
}

function contradictions({ column, hash, as }: Readonly<Record<string, unknown>>): readonly TypeFault[] {
  const member = 'version'
  if (column === undefined && hash === undefined) {
    return [{ member, problem: 'has neither a column nor a hash', remedy: 'name a column, or set hash: true' }]
  }
  if (column !== undefined && hash !== undefined) {
    return [{ member, problem: 'has both a column and a hash', remedy: 'remove one of them' }]
  }
  if (as !== undefined && (hash !== undefined || column === 'xmin')) {
    return [{ member: 'version.as', problem: 'describes a column, but this version has none', remedy: 'remove it' }]
  }
  return []
}

function columnFaults({ type }: DeclaredType): readonly TypeFault[] {
  const { version, softDeletes } = type
  const column = version?.column ?? null
  if (version === null || column === null) return []
  const uses = `uses the column ${describeValue(column)}`
  const absent = version.kind === 'xmin' ? [] : absentColumn(type, 'version', column)
  if (absent.length > 0) return absent
  if (type.ids.some((id) => keyColumns(id.column).includes(column))) {
    return [{ member: 'version', problem: `${uses}, which is the column of the id`, remedy: 'name another column' }]
  }
  if (softDeletes?.column === column) {
    return [{ member: 'version', problem: `${uses}, which is that of softDeletes`, remedy: 'name another column' }]
  }
  return type.attributes
    .filter((attribute) => attribute.column === column)
    .flatMap((attribute) => attributeFaults(attribute, version.kind === 'instant'))
}

/** An attribute may expose the column if its kind fits and it is read-only. */
function attributeFaults({ name: member, spec }: CompiledAttribute, isInstant: boolean): readonly TypeFault[] {
  const usesColumn = 'uses the column of the version'
  const fits = spec.kind.comparedAs === (isInstant ? 'moment' : 'number')
  if (!fits) {
    const [expected, kit] = isInstant ? ['a date and time', 'a.dateTime()'] : ['an integer', 'a.integer()']
    return [{ member, problem: `${usesColumn}, but is not ${expected}`, remedy: `declare it with ${kit}` }]
  }
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  if (isReadOnly || spec.hidden === true) return []
  return [{ member, problem: `${usesColumn}, but clients can write it`, remedy: 'make it readOnly()' }]
}
