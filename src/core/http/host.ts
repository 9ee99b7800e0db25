/** A host in the form in which hosts are compared. */
export interface Host {
  /** In lower case, without the dot that a name may end with. An IPv6 address is in its shortest form. */
  readonly name: string
  /** `null` if the text has none. */
  readonly port: number | null
}

/** Reads `music.example`, `Music.Example.:8080` or `[0::1]:80`: `name` and `port` are the same for all spellings of a host. */
export function readHost(text: string): Host {
  const [, name = '', port] = /^(.*?)(?::(\d*))?$/.exec(text.toLowerCase()) ?? []
  return { name: name.startsWith('[') ? shortAddress(name) : name.replace(/\.$/, ''), port: port ? Number(port) : null }
}

/** Returns a host as a URL has it. */
export function textOfHost({ name, port }: Host): string {
  return port === null ? name : `${name}:${port}`
}

/** Returns whether a host has the name of a pattern, and its port if the pattern has one. */
export function isHost({ name, port }: Host, pattern: Host): boolean {
  return name === pattern.name && (pattern.port === null || pattern.port === port)
}

/**
 * Creates a function that returns the host of an origin, with the default port of its scheme if it has none. It caches the last one,
 * because most requests to a server have the same.
 */
export function originReader(): (origin: string) => Host {
  let last: { readonly origin: string; readonly host: Host } | null = null
  return (origin) => {
    if (last?.origin === origin) return last.host
    const [scheme, text = ''] = origin.split('://')
    const { name, port } = readHost(text)
    const host = Object.freeze({ name, port: port ?? (scheme === 'https' ? 443 : 80) })
    last = { origin, host }
    return host
  }
}

/** Returns an IPv6 address in its shortest form, and any other text unchanged. */
function shortAddress(text: string): string {
  return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : text
}
