import type { CollectionCriteria, Provider } from 'ashlar/store'

/** What a provider of a type's own was asked. */
export type Asked =
  | { readonly method: 'fetchOne'; readonly type: string; readonly id: string }
  | { readonly method: 'fetchCollection'; readonly type: string; readonly criteria: CollectionCriteria }

type Reply = ReturnType<NonNullable<Provider['fetchCollection']>>

/** A provider that has its rows in a list and answers it as it is, noting what it is asked. */
export function ownProvider<Row extends object>(
  rows: readonly Row[],
  options: { readonly key?: keyof Row & string; readonly response?: (rows: readonly Row[]) => Reply } = {},
): { readonly provider: Required<Pick<Provider, 'fetchOne' | 'fetchCollection'>>; readonly asked: Asked[] } {
  const { key = 'id' as keyof Row & string, response = (all: readonly Row[]): Reply => all } = options
  const asked: Asked[] = []
  return {
    asked,
    provider: {
      fetchOne({ type }, id) {
        asked.push({ method: 'fetchOne', type, id })
        return rows.find((row) => String(row[key]) === id) ?? null
      },
      fetchCollection({ type }, criteria) {
        asked.push({ method: 'fetchCollection', type, criteria })
        return response(rows)
      },
    },
  }
}
