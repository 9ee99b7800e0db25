import { requiredAbility } from '../../resource/abilities.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { deny, requirePermission } from '../query/permission.js'
import type { ReadContext } from '../read-context.js'
import { fetchObject } from './fetch-row.js'
import { holdAbility } from './held-abilities.js'

type Request = Pick<ReadContext, 'context' | 'open'>

/**
 * Fails with 401 or 403 if the caller may not read a resource by its id. The scope of the type decides which resources
 * exist for the caller. Returns a promise only if the type requires another ability than `view`, and its rule needs the row.
 */
export function requireView(served: ServedType, id: string, request: Request): Promise<void> | null {
  const { abilities } = served.type
  const permission = requirePermission(served, 'view', request.context)
  const isInScope = permission === true || abilities === null || requiredAbility(abilities, 'view') === 'view'
  return isInScope ? null : checkRow(served, id, request)
}

async function checkRow(served: ServedType, id: string, request: Request): Promise<void> {
  const row = await fetchObject(served, id, request)
  const [isHeld] = await holdAbility(served, 'view', [row], request)
  if (isHeld !== true) deny(served, 'view', request.context)
}
