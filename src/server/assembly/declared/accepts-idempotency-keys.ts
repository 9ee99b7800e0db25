import { isKeyedMethod } from '../../../serve/parse/idempotency-key.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'

/** Returns whether a type has a route that accepts an `Idempotency-Key`. Clients that can update it can also write relationships. */
export function acceptsIdempotencyKeys({ operations, actions }: CompiledType): boolean {
  return (
    operations.has('Create') || operations.has('Update') || actions.some(({ methods }) => methods.some(isKeyedMethod))
  )
}
