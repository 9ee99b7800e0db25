import { createHash } from 'node:crypto'
import type { SearchCondition } from '../../../declare/resource/querying/row-condition.js'

/** Identifies a search, for cursors: two searches with the same digest rank rows in the same way. */
export function searchDigest({ columns, query }: SearchCondition): string {
  const weighted = columns.map(({ column, weight }) => [column.name, weight])
  return createHash('sha256')
    .update(JSON.stringify([weighted, query.required]))
    .digest('base64url')
    .slice(0, 12)
}
