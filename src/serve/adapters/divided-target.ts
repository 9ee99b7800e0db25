import { type NodeTarget, parseTarget } from './node-request.js'

/** A request target, divided by a router of the host. */
export interface DividedTarget {
  /** The path that the router has matched before our part: `/api/v1`. */
  readonly prefix: string
  /** The rest of the target. */
  readonly target: NodeTarget
}

/**
 * Divides a request target after the first segments of its path, which a router of the framework has matched. Returns `null` if
 * the target is not a path.
 */
export function dividedTarget(url: string, segments: number): DividedTarget | null {
  const whole = parseTarget(url)
  if (whole === null) return null
  const { text, authority } = whole
  const mark = text.indexOf('?')
  const pathEnd = mark === -1 ? text.length : mark
  let start = 0
  for (let count = 0; count < segments; count += 1) {
    const slash = text.indexOf('/', start + 1)
    start = slash === -1 || slash > pathEnd ? pathEnd : slash
  }
  const rest = text.slice(start)
  return { prefix: text.slice(0, start), target: { text: rest.startsWith('/') ? rest : `/${rest}`, authority } }
}

/** Returns the number of segments of a path or of a pattern: 2 for `/api/:version`. */
export function segmentsOf(pattern: string): number {
  return pattern.split('/').filter((segment) => segment !== '').length
}
