import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference, operationPairs } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import { placeOfQuery } from '../compare/query-place.js'
import type { QueryContract } from '../model/contract.js'

/** Compares the sort keys of collections and relations, and the default order. */
export const sorts: ContractRule = (sides) =>
  operationPairs(sides).flatMap((pair) => {
    const [old, newer] = [pair.before.query, pair.after.query]
    const finding = (code: Finding['code'], key: string, clause: string): Finding => {
      const { place, of } = placeOfQuery(pair.before, `?sort=${key}`)
      return {
        ...place,
        code,
        sentence: `The sort key '${key}'${of} ${clause}`,
        deprecation: old.sorts.get(key) ?? null,
      }
    }
    const { added, removed } = listDifference(old.sorts.keys(), newer.sorts.keys())
    const { place, of } = placeOfQuery(pair.before, '?sort')
    return [
      ...removed.map((key) => finding('sort-removed', key, 'is gone.')),
      ...added.map((key) => finding('sort-added', key, 'is new.')),
      ...[...old.sorts].flatMap(([key, deprecation]) =>
        newer.sorts.has(key)
          ? deprecationFindings(deprecation, newer.sorts.get(key) ?? null, (code, clause) => finding(code, key, clause))
          : [],
      ),
      ...(orderText(old) === orderText(newer)
        ? []
        : [
            {
              ...place,
              code: 'default-sort-changed' as const,
              sentence: `Without sort, the resources${of} are ordered by ${orderText(newer)} instead of ${orderText(old)}.`,
            },
          ]),
    ]
  })

function orderText({ defaultSort }: QueryContract): string {
  return defaultSort.length === 0 ? 'id' : defaultSort.join(', ')
}
