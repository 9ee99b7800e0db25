/**
 * A host name, an IPv4 or a bracketed IPv6 address, with or without a port (RFC 3986, section 3.2.2, without escapes).
 */
const AUTHORITY = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9.])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Returns whether a host that a client sent may be used in the links of a document. Texts with spaces, quotes, user names or
 * slashes are rejected: no link could use them.
 */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text)
}
