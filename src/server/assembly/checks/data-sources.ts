import type { DataSource } from '../../../stores/common/data-source.js'
import { isTypeList } from '../../../stores/common/data-source.js'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { Persister } from '../../../declare/resource/capabilities/persister.js'
import { isPersister } from '../../../declare/resource/capabilities/persister.js'
import type { Provider } from '../../../declare/resource/capabilities/provider.js'
import { isProvider } from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { DeclarationFault } from '../../../declare/resource/parts/declaration-fault.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext, DeclaredType } from '../declared/build-rule.js'
import { typeLabel, settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Returns the setting `data` as a list, without checking its entries. */
export function dataSourceList({ data }: BuildContext['settings']): readonly unknown[] {
  if (data === undefined) return []
  return Array.isArray(data) ? (data as readonly unknown[]) : [data]
}

export function isDataSource(value: unknown): value is DataSource {
  if (typeof value !== 'object' || value === null) return false
  const { provider, persister, priority = 0, types = [] } = value as { readonly [Member in keyof DataSource]?: unknown }
  return (
    typeof provider === 'function' &&
    typeof persister === 'function' &&
    typeof priority === 'number' &&
    isTypeList(types)
  )
}

/** Returns the name of a data source in faults, by its position in the settings. */
export function sourceMember({ data }: BuildContext['settings'], index: number): string {
  return Array.isArray(data) ? `data[${index}]` : 'data'
}

/**
 * Returns the provider of a data source for a type. Returns `null` if it has none, or one that the rule below reports.
 */
export function providerOf(source: DataSource, type: CompiledType): Provider | null {
  const result = resultOf(() => source.provider(type))
  return result.kind === 'returned' && isProvider(result.value) ? result.value : null
}

export function persisterOf(source: DataSource, type: CompiledType): Persister | null {
  const result = resultOf(() => source.persister(type))
  return result.kind === 'returned' && isPersister(result.value) ? result.value : null
}

type CallResult =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string }

function resultOf(call: () => unknown): CallResult {
  try {
    return { kind: 'returned', value: call() }
  } catch (thrown) {
    return { kind: 'threw', message: thrownMessage(thrown) }
  }
}

/** Checks that a data source returns a provider and a persister, or `null`, for each type. */
export const validDataSources: BuildRule = ({ settings, types }) =>
  dataSourceList(settings).flatMap((source, index) => {
    const member = sourceMember(settings, index)
    if (!isDataSource(source)) {
      const remedy = 'give a store, such as memoryData(): an object with the functions provider and persister'
      return [settingFault(member, `${describeValue(source)} is not a data source`, remedy)]
    }
    const reported = checkFaults(source, types).map(({ problem, remedy }) => settingFault(member, problem, remedy))
    const perType = types.flatMap((declared) => [
      ...capabilityFaults(member, declared, 'provider', { source, isValid: isProvider }),
      ...capabilityFaults(member, declared, 'persister', { source, isValid: isPersister }),
    ])
    return [...reported, ...perType]
  })

/** The faults of the declarations that the store itself reports. */
function checkFaults(source: DataSource, types: readonly DeclaredType[]): readonly DeclarationFault[] {
  const result = resultOf(() => source.check?.(types.map(({ type }) => type)) ?? [])
  if (result.kind === 'threw') return [{ problem: `check() threw: ${result.message}`, remedy: 'fix the store' }]
  return Array.isArray(result.value) ? (result.value as readonly DeclarationFault[]) : []
}

interface CapabilityCheck {
  readonly source: DataSource
  readonly isValid: (value: unknown) => boolean
}

function capabilityFaults(
  member: string,
  declared: DeclaredType,
  capability: 'provider' | 'persister',
  { source, isValid }: CapabilityCheck,
): readonly BuildFault[] {
  const result = resultOf(() => source[capability](declared.type))
  if (result.kind === 'returned' && (result.value === null || isValid(result.value))) return []
  const problem =
    result.kind === 'threw'
      ? `${capability}() threw for '${typeLabel(declared)}': ${result.message}`
      : `${capability}() returns ${describeValue(result.value)} for '${typeLabel(declared)}', which is not a ${capability}`
  return [settingFault(member, problem, `return a ${capability}, or null for a type that the store does not serve`)]
}
