import type { CompiledAction } from '../../resource/actions/compiled-action.js'
import { actionMethods } from '../../resource/actions/compiled-action.js'
import { synchronousRemedy, isAsyncFunction, isPlainFunction } from '../declared/async-function.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

interface Expectation {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const isNonEmptyString = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isStringList = (value: unknown): boolean => Array.isArray(value) && value.every(isNonEmptyString)
const inputs: readonly unknown[] = ['none', 'document', 'raw']

const options: Readonly<Record<string, Expectation>> = Object.freeze({
  handle: {
    holds: (value) => typeof value === 'function',
    remedy: 'give a function that returns a reply, such as reply.resource()',
  },
  methods: {
    holds: (value) => isStringList(value) && (value as readonly unknown[]).length > 0,
    remedy: "give a list of methods: ['POST']",
  },
  input: { holds: (value) => inputs.includes(value), remedy: "choose 'none', 'document' or 'raw'" },
  inputType: { holds: isNonEmptyString, remedy: "name a type: 'albums'" },
  // Checked by the rule actionResponses.
  responds: { holds: () => true, remedy: '' },
  ability: {
    holds: (value) => value === false || isNonEmptyString(value),
    remedy: 'name an ability of the policy, or give false if everybody may call it',
  },
  allowed: { holds: isPlainFunction, remedy: 'give a function that returns true or false' },
  asLink: { holds: (value) => typeof value === 'boolean', remedy: 'give true or false' },
  linkedWhen: { holds: isPlainFunction, remedy: 'give a function that takes a row and returns true or false' },
  name: { holds: isNonEmptyString, remedy: 'give a string, or leave it out for the default name' },
  tags: { holds: isStringList, remedy: "give a list of strings: ['Catalog']" },
  description: { holds: (value) => typeof value === 'string', remedy: 'give a string' },
  // Checked by the rule deprecations.
  deprecated: { holds: () => true, remedy: '' },
})

/** Checks that the options of an action have the expected types, and do not contradict each other. */
export const actionOptions: BuildRule = eachType(({ type }) =>
  type.actions.flatMap((action) => {
    const member = `actions.${action.path}`
    const faults = Object.entries({ handle: undefined, ...action.given }).flatMap(([option, value]) =>
      shapeFaults(member, option, value),
    )
    return faults.length > 0
      ? faults
      : [...combinationFaults(member, action), ...readOnlyFaults(member, action, type.readOnly)]
  }),
)

function shapeFaults(action: string, option: string, value: unknown): readonly TypeFault[] {
  const member = `${action}.${option}`
  const expected = Object.hasOwn(options, option) ? options[option] : undefined
  if (expected === undefined) {
    return [{ member, problem: 'is not an option of an action', remedy: 'remove it, or correct its spelling' }]
  }
  if ((value === undefined && option !== 'handle') || expected.holds(value)) return []
  const isUnexpectedAsync = isAsyncFunction(value) && option !== 'handle'
  return [
    { member, problem: `is ${describeValue(value)}`, remedy: isUnexpectedAsync ? synchronousRemedy : expected.remedy },
  ]
}

/** Faults of options in combination. Each option by itself is already known to be valid. */
function combinationFaults(
  member: string,
  { scope, methods, input, asLink, linkedWhen, given }: CompiledAction,
): readonly TypeFault[] {
  const faults: TypeFault[] = []
  const unknown = methods.filter((method) => !actionMethods.includes(method))
  for (const method of unknown) {
    const problem = `${describeValue(method)} is not a supported method`
    faults.push({ member: `${member}.methods`, problem, remedy: `use ${oneOf(actionMethods)}` })
  }
  if (scope === 'collection' && (asLink || linkedWhen !== null)) {
    const remedy = `remove the option, or declare the action with a.resource()`
    faults.push({ member, problem: 'has asLink or linkedWhen, but is an action on the collection', remedy })
  } else if (linkedWhen !== null && !asLink) {
    faults.push({ member, problem: 'has linkedWhen, but asLink is not set', remedy: 'add asLink: true' })
  }
  if (given['inputType'] !== undefined && input !== 'document') {
    faults.push({
      member,
      problem: `has an inputType, but its input is ${describeValue(input)}`,
      remedy: "set input: 'document'",
    })
  }
  if (input !== 'none' && methods.includes('GET')) {
    const remedy = "set input: 'none', or remove the method"
    faults.push({ member, problem: `takes ${input} input with GET, which has no request body`, remedy })
  }
  return faults
}

/** A read-only type has no action that accepts a method that writes. */
function readOnlyFaults(member: string, { methods }: CompiledAction, readOnly: boolean): readonly TypeFault[] {
  const writingMethods = methods.filter((method) => method !== 'GET')
  if (!readOnly || writingMethods.length === 0) return []
  return [
    {
      member,
      problem: `accepts ${writingMethods.join(', ')}, but the type is readOnly`,
      remedy:
        "declare operations: ['FetchCollection', 'FetchOne'] instead of readOnly, or remove the actions with actions: null",
    },
  ]
}
