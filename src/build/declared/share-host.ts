import type { RouteServer } from '../../route/route-server.js'

/** Whether a request may have a host that two servers serve. */
export function shareHost({ host: one }: RouteServer, { host: other }: RouteServer): boolean {
  if (one === null || other === null) return true
  return one.name === other.name && (one.port === null || other.port === null || one.port === other.port)
}
