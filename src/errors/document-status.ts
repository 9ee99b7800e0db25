/**
 * Returns the HTTP status of an error document whose errors have these statuses. If they differ, it is the highest
 * status rounded down to its hundred: 404 and 422 make 400, 404 and 500 make 500.
 * https://jsonapi.org/format/1.1/#errors-processing
 */
export function documentStatus(statuses: readonly number[]): number {
  const [first = 500] = statuses
  if (statuses.every((status) => status === first)) return first
  return Math.floor(Math.max(...statuses) / 100) * 100
}
