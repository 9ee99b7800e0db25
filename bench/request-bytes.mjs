// @ts-check
/** Converts a request to bytes. */

/** @param {import('./workloads.mjs').Request} request @param {number} port */
export function bytesOf({ method, path, body, headers }, port) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]
  for (const [name, value] of Object.entries({ Accept: 'application/vnd.api+json', ...headers })) {
    lines.push(`${name}: ${value}`)
  }
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
