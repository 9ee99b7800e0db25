import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { FieldSpec } from '../../resource/fields/field-spec.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import { synchronousRemedy, isAsyncFunction, isPlainFunction } from '../declared/async-function.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

type Modifiers<Spec> = Readonly<Partial<Record<keyof Spec, string>>>

/** Restrictions: true, false, or a predicate. */
const restrictions: Modifiers<FieldSpec & RelationSpec> = Object.freeze({
  hidden: 'hidden()',
  writeOnly: 'writeOnly()',
  readOnlyOnCreate: 'readOnlyOnCreate()',
  readOnlyOnUpdate: 'readOnlyOnUpdate()',
  cannotBeIncluded: 'cannotBeIncluded()',
  cannotReplace: 'cannotReplace()',
  cannotAdd: 'cannotAdd()',
  cannotRemove: 'cannotRemove()',
})

/** Callbacks of reads: a synchronous function, or nothing. Only functions that return related objects may be async. */
const reads: Modifiers<AttributeSpec & RelationSpec> = Object.freeze({
  extract: 'extractUsing()',
  serialize: 'serializeUsing()',
  identifierMeta: 'identifierMeta()',
})

/** Callbacks of writes: a function, or nothing. The function may be async. */
const writes: Modifiers<AttributeSpec & RelationSpec> = Object.freeze({
  deserialize: 'deserializeUsing()',
  fill: 'fillUsing()',
})

/** Names: a string, or nothing. */
const names: Modifiers<AttributeSpec & RelationSpec> = Object.freeze({
  storedAs: 'storedAs()',
  description: 'describedAs()',
  inverseType: 'inverseType()',
})

interface Expectation {
  readonly modifiers: Modifiers<AttributeSpec & RelationSpec>
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const expectations: readonly Expectation[] = Object.freeze([
  {
    modifiers: restrictions,
    holds: (value) => typeof value === 'boolean' || isPlainFunction(value),
    remedy: 'give a function that returns true or false, or no argument',
  },
  { modifiers: reads, holds: (value) => value === null || isPlainFunction(value), remedy: 'give a function' },
  { modifiers: writes, holds: (value) => value === null || typeof value === 'function', remedy: 'give a function' },
  {
    modifiers: names,
    holds: (value) => value === null || (typeof value === 'string' && value !== ''),
    remedy: 'give a string',
  },
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
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(spec))
  const mayBeAsync = (member: string, value: unknown): boolean =>
    spec.role === 'relation' && member === 'extract' && isAsyncFunction(value)
  return expectations.flatMap(({ modifiers, holds, remedy }) =>
    Object.entries(modifiers)
      .filter(([member]) => members.has(member) && !holds(members.get(member)))
      .filter(([member]) => !mayBeAsync(member, members.get(member)))
      .map(([member, modifier]) => {
        const value = members.get(member)
        const name = member === 'extract' && members.get('computed') === true ? 'computed()' : modifier
        return {
          problem: `${name} was given ${describeValue(value)}`,
          remedy: isAsyncFunction(value) ? synchronousRemedy : remedy,
        }
      }),
  )
}
