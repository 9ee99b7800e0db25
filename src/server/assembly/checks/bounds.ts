import type { BigintBound, Constraint } from '../../../declare/resource/fields/constraint.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists, canApplyTogether } from './constraint-lists.js'
import { describeValue } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'

const count: OptionShape = {
  holds: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  remedy: 'give a whole number, 0 or more',
}
const number: OptionShape = { holds: (value) => Number.isFinite(value), remedy: 'give a number' }
const step: OptionShape = {
  holds: (value) => Number.isFinite(value) && Number(value) > 0,
  remedy: 'give a number above 0',
}

/** The JSON Schema keywords that take a number. */
const keywords: ReadonlyMap<string, OptionShape> = new Map([
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minProperties', count],
  ['maxProperties', count],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', step],
])

/** Pairs of a lower and an upper bound. A pair is `inclusive` if a value may equal both bounds. */
const pairs: readonly (readonly [low: string, high: string, inclusive: boolean])[] = [
  ['minLength', 'maxLength', true],
  ['minItems', 'maxItems', true],
  ['minProperties', 'maxProperties', true],
  ['minimum', 'maximum', true],
  ['exclusiveMinimum', 'maximum', false],
  ['minimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
]

type SchemaConstraint = Extract<Constraint, { kind: 'schema' }>

/** Checks that bounds are numbers, and that a value can lie between them. */
export const bounds: BuildRule = eachType(({ type }) =>
  constraintLists(type).flatMap(({ member, constraints }) => {
    const schemas = constraints
      .filter((constraint) => constraint.kind === 'schema')
      .filter(({ name }) => name !== 'shape')
    const bigints = constraints.filter((constraint) => constraint.kind === 'bigintBound').map(bigintSchema)
    return [...schemas.flatMap(valueFaults), ...contradictions([...schemas, ...bigints])].map((found) => ({
      member,
      ...found,
    }))
  }),
)

/** The keywords that bound numbers, by the name of their rule. */
const boundKeywords: Readonly<Record<BigintBound, string>> = {
  min: 'minimum',
  max: 'maximum',
  exclusiveMin: 'exclusiveMinimum',
  exclusiveMax: 'exclusiveMaximum',
}

/** Returns a bound of whole numbers of eight bytes in the form of the other bounds. */
function bigintSchema({ name, bound, on }: Extract<Constraint, { kind: 'bigintBound' }>): SchemaConstraint {
  return { kind: 'schema', name, family: 'bigint', schema: { [boundKeywords[name]]: bound }, on }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

type Finding = Omit<TypeFault, 'member'>

function valueFaults({ name, schema }: SchemaConstraint): readonly Finding[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const expectation = keywords.get(keyword)
    if (expectation === undefined || expectation.holds(value)) return []
    return [{ problem: `${name}() was given ${describeValue(value)}`, remedy: expectation.remedy }]
  })
}

function contradictions(constraints: readonly SchemaConstraint[]): readonly Finding[] {
  return pairs.flatMap(([low, high, inclusive]) =>
    constraints.flatMap((lower) =>
      constraints.flatMap((upper) => {
        const [from, to] = [lower.schema[low], upper.schema[high]]
        if (!isNumber(from) || !isNumber(to) || !canApplyTogether(lower.on, upper.on)) return []
        if (from < to || (inclusive && from === to)) return []
        return [
          {
            problem: `${lower.name}(${from}) and ${upper.name}(${to}) leave no value between them`,
            remedy: 'raise the upper bound, or lower the other',
          },
        ]
      }),
    ),
  )
}
