import { isPlainObject } from '../../core/util/deep-freeze.js'

/** Returns the type of the first operation of a batch that names one; `null` if none does. The batch is not checked yet. */
export function writtenType(document: unknown): string | null {
  const operations: unknown = isPlainObject(document) ? document['atomic:operations'] : null
  if (!Array.isArray(operations)) return null
  for (const operation of operations as readonly unknown[]) {
    if (!isPlainObject(operation)) continue
    const { ref, data } = operation
    const type = (isPlainObject(ref) ? ref['type'] : undefined) ?? (isPlainObject(data) ? data['type'] : undefined)
    if (typeof type === 'string') return type
  }
  return null
}
