import type { CompiledId } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** Samples of the ids that the server generates: a UUID of version 4, and a ULID. */
const samples = Object.freeze({ uuid: 'c56a4180-65aa-42ec-a945-5fd21dec0538', ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })

/** Checks that generated ids have the format that the declaration requires. */
export const generatedIds: BuildRule = eachType(({ type: { ids } }) => ids.flatMap(formatFaults))

function formatFaults(id: CompiledId): readonly TypeFault[] {
  const { spec } = id
  const { kind } = spec.fallback
  // With a codec, the format of the id depends on the codec.
  if ((kind !== 'uuid' && kind !== 'ulid') || spec.codec !== null || id.hasFormat(samples[kind])) return []
  const generated = kind === 'uuid' ? 'UUIDs of version 4' : 'ULIDs'
  const remedy = 'generate them with generateUsing()'
  if (spec.routePatternFixed && !id.matchesRoute(samples[kind])) {
    return [
      fault(
        `generated() creates ${generated}, which matchAs() does not accept`,
        `let matchAs() accept them, or ${remedy}`,
      ),
    ]
  }
  if (spec.format === kind) {
    return [
      fault(
        `generated() creates ${generated}, but uuid() requires another version`,
        `${remedy}, or leave the version out`,
      ),
    ]
  }
  return [
    fault(
      `generated() creates ${generated}, which ${spec.format}() does not accept`,
      `remove one of the two, or ${remedy}`,
    ),
  ]
}

function fault(problem: string, remedy: string): TypeFault {
  return { member: 'id', problem, remedy }
}
