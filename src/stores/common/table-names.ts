import { offered } from '../../core/errors/offered.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { nearestWord } from '../../core/util/nearest-word.js'

/** Returns the names of the tables that types use: their models, and the join tables of their relations. */
export function tableNames(types: readonly CompiledType[]): ReadonlySet<string> {
  return new Set(
    types.flatMap(({ model, relations }) => [
      ...(model === null ? [] : [model.name]),
      ...relations.flatMap(({ spec }) => spec.join?.model ?? []),
    ]),
  )
}

/** Describes the tables that an unknown name may mean, for a message. */
export function meantTable(name: string, tables: ReadonlySet<string>): string {
  const nearest = nearestWord(name, [...tables])
  return nearest === null ? `Tables: ${offered([...tables])}` : `Did you mean '${nearest}'?`
}
