import type { RouteServer } from '../../../serve/route/route-server.js'

/** Returns whether two servers may serve the same host. */
export function shareHost({ host: one }: RouteServer, { host: other }: RouteServer): boolean {
  if (one === null || other === null) return true
  return one.name === other.name && (one.port === null || other.port === null || one.port === other.port)
}
