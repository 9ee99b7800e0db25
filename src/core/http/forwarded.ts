import { withoutSlashesAtEnd } from '../util/without-slashes-at-end.js'
import { isAuthority } from './authority.js'
import { derivedRequest } from './derived-request.js'
import type { HttpRequest } from './request.js'

/** The URL that the client used, according to the proxy, up to the path that the proxy passes on. */
export interface ForwardedUrl {
  readonly origin: string
  /** The path that the proxy has removed, such as `/api`; empty if there is none. */
  readonly prefix: string
}

type Header = HttpRequest['header']

/**
 * Reads the URL that the client used from `Forwarded` (RFC 7239), or from `X-Forwarded-Proto`, `-Host`, `-Port` and
 * `-Prefix`. A value that cannot be part of a URL is ignored.
 *
 * @param origin the origin of the request as it arrived
 */
export function forwardedUrl(header: Header, origin: string): ForwardedUrl {
  const [scheme = 'http', host = ''] = origin.split('://')
  const forwarded = forwardedParameters(header('forwarded') ?? '')
  const proto = (forwarded.get('proto') ?? firstForwarded(header('x-forwarded-proto')))?.toLowerCase()
  const clientScheme = proto === 'http' || proto === 'https' ? proto : scheme
  const forwardedHost = forwarded.get('host') ?? firstForwarded(header('x-forwarded-host'))
  const clientHost = forwardedHost !== undefined && isAuthority(forwardedHost) ? forwardedHost : host
  const port = forwarded.has('host') ? undefined : firstForwarded(header('x-forwarded-port'))
  return {
    origin: `${clientScheme}://${withPort(clientHost, port, clientScheme)}`,
    prefix: prefixOf(firstForwarded(header('x-forwarded-prefix'))),
  }
}

/** Creates the same request with the URL that the client used. A router of the host may have removed a prefix after the proxy. */
export function forwardedRequest(request: HttpRequest): HttpRequest {
  const { origin, prefix } = forwardedUrl((name) => request.header(name), request.origin)
  return derivedRequest(request, {
    origin,
    prefix: prefix + (request.prefix ?? ''),
    address: forwardedAddress((name) => request.header(name)) ?? request.address,
  })
}

/**
 * Returns the address that the proxy has added to `Forwarded` or `X-Forwarded-For`: the last one. Addresses before it were sent by the
 * client, or by proxies closer to the client. A port is removed.
 */
export function forwardedAddress(header: Header): string | undefined {
  // The quotes of a client may be unbalanced, so its elements are not parsed.
  const listed =
    forwardedParameters(lastForwarded(header('forwarded'))).get('for') ?? lastForwarded(header('x-forwarded-for'))
  const text = listed.trim().replaceAll('"', '')
  const [, inBrackets] = /^\[([^\]]*)\]/.exec(text) ?? []
  const address = inBrackets ?? text.replace(/^([^:]*):\d+$/, '$1')
  return address === '' ? undefined : address
}

/** Returns the last element of a header to which each proxy appends a value. */
function lastForwarded(header = ''): string {
  return header.slice(header.lastIndexOf(',') + 1)
}

/** Returns the first element of a header to which each proxy appends a value. */
function firstForwarded(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const comma = header.indexOf(',')
  return (comma === -1 ? header : header.slice(0, comma)).trim()
}

/**
 * A parameter of `Forwarded`, and the separator after it. A separator in quotes is part of a value. The expression matches at every
 * position, so it never goes back, and the time is linear.
 */
const PARAMETER = /((?:[^;,"]|"(?:[^"\\]|\\[^])*"?)*)([;,]|$)/y

/** Returns the parameters of the first element of `Forwarded`: those of the proxy that the client has connected to. */
function forwardedParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = 0
  for (let separator = ';'; separator === ';'; ) {
    const [, text = '', next = ''] = PARAMETER.exec(header) ?? []
    const equals = text.indexOf('=')
    const value = valueIn(text.slice(equals + 1).trim())
    if (equals !== -1 && value !== null) parameters.set(text.slice(0, equals).trim().toLowerCase(), value)
    separator = next
  }
  return parameters
}

/** Returns the text of a token or of a quoted string; `null` if it is neither. */
function valueIn(text: string): string | null {
  if (!text.startsWith('"')) return /[\s"]/.test(text) ? null : text
  const [, quoted] = /^"((?:[^"\\]|\\[^])*)"$/.exec(text) ?? []
  return quoted?.replaceAll(/\\([^])/g, '$1') ?? null
}

/** Adds a port that the host does not name. The default port of the scheme is left out. */
function withPort(host: string, port: string | undefined, scheme: string): string {
  if (port === undefined || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) return host
  const name = host.replace(/:\d*$/, '')
  if (name !== host && host.includes(`:${port}`)) return host
  return Number(port) === (scheme === 'https' ? 443 : 80) ? name : `${name}:${port}`
}

/** A path of segments without characters that a link may not have. */
const PREFIX = /^(?:\/[\w!$&'()*+,.:;=@~%-]+)+$/

function prefixOf(header: string | undefined): string {
  const prefix = withoutSlashesAtEnd(header ?? '')
  return PREFIX.test(prefix) && !/\/\.{1,2}(?:\/|$)/.test(prefix) ? prefix : ''
}
