import type { CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import { actionMethods } from '../../../declare/resource/actions/compiled-action.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'
import { isBytes } from '../../../declare/resource/replies/responses.js'
import { mediaTypeFaults } from './media-types.js'
import type { OptionShape, OptionShapes } from '../declared/option-shapes.js'
import {
  checkedElsewhere,
  flag,
  functionThat,
  isNonEmptyText,
  listOf,
  nonEmptyText,
  optionFaults,
  shapeFaults,
} from '../declared/option-shapes.js'

const strings = listOf(isNonEmptyText, "give a list of strings: ['Catalog']")

const handle: OptionShape = {
  holds: (value) => typeof value === 'function',
  remedy: 'give a function that returns a reply, such as reply.resource()',
}

const inputs: readonly unknown[] = ['none', 'document', 'raw']

const shapes: OptionShapes = Object.freeze({
  handle,
  methods: {
    holds: (value) => strings.holds(value) && (value as readonly unknown[]).length > 0,
    remedy: "give a list of methods: ['POST']",
  },
  input: {
    holds: (value) => isBytes(value) || inputs.includes(value),
    remedy: "choose 'none', 'document', 'raw', or bytes() with media types",
  },
  inputType: nonEmptyText("name a type: 'albums'"),
  responds: checkedElsewhere,
  ability: {
    holds: (value) => value === false || isNonEmptyText(value),
    remedy: 'name an ability of the policy, or give false if everybody may call it',
  },
  allowed: functionThat('give a function that returns true or false'),
  asLink: flag,
  linkedWhen: functionThat('give a function that takes a row and returns true or false'),
  name: nonEmptyText('give a string, or leave it out for the default name'),
  tags: strings,
  description: { holds: (value) => typeof value === 'string', remedy: 'give a string' },
  deprecated: checkedElsewhere,
})

const unknownOption = { problem: 'is not an option of an action', remedy: 'remove it, or correct its spelling' }

/** Checks that the options of an action have the expected types, and do not contradict each other. */
export const actionOptions: BuildRule = eachType(({ type }) =>
  type.actions.flatMap((action) => {
    const member = `actions.${action.path}`
    const faults = [
      ...(action.given['handle'] === undefined ? shapeFaults(`${member}.handle`, undefined, handle) : []),
      ...optionFaults(member, action.given, shapes, unknownOption),
    ]
    return faults.length > 0
      ? faults
      : [...combinationFaults(member, action), ...readOnlyFaults(member, action, type.readOnly)]
  }),
)

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
  if (isBytes(given['input'])) faults.push(...mediaTypeFaults(`${member}.input`, given['input'].mediaTypes, 'range'))
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
