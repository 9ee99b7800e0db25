import { fail } from '../../errors/json-api-error.js'
import type { CompiledId } from '../../resource/compiled-type.js'

const source = { source: { pointer: '/data/id' } } as const

/**
 * The key of a new row: the client's where the type takes one, else one of the service's, else `undefined` for the store
 * to give. The format is checked before anything is decoded.
 */
export async function newKey(id: CompiledId, sent: string | null): Promise<unknown> {
  const { clientIds } = id.spec
  if (sent === null) {
    if (clientIds === 'required') fail('CLIENT_GENERATED_ID_REQUIRED', {}, source)
    return id.mint()
  }
  if (clientIds === 'forbidden') fail('CLIENT_GENERATED_ID_NOT_SUPPORTED', { id: sent }, source)
  if (!id.hasFormat(sent)) fail('VALIDATION_FAILED', { message: 'This id does not have the required form.' }, source)
  const key = id.decode(sent)
  if (key === null) fail('RESOURCE_ID_UNDECODABLE', { id: sent }, source)
  return key
}
