import type { DataSource } from '../../data/data-source.js'
import { thrownMessage } from '../../errors/describe-thrown.js'
import type { Persister } from '../../resource/capabilities/persister.js'
import { isPersister } from '../../resource/capabilities/persister.js'
import type { Provider } from '../../resource/capabilities/provider.js'
import { isProvider } from '../../resource/capabilities/provider.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { nameOf, settingFault } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

/** What stands under `data`, as a list, whatever it is. */
export function dataSources({ data }: BuildWorld['settings']): readonly unknown[] {
  if (data === undefined) return []
  return Array.isArray(data) ? (data as readonly unknown[]) : [data]
}

export function isDataSource(value: unknown): value is DataSource {
  if (typeof value !== 'object' || value === null) return false
  const { provider, persister, priority = 0 } = value as { readonly [Member in keyof DataSource]?: unknown }
  return typeof provider === 'function' && typeof persister === 'function' && typeof priority === 'number'
}

/** The provider that a source has for a type; `null` for none, and where the rule below finds a fault. */
export function providerOf(source: DataSource, type: CompiledType): Provider | null {
  const answer = answerOf(() => source.provider(type))
  return answer.kind === 'answered' && isProvider(answer.value) ? answer.value : null
}

export function persisterOf(source: DataSource, type: CompiledType): Persister | null {
  const answer = answerOf(() => source.persister(type))
  return answer.kind === 'answered' && isPersister(answer.value) ? answer.value : null
}

type Answer =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string }

function answerOf(ask: () => unknown): Answer {
  try {
    return { kind: 'answered', value: ask() }
  } catch (thrown) {
    return { kind: 'threw', message: thrownMessage(thrown) }
  }
}

/** A data source says of each type what serves it, or `null`. */
export const soundDataSources: BuildRule = ({ settings, types }) =>
  dataSources(settings).flatMap((source, index) => {
    const member = Array.isArray(settings.data) ? `data[${index}]` : 'data'
    if (!isDataSource(source)) {
      const remedy = 'give a store, such as memoryData(): an object with the functions provider and persister'
      return [settingFault(member, `${shown(source)} is no data source`, remedy)]
    }
    const own = checkFaults(source, types).map(({ problem, remedy }) => settingFault(member, problem, remedy))
    const perType = types.flatMap((declared) => [
      ...answerFaults(member, declared, 'provider', { source, isSound: isProvider }),
      ...answerFaults(member, declared, 'persister', { source, isSound: isPersister }),
    ])
    return [...own, ...perType]
  })

/** What a store itself has against the declarations. */
function checkFaults(source: DataSource, types: readonly DeclaredType[]): readonly DeclarationFault[] {
  const answer = answerOf(() => source.check?.(types.map(({ type }) => type)) ?? [])
  if (answer.kind === 'threw') return [{ problem: `check() threw: ${answer.message}`, remedy: 'mend the store' }]
  return Array.isArray(answer.value) ? (answer.value as readonly DeclarationFault[]) : []
}

interface Asked {
  readonly source: DataSource
  readonly isSound: (value: unknown) => boolean
}

function answerFaults(
  member: string,
  declared: DeclaredType,
  capability: 'provider' | 'persister',
  { source, isSound }: Asked,
): readonly BuildFault[] {
  const answer = answerOf(() => source[capability](declared.type))
  if (answer.kind === 'answered' && (answer.value === null || isSound(answer.value))) return []
  const problem =
    answer.kind === 'threw'
      ? `${capability}() threw for '${nameOf(declared)}': ${answer.message}`
      : `${capability}() answers ${shown(answer.value)} for '${nameOf(declared)}', which is no ${capability}`
  return [settingFault(member, problem, `let it answer a ${capability}, or null for a type that it does not serve`)]
}
