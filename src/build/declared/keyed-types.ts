import { isKeyedMethod } from '../../parse/idempotency-key.js'
import type { CompiledType } from '../../resource/compiled-type.js'

/** Whether a type has a route for such a request. Its relationships are changed if it can be updated. */
export function takesKeys({ operations, actions }: CompiledType): boolean {
  return (
    operations.has('Create') || operations.has('Update') || actions.some(({ methods }) => methods.some(isKeyedMethod))
  )
}
