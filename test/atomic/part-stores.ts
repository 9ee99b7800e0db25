import type { DataSource } from 'ashlar'

/** A store that serves some types only, so that several can stand side by side. */
export function storeOf(data: DataSource, ...types: readonly string[]): DataSource {
  return {
    ...data,
    provider: (type) => (types.includes(type.type) ? data.provider(type) : null),
    persister: (type) => (types.includes(type.type) ? data.persister(type) : null),
  }
}
