/** A registered name, an IPv4 or a bracketed IPv6 address, with or without a port (RFC 3986, section 3.2.2, without escapes). */
const AUTHORITY = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9.])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** A server is mostly called by the name that it was called by before. */
let accepted: string | null = null

/**
 * Whether a client's word for the host may stand in the links of a document. What it refuses (spaces, quotes, user names,
 * slashes) is never a host that a link could lead to.
 */
export function isAuthority(text: string): boolean {
  if (text === accepted) return true
  if (!AUTHORITY.test(text)) return false
  accepted = text
  return true
}

/** The first element of a header that proxies append to. */
export function firstForwarded(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const comma = header.indexOf(',')
  return (comma === -1 ? header : header.slice(0, comma)).trim()
}
