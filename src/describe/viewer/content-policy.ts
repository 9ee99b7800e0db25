import type { OpenApiDocument } from '../openapi/openapi-settings.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'

/**
 * Returns the header `Content-Security-Policy` of a page: everything is loaded from the server itself, no script or style is in the page, and
 * requests go only to the addresses of the API. Icons of the package are `data:` URLs in its styles.
 *
 * @param document the document whose operations the page can send; `null` if it sends none
 */
export function contentPolicy(document: OpenApiDocument | null): string {
  const sources = document === null ? ["'self'"] : ["'self'", ...new Set(addresses(document).flatMap(sourceOf))]
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${sources.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return directives.join('; ')
}

/** Returns the URLs to which the viewer sends requests: those of the API, and those of OAuth servers. */
function addresses({ servers, components }: OpenApiDocument): readonly unknown[] {
  const schemes = Object.values(components['securitySchemes'] ?? {}).filter(isPlainObject)
  const flows = schemes.flatMap(({ flows: given }) => (isPlainObject(given) ? Object.values(given) : []))
  return [
    ...servers.map(({ url }) => url),
    ...schemes.map(({ openIdConnectUrl }) => openIdConnectUrl),
    ...flows.flatMap((flow) => (isPlainObject(flow) ? [flow['tokenUrl'], flow['refreshUrl']] : [])),
  ]
}

/** A base that no address has, to recognize relative URLs. */
const HERE = 'http://here.invalid'

function sourceOf(url: unknown): readonly string[] {
  if (typeof url !== 'string' || !URL.canParse(url, HERE)) return []
  const { origin, host, protocol } = new URL(url, HERE)
  if (origin === HERE || !/^https?:$/.test(protocol)) return []
  return [url.startsWith('//') ? host : origin]
}
