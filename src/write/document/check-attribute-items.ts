import { pointer } from '../../document/json-pointer.js'
import { fail } from '../../errors/json-api-error.js'

/**
 * Fails if the lists and objects in the attributes of a resource have more items than the limit, at any depth. Each item
 * is checked and stored in one slice of the event loop, so that their number limits how long other requests wait.
 */
export function checkAttributeItems(attributes: Readonly<Record<string, unknown>>, limit: number): void {
  let room = limit
  for (const name in attributes) {
    const value = attributes[name]
    if (typeof value !== 'object' || value === null) continue
    room -= countItems(value, room)
    if (room >= 0) continue
    const source = { pointer: `/data/attributes${pointer(name)}` }
    fail('LIMIT_EXCEEDED', { limit, subject: 'items of lists and objects in the attributes of a resource' }, { source })
  }
}

/** Counts the items of a list or of an object, and those inside them. Stops soon after the maximum is exceeded. */
function countItems(value: object, maximum: number): number {
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let count = items.length
  for (const item of items) {
    if (count > maximum) break
    if (typeof item === 'object' && item !== null) count += countItems(item, maximum - count)
  }
  return count
}
