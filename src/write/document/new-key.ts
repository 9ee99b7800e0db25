import type { Problem } from '../../errors/json-api-error.js'
import { fail, problem } from '../../errors/json-api-error.js'
import type { CompiledId } from '../../resource/compiled-type.js'
import type { Awaitable } from '../../util/types.js'

const source = { source: { pointer: '/data/id' } } as const

/** 403 for an id that is not the client's to choose, and for none where it is. */
export function checkClientId({ spec: { clientIds } }: CompiledId, sent: string | null): void {
  if (sent === null && clientIds === 'required') fail('CLIENT_GENERATED_ID_REQUIRED', {}, source)
  if (sent !== null && clientIds === 'forbidden') fail('CLIENT_GENERATED_ID_NOT_SUPPORTED', { id: sent }, source)
}

/** What is wrong with the client's id. The format is checked before anything is decoded. */
export function clientIdProblems(id: CompiledId, sent: string | null): readonly Problem[] {
  if (sent === null) return []
  if (!id.hasFormat(sent)) {
    return [problem('VALIDATION_FAILED', { message: 'This id does not have the required form.' }, source)]
  }
  return id.decode(sent) === null ? [problem('RESOURCE_ID_UNDECODABLE', { id: sent }, source)] : []
}

/** The key of a new row: the client's, else one of the service's, else `undefined` for the store to give. */
export function newKey(id: CompiledId, sent: string | null): Awaitable<unknown> {
  return sent === null ? id.mint() : id.decode(sent)
}
