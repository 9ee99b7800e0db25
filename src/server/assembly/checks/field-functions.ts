import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import { synchronousRemedy, isAsyncFunction, isPlainFunction } from '../declared/async-function.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'

type Modifiers<Spec> = Readonly<Partial<Record<keyof Spec, string>>>

/** Restrictions: true, false, or a predicate. */
const restrictions = Object.freeze({
  hidden: 'hidden()',
  writeOnly: 'writeOnly()',
  readOnlyOnCreate: 'readOnlyOnCreate()',
  readOnlyOnUpdate: 'readOnlyOnUpdate()',
  cannotBeIncluded: 'cannotBeIncluded()',
  cannotReplace: 'cannotReplace()',
  cannotAdd: 'cannotAdd()',
  cannotRemove: 'cannotRemove()',
} satisfies Modifiers<FieldSpec & RelationSpec>)

/** Callbacks of reads: a synchronous function, or nothing. Only functions that return related objects may be async. */
const reads = Object.freeze({
  extract: 'extractUsing()',
  serialize: 'serializeUsing()',
  identifierMeta: 'identifierMeta()',
} satisfies Modifiers<AttributeSpec & RelationSpec>)

/** Callbacks of writes: a function, or nothing. The function may be async. */
const writes = Object.freeze({
  deserialize: 'deserializeUsing()',
  fill: 'fillUsing()',
} satisfies Modifiers<AttributeSpec & RelationSpec>)

/** Names: a string, or nothing. */
const names = Object.freeze({
  storedAs: 'storedAs()',
  description: 'describedAs()',
  inverseType: 'inverseType()',
} satisfies Modifiers<AttributeSpec & RelationSpec>)

interface ExpectedModifier extends OptionShape {
  /** The member of the spec that the modifier sets. */
  readonly member: string
  readonly modifier: string
}

function expected(modifiers: Readonly<Record<string, string>>, expectation: OptionShape): readonly ExpectedModifier[] {
  return Object.entries(modifiers).map(([member, modifier]) => ({ member, modifier, ...expectation }))
}

const expectations: readonly ExpectedModifier[] = Object.freeze([
  ...expected(restrictions, {
    holds: (value) => typeof value === 'boolean' || isPlainFunction(value),
    remedy: 'give a function that returns true or false, or no argument',
  }),
  ...expected(reads, { holds: (value) => value === null || isPlainFunction(value), remedy: 'give a function' }),
  ...expected(writes, { holds: (value) => value === null || typeof value === 'function', remedy: 'give a function' }),
  ...expected(names, {
    holds: (value) => value === null || (typeof value === 'string' && value !== ''),
    remedy: 'give a string',
  }),
])

/** Checks that modifiers of attributes and relations were given valid arguments. */
export const fieldFunctions: BuildRule = eachType(({ type }) =>
  [...declaredAttributes(type), ...type.relations.map(({ name, spec }) => ({ member: name, spec }))].flatMap(
    ({ member, spec }) => modifierFaults(spec).map((found) => ({ member, ...found })),
  ),
)

function modifierFaults(
  spec: AttributeSpec | RelationSpec,
): readonly { readonly problem: string; readonly remedy: string }[] {
  const members = spec as unknown as Readonly<Record<string, unknown>>
  const mayBeAsync = (member: string): boolean =>
    spec.role === 'relation' && member === 'extract' && isAsyncFunction(members[member])
  return expectations
    .filter(({ member, holds }) => Object.hasOwn(members, member) && !holds(members[member]) && !mayBeAsync(member))
    .map(({ member, modifier, remedy }) => {
      const value = members[member]
      const name = member === 'extract' && members['computed'] === true ? 'computed()' : modifier
      return {
        problem: `${name} was given ${describeValue(value)}`,
        remedy: isAsyncFunction(value) ? synchronousRemedy : remedy,
      }
    })
}
