import type { CompiledType, DataSource, Provider } from 'ashlar/store'

/** One call of a provider: the type, and the relation if it was called for related rows. */
export interface ProviderCall {
  readonly type: string
  readonly method: string
  readonly relation?: string
}

/** A source that behaves like another one, and records each read. */
export function countedData(data: DataSource): { readonly data: DataSource; readonly calls: ProviderCall[] } {
  const calls: ProviderCall[] = []
  const provider: DataSource['provider'] = (type) => {
    const source = data.provider(type)
    return source === null ? null : countedProvider(source, calls)
  }
  return { data: { ...data, provider }, calls }
}

type ReadTarget = CompiledType | { readonly name: string; readonly owner: CompiledType }

type Method = (target: ReadTarget, ...rest: readonly unknown[]) => unknown

/** Only the functions that the provider has, since a server checks that. */
function countedProvider(provider: Provider, calls: ProviderCall[]): Provider {
  const methods = Object.entries(provider) as readonly (readonly [string, Method])[]
  const counted = methods.map(([method, run]): readonly [string, Method] => [
    method,
    (target, ...rest) => {
      const call =
        'owner' in target ? { type: target.owner.type, method, relation: target.name } : { type: target.type, method }
      calls.push(call)
      return run.call(provider, target, ...rest)
    },
  ])
  return Object.fromEntries(counted) as unknown as Provider
}
