import type { NodeListener } from './node.js'
import { parseTarget } from './node-request.js'

/** The endpoints of health checks, as `listen` serves them: a part of what `server.health()` returns. */
export interface HealthEndpoints {
  /** Whether a path is that of a health check. */
  readonly serves: (path: string) => boolean
  /** Responds to the requests of health checks. */
  readonly node: NodeListener
  /** Makes the service not ready, for good: the process is about to end. */
  shutDown(): void
}

/** Returns a listener that passes the requests of health checks to their endpoints, and all others to another listener. */
export function withHealthEndpoints(health: HealthEndpoints, listener: NodeListener): NodeListener {
  return (incoming, outgoing) => {
    const [path = ''] = (parseTarget(incoming.url ?? '')?.text ?? '').split('?', 1)
    const serve = health.serves(path) ? health.node : listener
    serve(incoming, outgoing)
  }
}
