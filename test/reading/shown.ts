import { JsonApiError } from '../../src/core/errors/json-api-error.js'
import type { CompiledType } from '../../src/declare/resource/compiled/compiled-type.js'
import type { QueryColumn, RowCondition } from '../../src/declare/resource/querying/row-condition.js'

/** A condition as a line of text: `year = 1997`, `artist:artists[public = true] → (name = "Björk")`. */
export function shown(condition: RowCondition): string {
  switch (condition.kind) {
    case 'compare':
      return `${column(condition.column)} ${condition.operator} ${value(condition.value)}`
    case 'range':
      return `${column(condition.column)} in ${value(condition.min)}..${value(condition.max)}`
    case 'in': {
      const { negated, values } = condition
      return `${column(condition.column)} ${negated ? 'not in' : 'in'} [${values.map(value).join(', ')}]`
    }
    case 'null':
      return `${column(condition.column)} is ${condition.negated ? 'not ' : ''}null`
    case 'related': {
      const { relation, conditionsOf, condition: inner, negated } = condition
      const scopes = ({ type }: CompiledType): string => conditionsOf.get(type)?.map(shown).join('; ') ?? ''
      const types = relation.targets
        .map((type) => `${type.type}${scopes(type) === '' ? '' : `[${scopes(type)}]`}`)
        .join('|')
      return `${negated ? 'no ' : ''}${relation.name}:${types} → (${inner === null ? '' : shown(inner)})`
    }
    case 'all':
    case 'any':
      return `${condition.kind}(${condition.conditions.map(shown).join('; ')})`
    case 'search':
      return `search ${JSON.stringify(condition.query)}`
    case 'not':
      return `not(${shown(condition.condition)})`
    case 'custom':
      return `custom ${value(condition.value)}`
    case 'scope':
      return `scope of ${condition.type}`
  }
}

function column({ of, name }: QueryColumn): string {
  return of === 'pivot' ? `pivot.${name}` : name
}

function value(given: unknown): string {
  return given instanceof Date ? given.toISOString() : (JSON.stringify(given) ?? String(given))
}

/** The problems that an action fails with, each as `CODE parameter: context`; anything else that it throws is passed on. */
export async function refusal(action: () => unknown): Promise<readonly string[]> {
  try {
    await action()
    return []
  } catch (error) {
    if (!JsonApiError.is(error)) throw error
    return error.problems.map(({ code, context, source }) => {
      const parameter = source !== undefined && 'parameter' in source ? source.parameter : ''
      const { offered: _, ...others } = context as Readonly<Record<string, unknown>>
      return `${code} ${parameter}: ${Object.values(others).join(' ')}`
    })
  }
}
