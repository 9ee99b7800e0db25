import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { faultsByServer } from '../declared/option-shapes.js'

/** Checks that the middleware of each server is a list of functions, declared in one place. */
export const middleware: BuildRule = (context) => faultsByServer(context, 'middleware', faultsOf)

function faultsOf(member: string, list: unknown): readonly BuildFault[] {
  const remedy = 'give a list of functions: [(context, next) => next()]'
  if (!Array.isArray(list)) return [settingFault(member, `is ${describeValue(list)}`, remedy)]
  return list.flatMap((entry: unknown, index) =>
    typeof entry === 'function' ? [] : [settingFault(`${member}[${index}]`, `is ${describeValue(entry)}`, remedy)],
  )
}
