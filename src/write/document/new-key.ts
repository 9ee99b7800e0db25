import type { Problem } from '../../errors/json-api-error.js'
import { fail, problem } from '../../errors/json-api-error.js'
import type { CompiledId } from '../../resource/compiled-type.js'
import type { Awaitable } from '../../util/types.js'

const source = { source: { pointer: '/data/id' } } as const

/** Fails with 403 if the client sends an id that it may not choose, or no id where one is required. */
export function checkClientId({ spec: { clientIds } }: CompiledId, sent: string | null): void {
  if (sent === null && clientIds === 'required') fail('CLIENT_GENERATED_ID_REQUIRED', {}, source)
  if (sent !== null && clientIds === 'forbidden') fail('CLIENT_GENERATED_ID_NOT_SUPPORTED', { id: sent }, source)
}

/** Returns the problems of a client-generated id. The format is checked before the id is decoded. */
export function clientIdProblems(id: CompiledId, sent: string | null): readonly Problem[] {
  if (sent === null) return []
  if (!id.hasFormat(sent)) {
    return [problem('VALIDATION_FAILED', { message: 'This id does not have the required form.' }, source)]
  }
  return id.decode(sent) === null ? [problem('RESOURCE_ID_UNDECODABLE', { id: sent }, source)] : []
}

/**
 * Returns the key of a new row: the client's, or one that the server generates, or `undefined` if the store generates
 * it.
 */
export function newKey(id: CompiledId, sent: string | null): Awaitable<unknown> {
  return sent === null ? id.mint() : id.decode(sent)
}
