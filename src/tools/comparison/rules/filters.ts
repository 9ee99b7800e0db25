import type { Finding } from '../compare/change.js'
import { compareNodes } from '../compare/compare-nodes.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import { placeOfQuery } from '../compare/query-place.js'
import type { ParameterContract } from '../model/contract.js'

/** Compares the filters of collections and relations, and their values. */
export const filters: ContractRule = (sides) =>
  operationPairs(sides).flatMap((pair) => {
    const [old, newer] = [pair.before.query.filters, pair.after.query.filters]
    const keys = new Set([...old.keys(), ...newer.keys()])
    return [...keys].flatMap((key) => filterFindings(key, { before: old.get(key), after: newer.get(key) }, pair, sides))
  })

interface FilterSides {
  readonly before: ParameterContract | undefined
  readonly after: ParameterContract | undefined
}

function filterFindings(
  key: string,
  { before, after }: FilterSides,
  pair: OperationPair,
  sides: Sides,
): readonly Finding[] {
  const { place, of } = placeOfQuery(pair.before, `?filter[${key}]`)
  const name = `The filter '${key}'${of}`
  const finding = (code: Finding['code'], clause: string): Finding => ({
    ...place,
    code,
    sentence: `${name} ${clause}`,
    deprecation: before?.deprecation ?? null,
  })
  if (after === undefined) return [finding('filter-removed', 'is gone.')]
  if (before === undefined) return [finding('filter-added', 'is new.')]
  // Values with different forms are not compared.
  if (before.style !== after.style)
    return [finding('filter-form-changed', `is written in another form: ${formText(after)}.`)]
  const subject = (_kind: unknown, member: string | null): string => {
    const part = (member ?? '').slice(`?filter[${key}]`.length)
    return part === '' ? name : `${name}, at ${part.replace(/^\./, '')},`
  }
  const search = after.isSearch ? 'is a full-text search now.' : 'is no full-text search any more.'
  return [
    ...(before.isSearch === after.isSearch ? [] : [finding('filter-search-changed', search)]),
    ...deprecationFindings(before.deprecation, after.deprecation, finding),
    ...compareNodes({ query: before.node }, { query: after.node }, { ...place, sides, subject }),
  ]
}

function formText({ style }: ParameterContract): string {
  if (style.startsWith('deepObject')) return 'with min and max'
  return style.endsWith('false') ? 'as a list' : 'as one value'
}
