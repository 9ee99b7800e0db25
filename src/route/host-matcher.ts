/**
 * Returns a function that tells whether a host is one of a list. `*.example.com` stands for all hosts under `example.com`.
 * An entry without a port matches all ports.
 */
export function hostMatcher(patterns: readonly string[]): (host: string) => boolean {
  const lowered = patterns.map((pattern) => pattern.toLowerCase())
  const names = new Set(lowered.filter((pattern) => !pattern.startsWith('*.')))
  const endings = lowered.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1))
  return (host) => {
    const withPort = host.toLowerCase()
    const name = withPort.replace(/:\d*$/, '')
    return [withPort, name].some((each) => {
      return names.has(each) || endings.some((ending) => each.length > ending.length && each.endsWith(ending))
    })
  }
}
