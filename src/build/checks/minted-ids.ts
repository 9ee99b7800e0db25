import type { CompiledId } from '../../resource/compiled-type.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** One of each, as the service mints them: a UUID of version 4, and a ULID. */
const samples = Object.freeze({ uuid: 'c56a4180-65aa-42ec-a945-5fd21dec0538', ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })

/** The ids that the service mints have the format that the declaration demands in the end. */
export const mintedIds: BuildRule = eachType(({ type: { ids } }) => ids.flatMap(judge))

function judge(id: CompiledId): readonly TypeFault[] {
  const { spec } = id
  const { kind } = spec.fallback
  // What a codec makes of the key is the codec's to say.
  if ((kind !== 'uuid' && kind !== 'ulid') || spec.codec !== null || id.hasFormat(samples[kind])) return []
  const minted = kind === 'uuid' ? 'UUIDs of version 4' : 'ULIDs'
  const remedy = 'mint them yourself with generateUsing()'
  if (spec.routePatternFixed && !id.matchesRoute(samples[kind])) {
    return [fault(`generated() mints ${minted}, which matchAs() refuses`, `let matchAs() accept them, or ${remedy}`)]
  }
  if (spec.format === kind) {
    return [fault(`generated() mints ${minted}, and uuid() asks for another`, `${remedy}, or leave the version out`)]
  }
  return [
    fault(`generated() mints ${minted}, which ${spec.format}() refuses`, `take one of the two away, or ${remedy}`),
  ]
}

function fault(problem: string, remedy: string): TypeFault {
  return { member: 'id', problem, remedy }
}
