import type { BuildRule } from '../declared/build-rule.js'
import { oneOf } from '../declared/describe-value.js'
import { settingFaults, wholeNumber } from '../declared/option-shapes.js'
import { overloadDefaults } from '../declared/overload-settings.js'

const names = Object.keys(overloadDefaults)

/** Only the queue may be empty. */
const shapes = Object.fromEntries(names.map((name) => [name, name === 'queued' ? wholeNumber(0) : wholeNumber(1)]))

/** Checks that the members of the setting `overload` are known, and whole numbers. */
export const overload: BuildRule = ({ settings }) =>
  settingFaults('overload', settings.overload, {
    remedy: 'give true, or an object of numbers',
    otherwise: (value) => typeof value === 'boolean',
    shapes,
    unknown: { problem: 'is not a member of overload', remedy: `use ${oneOf(names)}` },
  })
