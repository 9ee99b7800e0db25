/** An HTTP response as a page shows it: a status line, some of the headers, the body. */
export interface ShownReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed if it is JSON; `null` if there is none. */
  readonly body: unknown
}

/** Reads an `http` block. */
export function shownReply(text: string): ShownReply {
  const [head = '', ...body] = text.split('\n\n')
  const [statusLine = '', ...headers] = head.split('\n').filter((line) => line !== '')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]),
    headers: Object.fromEntries(headers.map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)])),
    body: parsed(body.join('\n\n')),
  }
}

/** The variables of the shell, which texts in double quotes refer to: `"Authorization: Bearer $API_TOKEN"`. */
export type Variables = Readonly<Record<string, string>>

/** Sends the request of a curl command of a page, and returns the response with the headers that the page shows. */
export async function replyTo(
  command: string,
  headers: readonly string[],
  variables: Variables = {},
): Promise<ShownReply> {
  const { url, init } = requestOf(command, variables)
  // Nor does curl follow redirects.
  const response = await fetch(url, { ...init, redirect: 'manual' })
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map((name) => [name, response.headers.get(name) ?? '(absent)'])),
    body: parsed(await response.text()),
  }
}

/** The words of a command, as a shell reads them. */
export function wordsOf(command: string, variables: Variables): readonly string[] {
  const filled = (text: string): string => text.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, quoted, open, bare]) => quoted ?? (open === undefined ? undefined : filled(open)) ?? bare ?? '',
  )
}

/** The part of curl's language that pages use: one address, `-X`, `-H`, `-d`, and `-i`, `-g`, `-s`, which change nothing here. */
export function requestOf(
  command: string,
  variables: Variables = {},
): { readonly url: string; readonly init: RequestInit } {
  const parts = wordsOf(command.replaceAll('\\\n', ' '), variables)
  const [program, ...rest] = parts
  if (program !== 'curl') throw new Error(`No curl command: ${command}`)
  const headers: [string, string][] = []
  let [method, url, body]: (string | undefined)[] = []
  while (rest.length > 0) {
    const argument = rest.shift() ?? ''
    if (['-i', '-g', '-s'].includes(argument)) continue
    if (argument === '-X') method = rest.shift()
    else if (argument === '-d') body = rest.shift()
    else if (argument === '-H') {
      const header = rest.shift() ?? ''
      headers.push([header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 1).trim()])
    } else if (argument.startsWith('-')) throw new Error(`This reader of curl commands does not know ${argument}.`)
    else url = argument
  }
  if (url === undefined) throw new Error(`No address: ${command}`)
  const sent = body === undefined ? {} : { body }
  // Like curl.
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (body !== undefined && !isTyped) headers.push(['Content-Type', 'application/x-www-form-urlencoded'])
  return { url, init: { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...sent } }
}

/** Parses JSON, or lines of JSON. Other texts have the line ends of pages, and none at their end. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null
  const shown = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  if (!/^\s*[[{]/.test(shown)) return shown
  const lines = shown.split('\n')
  const areParsedAlone = lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line))
  return areParsedAlone ? lines.map((line): unknown => JSON.parse(line)) : JSON.parse(shown)
}
