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

/** Only the functions that the provider has, since a server checks that, and what it says of itself. */
function countedProvider(provider: Provider, calls: ProviderCall[]): Provider {
  const counted = Object.entries(provider).map(([method, member]): readonly [string, unknown] => {
    return [method, typeof member === 'function' ? countedMethod(method, member) : member]
  })
  return Object.fromEntries(counted) as unknown as Provider

  function countedMethod(method: string, run: Method): Method {
    return (target, ...rest) => {
      const call =
        'owner' in target ? { type: target.owner.type, method, relation: target.name } : { type: target.type, method }
      calls.push(call)
      return run.call(provider, target, ...rest)
    }
  }
}
