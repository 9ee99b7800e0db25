import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { deny } from '../query/permission.js'
import type { ReadContext } from '../read-context.js'
import { fetchObject } from './fetch-row.js'
import { holdAbility } from './held-abilities.js'

type Request = Pick<ReadContext, 'context' | 'open'>

/** Fails with 401 or 403 if the row of a resource denies its caller the ability to read it. See `requireView()`. */
export async function requireViewOf(served: ServedType, id: string, request: Request): Promise<void> {
  const row = await fetchObject(served, id, request)
  const [isHeld] = await holdAbility(served, 'view', [row], request)
  if (isHeld !== true) deny(served, 'view', request.context)
}
