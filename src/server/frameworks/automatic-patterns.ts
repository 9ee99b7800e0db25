import type { FrameworkServer } from './framework-server.js'

/**
 * Returns the patterns of the paths of all servers whose routing is automatic, for a router that needs them: `/albums` and
 * everything below, `/operations`, `/`. `below` is how the router writes everything below a path. Servers with different hosts may
 * have the same path.
 */
export function automaticPatterns({ paths }: FrameworkServer, below: string): readonly string[] {
  const patterns = paths
    .filter(({ routing }) => routing === 'automatic')
    .flatMap(({ kind, path }) => (kind === 'type' ? [path, path + below] : [path]))
  return [...new Set(patterns)]
}
