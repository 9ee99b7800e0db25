import { requiredAbility } from '../../../declare/resource/policy/abilities.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { isAsyncFunction, isPlainFunction, synchronousRemedy } from '../declared/async-function.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import { declaredAttributes } from './declared-attributes.js'

/**
 * Checks that the conditions of filters, sorts and include paths are functions, or abilities that the caller decides, and
 * that they have an effect.
 */
export const useConditions: BuildRule = eachType(({ type }) => [
  ...declaredConditions(type).flatMap((declared) => conditionFaults(declared, type)),
  ...declaredAttributes(type).flatMap(({ member, name, spec, declaredOn }): readonly TypeFault[] => {
    if (declaredOn !== 'pivot' || spec.sortableIf === null) return []
    const remedy = `declare the sort with withSorts(): s.field('pivot.${name}').usableIf(…)`
    return [{ member, problem: 'sortableIf() does nothing on a field of join rows', remedy }]
  }),
  ...replacedConditions(type),
  ...coveredPaths(type),
])

interface DeclaredCondition {
  readonly member: string
  readonly condition: unknown
}

/** Returns the conditions of a type, each where it was declared. */
function declaredConditions(type: CompiledType): readonly DeclaredCondition[] {
  const { attributes, relations, filters, sorts, allowedIncludePaths } = type
  const all: readonly DeclaredCondition[] = [
    ...attributes.map(({ name, spec }) => ({ member: `${name}.sortableIf`, condition: spec.sortableIf })),
    ...relations.flatMap(({ name, spec }) => [
      { member: `${name}.includableIf`, condition: spec.includableIf },
      { member: `${name}.filterableIf`, condition: spec.filterableIf },
      ...ofKeys(`${name}.filters`, spec.filters),
      ...ofKeys(`${name}.sorts`, spec.sorts),
    ]),
    ...ofKeys('filters', filters).filter(({ key, condition }) => condition !== ofField(type, key, 'filterableIf')),
    ...ofKeys('sorts', sorts).filter(({ key, condition }) => condition !== ofField(type, key, 'sortableIf')),
    ...(allowedIncludePaths ?? []).map(({ path, usableIf }) => {
      return { member: `allowedIncludePaths['${path}'].usableIf`, condition: usableIf }
    }),
  ]
  return all.filter(({ condition }) => condition !== null)
}

type Keys = Readonly<Record<string, { readonly usableIf: unknown } | null>>

function ofKeys(list: string, keys: Keys): readonly (DeclaredCondition & { readonly key: string })[] {
  return Object.entries(keys).map(([key, spec]) => {
    return { key, member: `${list}.${key}.usableIf`, condition: spec === null ? null : spec.usableIf }
  })
}

/** Returns the condition of a field, which the filter or the sort of the field has taken over. */
function ofField(type: CompiledType, name: string, modifier: 'filterableIf' | 'sortableIf'): unknown {
  const attribute = type.attributeNamed.get(name)
  if (modifier === 'sortableIf') return attribute === undefined ? null : attribute.spec.sortableIf
  const relation = type.relationNamed.get(name)
  return relation === undefined ? null : relation.spec.filterableIf
}

function conditionFaults({ member, condition }: DeclaredCondition, type: CompiledType): readonly TypeFault[] {
  if (isPlainFunction(condition)) return []
  if (typeof condition !== 'string') {
    const remedy = isAsyncFunction(condition)
      ? synchronousRemedy
      : 'give a function of the context, or name an ability of the policy'
    return [{ member, problem: `is ${describeValue(condition)}`, remedy }]
  }
  const { policy, abilities } = type
  if (policy === null) {
    const problem = `names the ability '${condition}', but the type has no policy`
    return [{ member, problem, remedy: 'declare a policy with this ability, or give a function of the context' }]
  }
  if (!policy.declares(condition)) {
    const problem = `names the ability '${condition}', which the policy does not declare`
    return [{ member, problem, remedy: `declare policy.custom.${condition}, or name another ability` }]
  }
  const required = requiredAbility(abilities, condition)
  if (required === null || !policy.isRowRule(required)) return []
  const problem = `names the ability '${required}', which is a rule about rows, but is checked before rows are read`
  return [{ member, problem, remedy: 'name an ability that the caller decides, or give a function of the context' }]
}

/** A filter or a sort that is declared under the name of a field replaces that of the field, with its condition. */
function replacedConditions(type: CompiledType): readonly TypeFault[] {
  const replaced = (
    name: string,
    modifier: 'filterableIf' | 'sortableIf',
    list: 'filters' | 'sorts',
  ): readonly TypeFault[] => {
    const condition = ofField(type, name, modifier)
    if (condition === null || type[list][name]?.usableIf === condition) return []
    const problem = `does nothing, because ${list}.${name} replaces it`
    return [{ member: `${name}.${modifier}`, problem, remedy: `put usableIf() on ${list}.${name}` }]
  }
  return [
    ...type.attributes.flatMap(({ name }) => replaced(name, 'sortableIf', 'sorts')),
    ...type.relations.flatMap(({ name }) => replaced(name, 'filterableIf', 'filters')),
  ]
}

/** A path without a condition is open to every caller, and so are the shorter paths that it begins with. */
function coveredPaths({ allowedIncludePaths }: CompiledType): readonly TypeFault[] {
  const open = (allowedIncludePaths ?? []).filter(({ usableIf }) => usableIf === null)
  return (allowedIncludePaths ?? []).flatMap(({ path, usableIf }): readonly TypeFault[] => {
    const covering = open.find((other) => `${other.path}.`.startsWith(`${path}.`))
    // A condition that is missing is reported as such.
    if ((usableIf ?? null) === null || covering === undefined) return []
    const problem = `does nothing, because '${covering.path}' allows the path to everybody`
    const remedy = `leave the condition out, or give '${covering.path}' one too`
    return [{ member: `allowedIncludePaths['${path}'].usableIf`, problem, remedy }]
  })
}
