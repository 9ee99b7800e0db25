/** Where a link leads. */
export type Address =
  | { readonly kind: 'own'; readonly url: string }
  | { readonly kind: 'foreign'; readonly origin: string }
  | { readonly kind: 'invalid' }

export interface AddressSettings {
  /** The URL of the server. */
  readonly url: string
  /** The base that its links have instead; `null` if they begin with the same origin. */
  readonly baseUri: string | null
}

/** Finds the addresses that links lead to. Only addresses of the server are ever requested. */
export interface Addresses {
  resolve(href: string, from: string): Address
}

export function createAddresses({ url, baseUri }: AddressSettings): Addresses {
  const own = new URL(url)
  const base = baseUri === null ? null : withSlash(new URL(baseUri).href)
  return {
    resolve(href, from) {
      if (!URL.canParse(href, from)) return { kind: 'invalid' }
      const target = new URL(href, from)
      target.hash = ''
      if (base !== null && withSlash(target.href.split('?')[0] ?? '').startsWith(base)) {
        const rest = target.href.slice(base.length - 1).replace(/^\//, '')
        return { kind: 'own', url: new URL(rest, withSlash(url)).href }
      }
      if (isSameServer(target, own)) {
        target.host = own.host
        return { kind: 'own', url: target.href }
      }
      return { kind: 'foreign', origin: target.origin }
    },
  }
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Names of the own machine are the same server: many servers write `localhost` into links, whatever they are called. */
function isSameServer(target: URL, own: URL): boolean {
  if (target.origin === own.origin) return true
  const isLocal = loopback.includes(target.hostname) && loopback.includes(own.hostname)
  return isLocal && target.protocol === own.protocol && target.port === own.port
}

/** Returns the query parameters of a URL, by name and value. */
export function queryOf(url: string): URLSearchParams {
  return new URL(url).searchParams
}

/** Returns a URL with further query parameters, whose names and values are percent-encoded. A parameter replaces one of its name. */
export function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const changed = new URL(url)
  const kept = [...changed.searchParams].filter(([name]) => !Object.hasOwn(parameters, name))
  const query = [...kept, ...Object.entries(parameters)]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${changed.origin}${changed.pathname}${query === '' ? '' : `?${query}`}`
}
