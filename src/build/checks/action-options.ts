import type { CompiledAction } from '../../resource/actions/compiled-action.js'
import { actionMethods } from '../../resource/actions/compiled-action.js'
import { atOnce, isAsyncFunction, isPlainFunction } from '../declared/async-function.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, shown } from '../declared/shown.js'

interface Expectation {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const inputs: readonly unknown[] = ['none', 'document', 'raw']

const options: Readonly<Record<string, Expectation>> = Object.freeze({
  handle: {
    holds: (value) => typeof value === 'function',
    remedy: 'give a function that answers with answer.resource() and others',
  },
  methods: {
    holds: (value) => isTexts(value) && (value as readonly unknown[]).length > 0,
    remedy: "give a list of methods: ['POST']",
  },
  input: { holds: (value) => inputs.includes(value), remedy: "choose 'none', 'document' or 'raw'" },
  inputType: { holds: isText, remedy: "name a type: 'albums'" },
  // Looked at by a rule of its own.
  responds: { holds: () => true, remedy: '' },
  allowed: { holds: isPlainFunction, remedy: 'give a function that answers true or false' },
  asLink: { holds: (value) => typeof value === 'boolean', remedy: 'give true or false' },
  linkedWhen: { holds: isPlainFunction, remedy: 'give a function of a row that answers true or false' },
  name: { holds: isText, remedy: 'give a text, or leave it out for the usual name' },
  tags: { holds: isTexts, remedy: "give a list of texts: ['Catalog']" },
  description: { holds: (value) => typeof value === 'string', remedy: 'give a text' },
})

/** What is said of an action has the shape that is expected of it, and goes together. */
export const actionOptions: BuildRule = eachType(({ type }) =>
  type.actions.flatMap((action) => {
    const member = `actions.${action.path}`
    const misshapen = Object.entries({ handle: undefined, ...action.given }).flatMap(([option, value]) =>
      shapeFaults(member, option, value),
    )
    return misshapen.length > 0
      ? misshapen
      : [...combinations(member, action), ...writes(member, action, type.readOnly)]
  }),
)

function shapeFaults(action: string, option: string, value: unknown): readonly TypeFault[] {
  const member = `${action}.${option}`
  const expected = Object.hasOwn(options, option) ? options[option] : undefined
  if (expected === undefined) {
    return [{ member, problem: 'is no option of an action', remedy: 'take it away, or correct its spelling' }]
  }
  if ((value === undefined && option !== 'handle') || expected.holds(value)) return []
  const late = isAsyncFunction(value) && option !== 'handle'
  return [{ member, problem: `is ${shown(value)}`, remedy: late ? atOnce : expected.remedy }]
}

/** What each option says is sound by itself. */
function combinations(
  member: string,
  { scope, methods, input, asLink, linkedWhen, given }: CompiledAction,
): readonly TypeFault[] {
  const faults: TypeFault[] = []
  const unknown = methods.filter((method) => !actionMethods.includes(method))
  for (const method of unknown) {
    const problem = `${shown(method)} is no method of actions`
    faults.push({ member: `${member}.methods`, problem, remedy: `use ${oneOf(actionMethods)}` })
  }
  if (scope === 'collection' && (asLink || linkedWhen !== null)) {
    const remedy = `take it away, or declare the action with a.resource()`
    faults.push({ member, problem: 'is to be a link, but is an action on the collection', remedy })
  } else if (linkedWhen !== null && !asLink) {
    faults.push({ member, problem: 'has linkedWhen, but is no link', remedy: 'add asLink: true' })
  }
  if (given['inputType'] !== undefined && input !== 'document') {
    faults.push({
      member,
      problem: `has an inputType, but its input is ${shown(input)}`,
      remedy: "say input: 'document'",
    })
  }
  if (input !== 'none' && methods.includes('GET')) {
    const remedy = "say input: 'none', or take the method away"
    faults.push({ member, problem: `takes ${input} input with GET, which brings no body`, remedy })
  }
  return faults
}

/** A type that is declared read-only is not written through a back door. */
function writes(member: string, { methods }: CompiledAction, readOnly: boolean): readonly TypeFault[] {
  const writing = methods.filter((method) => method !== 'GET')
  if (!readOnly || writing.length === 0) return []
  return [
    {
      member,
      problem: `is called with ${writing.join(', ')}, but the type is readOnly`,
      remedy:
        "say operations: ['FetchCollection', 'FetchOne'] instead of readOnly, or take the actions away with actions: null",
    },
  ]
}
