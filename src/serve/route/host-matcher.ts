import type { Host } from '../../core/http/host.js'
import { isHost, originReader, readHost } from '../../core/http/host.js'

/**
 * Returns a function that checks whether the host of an origin is in a list. `*.example.com` matches all hosts under
 * `example.com`. An entry without a port matches all ports.
 */
export function hostMatcher(patterns: readonly string[]): (origin: string) => boolean {
  const names = patterns.filter((pattern) => !pattern.startsWith('*.')).map(readHost)
  const endings = patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => readHost(pattern.slice(1)))
  const hostOf = originReader()
  return (origin) => {
    const host = hostOf(origin)
    return names.some((each) => isHost(host, each)) || endings.some((each) => isUnder(host, each))
  }
}

function isUnder({ name, port }: Host, ending: Host): boolean {
  const hasEnding = name.length > ending.name.length && name.endsWith(ending.name)
  return hasEnding && (ending.port === null || ending.port === port)
}
