/** The target of a link: on the server, on another server, or not a URL. */
export type Address =
  | { readonly kind: 'internal'; readonly url: string }
  | { readonly kind: 'external'; readonly origin: string }
  | { readonly kind: 'invalid' }

export interface AddressSettings {
  /** The URL of the server. */
  readonly url: string
  /** The base that its links have instead; `null` if they begin with the same origin. */
  readonly baseUri: string | null
}

/** Resolves the targets of links. Only addresses of the server are requested. */
export interface Addresses {
  resolve(href: string, from: string): Address
}

export function createAddresses({ url, baseUri }: AddressSettings): Addresses {
  const server = new URL(url)
  const base = baseUri === null ? null : withSlash(new URL(baseUri).href)
  return {
    resolve(href, from) {
      if (!URL.canParse(href, from)) return { kind: 'invalid' }
      const target = new URL(href, from)
      target.hash = ''
      if (base !== null && withSlash(target.href.split('?')[0] ?? '').startsWith(base)) {
        const rest = target.href.slice(base.length - 1).replace(/^\//, '')
        return { kind: 'internal', url: new URL(rest, withSlash(url)).href }
      }
      if (isSameServer(target, server)) {
        target.host = server.host
        return { kind: 'internal', url: target.href }
      }
      return { kind: 'external', origin: target.origin }
    },
  }
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a URL is of the server. All names of the local machine are equal: many servers always write `localhost` into links. */
function isSameServer(target: URL, server: URL): boolean {
  if (target.origin === server.origin) return true
  const isLocal = loopback.includes(target.hostname) && loopback.includes(server.hostname)
  return isLocal && target.protocol === server.protocol && target.port === server.port
}

/** Returns the query parameters of a URL, by name and value. */
export function queryOf(url: string): URLSearchParams {
  return new URL(url).searchParams
}

/** Returns a URL with further query parameters, whose names and values are percent-encoded. A parameter replaces one of its name. */
export function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const changed = new URL(url)
  const unchanged = [...changed.searchParams].filter(([name]) => !Object.hasOwn(parameters, name))
  const query = [...unchanged, ...Object.entries(parameters)]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${changed.origin}${changed.pathname}${query === '' ? '' : `?${query}`}`
}
