// Successive characters that RFC 3986 does not allow in a URI. A percent sign is allowed if it starts an encoded byte. `#` is not,
// because a request target has no fragment.
const disallowedInUris = /(?:%(?![\dA-Fa-f]{2})|[^\w!$%&'()*+,./:;=?@~-])+/gu

/** Matches a target that needs no encoding and has no percent sign. Fast path: most targets are like that. */
const plainTarget = /^[\w!$&'()*+,./:;=?@~-]*$/

/**
 * Encodes the characters of a path or query that a client may send but a link must not contain, such as brackets, `"` or `|`. The
 * target is equivalent. The result needs no escaping in JSON.
 */
export function encodedUri(target: string): string {
  if (target === '' || plainTarget.test(target)) return target
  return target.replace(disallowedInUris, encoded)
}

/** Encodes the segments of a path without a slash at its beginning: that of a type, or of an aggregate below it. */
export function encodedPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/')
}

/** Like `disallowedInUris`, but allows the brackets of an IPv6 address. */
const disallowedInOrigins = /(?:%(?![\dA-Fa-f]{2})|[^\w!$%&'()*+,./:;=?@~[\]-])+/gu

/**
 * Creates a function that returns the URL before the path of a request, with the same encoding. It caches the last one, because most
 * requests to a server have the same. The same text is the same object, so it is fast to compare.
 */
export function baseUrls(): (origin: string, prefix: string) => string {
  let last = { origin: '', prefix: '', url: '' }
  return (origin, prefix) => {
    if (last.origin === origin && last.prefix === prefix) return last.url
    const url = origin.replace(disallowedInOrigins, encoded) + encodedUri(prefix)
    last = { origin, prefix, url }
    return url
  }
}

/** Returns the URL of a resource: `{base}/{uriType}/{id}`. */
export function resourceUrl({ uriType }: { readonly uriType: string }, id: string, base: string): string {
  return `${base}/${encodedSegment(uriType)}/${encodedSegment(id)}`
}

/**
 * Percent-encodes a type or an id. Lone surrogates are replaced first, because a stored key may contain one and
 * `encodeURIComponent` throws for it. Fast path: numbers and UUIDs need no encoding.
 */
export function encodedSegment(text: string): string {
  return /^[\w-]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

function encoded(characters: string): string {
  return encodeURIComponent(characters.toWellFormed())
}
