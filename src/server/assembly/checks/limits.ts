import type { Limits } from '../declared/server-settings.js'
import type { BuildRule } from '../declared/build-rule.js'
import { oneOf } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'
import { settingFaults, wholeNumber } from '../declared/option-shapes.js'

const positive = wholeNumber(1)

const shapes: Readonly<Record<keyof Limits, OptionShape>> = Object.freeze({
  bodyBytes: positive,
  jsonDepth: positive,
  uriLength: positive,
  includePaths: positive,
  sortKeys: positive,
  filterValues: positive,
  queryFilterValues: positive,
  filterDepth: positive,
  filterLeaves: positive,
  filterValueLength: positive,
  attributeItems: positive,
  identifiers: positive,
  resources: positive,
  includedResources: positive,
  linkage: positive,
  documentBytes: positive,
  errors: positive,
})

/** Checks that limits are known, and positive whole numbers. */
export const limits: BuildRule = ({ settings }) =>
  settingFaults('limits', settings.limits, {
    remedy: 'give an object of numbers',
    shapes,
    unknown: { problem: 'is not a limit', remedy: `use ${oneOf(Object.keys(shapes))}` },
  })
