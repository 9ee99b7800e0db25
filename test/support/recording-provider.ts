import type { CollectionCriteria, Provider } from 'ashlar/store'

/** A call of a custom provider. */
export type ProviderCall =
  | { readonly method: 'fetchOne'; readonly type: string; readonly id: string }
  | { readonly method: 'fetchCollection'; readonly type: string; readonly criteria: CollectionCriteria }

type Reply = ReturnType<NonNullable<Provider['fetchCollection']>>

/** A provider that returns all rows of a list, and records its calls. */
export function recordingProvider<Row extends object>(
  rows: readonly Row[],
  options: { readonly key?: keyof Row & string; readonly response?: (rows: readonly Row[]) => Reply } = {},
): { readonly provider: Required<Pick<Provider, 'fetchOne' | 'fetchCollection'>>; readonly calls: ProviderCall[] } {
  const { key = 'id' as keyof Row & string, response = (all: readonly Row[]): Reply => all } = options
  const calls: ProviderCall[] = []
  return {
    calls,
    provider: {
      fetchOne({ type }, id) {
        calls.push({ method: 'fetchOne', type, id })
        return rows.find((row) => String(row[key]) === id) ?? null
      },
      fetchCollection({ type }, criteria) {
        calls.push({ method: 'fetchCollection', type, criteria })
        return response(rows)
      },
    },
  }
}
