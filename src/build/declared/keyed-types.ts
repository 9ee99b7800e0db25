import type { CompiledType } from '../../resource/compiled-type.js'

/** The methods whose requests may have an `Idempotency-Key`. The others are idempotent by themselves. */
export function isKeyedMethod(method: string): boolean {
  return method === 'POST' || method === 'PATCH'
}

/** Whether a type has a route for such a request. Its relationships are changed if it can be updated. */
export function takesKeys({ operations, actions }: CompiledType): boolean {
  return (
    operations.has('Create') || operations.has('Update') || actions.some(({ methods }) => methods.some(isKeyedMethod))
  )
}
