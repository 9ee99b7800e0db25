import type { DataSource } from '../../../stores/common/data-source.js'
import { sourcesOfType } from '../../../stores/common/data-source.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildContext, BuildRule, DeclaredType } from '../declared/build-rule.js'
import { settingFault, typeLabel } from '../declared/build-rule.js'
import { quoteList } from '../declared/describe-value.js'
import { dataSourceList, isDataSource, persisterOf, providerOf, sourceMember } from './data-sources.js'

/** Checks that stores list known types only, and that no type could be served by two stores of the same priority. */
export const servedOnce: BuildRule = (context) => {
  const sources = dataSourceList(context.settings).filter(isDataSource)
  return [...unknownTypes(context), ...context.types.flatMap((declared) => servedTwice(context, declared, sources))]
}

function unknownTypes({ settings, types }: BuildContext): readonly BuildFault[] {
  const known = new Set(types.map(({ type }) => type.type))
  return dataSourceList(settings).flatMap((source, index) =>
    !isDataSource(source)
      ? []
      : (source.types ?? [])
          .filter((name) => !known.has(name))
          .map((name) =>
            settingFault(
              sourceMember(settings, index),
              `lists the unknown type '${name}'`,
              `list some of ${quoteList([...known])}`,
            ),
          ),
  )
}

/** A type with its own provider and persister needs no store. */
function servedTwice(
  { settings }: BuildContext,
  declared: DeclaredType,
  sources: readonly DataSource[],
): readonly BuildFault[] {
  const { type, providerStore, persisterStore } = declared
  const rivals = (chosen: DataSource | null, offers: (source: DataSource) => boolean): readonly DataSource[] =>
    chosen === null
      ? []
      : sourcesOfType(sources, type.type).filter(
          (source) => (source.priority ?? 0) === (chosen.priority ?? 0) && offers(source),
        )
  const reading = rivals(providerStore, (source) => providerOf(source, type) !== null)
  const writing = rivals(persisterStore, (source) => persisterOf(source, type) !== null)
  const [ambiguous] = [reading, writing].filter((stores) => stores.length > 1)
  if (ambiguous === undefined) return []
  const list = dataSourceList(settings)
  const names = ambiguous.map((source) => `'${source.name}' (${sourceMember(settings, list.indexOf(source))})`)
  return [
    {
      type: typeLabel(declared),
      member: reading.length > 1 ? 'provider' : 'persister',
      problem: `is offered by several stores: ${names.join(', ')}`,
      remedy: "list the type in the option 'types' of only one of them, or give the stores different priorities",
    },
  ]
}
