import type { SentRequest } from './exchange.js'

/**
 * Returns a shell command that repeats a request. The values of secret headers are not printed: reports are stored and
 * shared.
 */
export function curlText({ method, url, headers, body }: SentRequest, secrets: ReadonlySet<string>): string {
  const options = [
    ...(method === 'HEAD' ? ['-I'] : ['-i']),
    ...(method === 'GET' || method === 'HEAD' || (method === 'POST' && body !== null) ? [] : [`-X ${method}`]),
    quoted(url),
    ...Object.entries(headers).map(([name, value]) => {
      return `-H ${quoted(`${name}: ${secrets.has(name.toLowerCase()) ? '…' : value}`)}`
    }),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ]
  return `curl -g ${options.join(' ')}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
