import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { exportMediaTypes } from '../../../declare/resource/parts/export.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import type { OptionShapes } from '../declared/option-shapes.js'
import { flag, oneOfValues, optionFaults, wholeNumber } from '../declared/option-shapes.js'

const formats: readonly unknown[] = Object.keys(exportMediaTypes)

const shapes: OptionShapes = Object.freeze({
  formats: {
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every((each) => formats.includes(each)),
    remedy: "give a list of 'ndjson', 'csv' and 'json'",
  },
  maxRows: wholeNumber(1),
  seconds: wholeNumber(1),
  idleSeconds: wholeNumber(1),
  csv: { holds: isPlainObject, remedy: "give options: { bom: true, formulas: 'keep' }" },
})

const csvShapes: OptionShapes = Object.freeze({
  bom: flag,
  formulas: oneOfValues(['escape', 'keep'], "give 'escape' or 'keep'"),
})

const unknown = { problem: 'is not an option of export', remedy: 'remove it, or correct its spelling' }

/** Checks that an export has valid options, and that the type has a collection whose columns are known. */
export const exports: BuildRule = eachType((declared) => {
  const given = declared.rawMembers['export']
  if (given === undefined || given === null || given === false) return []
  const faults = shapeFaults(given)
  return faults.length > 0 ? faults : typeFaults(declared)
})

function shapeFaults(given: unknown): readonly TypeFault[] {
  if (given === true) return []
  if (!isPlainObject(given)) {
    const remedy = "give true, or options: export: { formats: ['csv'] }"
    return [{ member: 'export', problem: `is ${describeValue(given)}`, remedy }]
  }
  const { csv } = given
  return [
    ...optionFaults('export', given, shapes, unknown),
    ...(isPlainObject(csv) ? optionFaults('export.csv', csv, csvShapes, unknown) : []),
  ]
}

function typeFaults({ type, rawMembers }: DeclaredType): readonly TypeFault[] {
  const member = 'export'
  if (!type.operations.has('FetchCollection')) {
    const remedy = "add 'FetchCollection' to 'operations', or remove the export"
    return [{ member, problem: 'exports a collection, but the type does not serve one', remedy }]
  }
  if (rawMembers['serializer'] === undefined || rawMembers['serializer'] === null) return []
  const problem = 'exports declared attributes, but the type has a serializer'
  return [{ member, problem, remedy: 'remove the serializer, or the export' }]
}
