import { writeFile } from 'node:fs/promises'
import { chapterNames } from '../../format/statements/chapter-names.js'
import type { StatementId } from '../../format/statements/statements.js'
import type { Report } from '../../verify/report/report.js'
import type { VerifySettings } from '../../verify/verify.js'
import type { Command, Output } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import { nearestWord } from '../../../core/util/nearest-word.js'
import { paintFor } from '../paint.js'
import { withProgress } from '../progress.js'

const formats = ['text', 'json', 'junit'] as const

/** `ashlar verify <url>`: checks any JSON:API server against the statements of the specification. */
export const verifyCommand: Command = defineCommand(
  {
    name: 'verify',
    summary: 'checks a JSON:API server against the specification, over HTTP',
    description: [
      'Sends requests to a JSON:API server, made with Ashlar or not, and reports which normative statements of the specification it violates. It follows the links of the server, and sends requests that must succeed and requests that must be refused. If the server has an OpenAPI document, the responses are checked against it too.',
      'Only GET and HEAD are sent, and only to the server of the URL. With --write, resources are created, changed and deleted: use it on a server with disposable data.',
      'A violated MUST is a failure. A violated SHOULD, or an optional feature in another form than the specification defines, is a warning. A statement that no response has shown is listed as not seen, with the reason; --all lists these too.',
    ],
    parameters: [
      {
        name: 'url',
        noun: 'the URL of a server: of a collection, or of a document with links to collections',
        completes: 'nothing',
      },
    ],
    options: {
      path: {
        kind: 'list',
        value: 'path',
        description: 'another URL to start at, below the URL',
        completes: 'nothing',
      },
      header: {
        kind: 'list',
        value: 'header',
        description: "a header of every request: --header 'X-Api-Key: abc'. Its value is not printed",
        completes: 'nothing',
      },
      token: {
        kind: 'value',
        value: 'token',
        description: "the token of the header 'Authorization: Bearer'",
        completes: 'nothing',
      },
      write: {
        kind: 'flag',
        description: 'also creates, changes and deletes resources, and removes what it has created',
      },
      openapi: {
        kind: 'value',
        value: 'url or file',
        description:
          'the OpenAPI document. Default: the link describedby, else docs.json, openapi.json or swagger.json below the URL',
        completes: 'file',
      },
      'base-uri': {
        kind: 'value',
        value: 'uri',
        description: 'the base of the links of the server, if it differs from the URL, for example behind a proxy',
        completes: 'nothing',
      },
      only: {
        kind: 'list',
        value: 'id',
        description: `a statement or a chapter to verify: ${chapterNames.join(', ')}. Default: all`,
        completes: 'nothing',
      },
      skip: {
        kind: 'list',
        value: 'id',
        description: 'a statement or a chapter to leave out',
        completes: 'nothing',
      },
      strict: { kind: 'flag', description: 'counts warnings as failures' },
      all: {
        kind: 'flag',
        description: 'lists all statements, also the satisfied ones and the ones that were not seen',
      },
      'max-requests': {
        kind: 'value',
        value: 'number',
        description: 'the maximum number of requests. Default: 500, with --write 1000',
        completes: 'nothing',
      },
      timeout: {
        kind: 'value',
        value: 'seconds',
        description: 'the maximum duration. Default: 300',
        completes: 'nothing',
      },
      format: {
        kind: 'value',
        value: 'format',
        description: `the format of the report: ${formats.join(', ')}. Default: text`,
        completes: formats,
      },
      output: {
        kind: 'value',
        value: 'file',
        description: 'writes the report to a file, and prints it as text',
        completes: 'file',
      },
    },
    examples: [
      { call: 'ashlar verify http://127.0.0.1:3000', description: 'Which statements does a server violate?' },
      {
        call: 'ashlar verify http://127.0.0.1:3000 --write --token "$TOKEN"',
        description: 'With writes, on a server with disposable data.',
      },
      {
        call: 'ashlar verify "$API" --strict --format junit --output verify.xml',
        description: 'For CI: a JUnit report.',
      },
      {
        call: 'ashlar verify "$API" --only negotiation --only fetch-responses-404 --all',
        description: 'Some statements only.',
      },
    ],
    exitCodes: {
      0: 'No failures.',
      1: 'At least one failure; with --strict, also a warning.',
      2: 'The arguments are invalid, the server does not respond, or it has no JSON:API resources.',
    },
  },
  async (args, output) => {
    let state = 'Reading'
    const onProgress = (text: string): void => {
      state = text
    }
    const statements = await selectedStatements(args.only, args.skip)
    const settings = { ...settingsOf(args), statements, onProgress }
    // Imported here: other commands do not need it.
    const { verify, VerifyError } = await import('../../verify/verify.js')
    const run = async () => {
      try {
        return await verify(settings)
      } catch (thrown) {
        if (thrown instanceof VerifyError) return { error: thrown.message }
        throw thrown
      }
    }
    const report = await withProgress(output, () => state, run)
    if ('error' in report) {
      output.err(report.error)
      return { code: 2, result: report }
    }
    await printReport(report, { format: args.format ?? 'text', file: args.output, all: args.all }, output)
    return { code: report.counts.failed > 0 ? 1 : 0, result: report }
  },
)

interface GivenArguments {
  readonly url: string
  readonly path: readonly string[]
  readonly header: readonly string[]
  readonly token: string | null
  readonly write: boolean
  readonly strict: boolean
  readonly openapi: string | null
  readonly 'base-uri': string | null
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly 'max-requests': string | null
  readonly timeout: string | null
}

function settingsOf(args: GivenArguments): VerifySettings {
  const maxRequests = numberOf('max-requests', args['max-requests'])
  const timeout = numberOf('timeout', args.timeout)
  return {
    url: httpUrl('The URL', args.url),
    paths: args.path,
    baseUri: args['base-uri'] === null ? null : httpUrl("'--base-uri'", args['base-uri']),
    headers: headersOf(args.header, args.token),
    openapi: args.openapi,
    writes: args.write,
    strict: args.strict,
    ...(maxRequests === null ? {} : { maxRequests }),
    ...(timeout === null ? {} : { timeout: timeout * 1000 }),
  }
}

function httpUrl(subject: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${subject} is not an HTTP URL: '${text}'. Write it with its scheme: http://127.0.0.1:3000.`)
  }
  return url.href
}

function headersOf(given: readonly string[], token: string | null): Readonly<Record<string, string>> {
  const entries = given.map((header) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(header) ?? []
    if (name === undefined || value === undefined) {
      throw new UsageError(`'--header' is a name and a value: --header 'X-Api-Key: abc', not '${header}'.`)
    }
    return [name, value] as const
  })
  return Object.fromEntries([...entries, ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as const])])
}

function numberOf(option: string, text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    throw new UsageError(`'--${option}' is a whole number of at least 1, not '${text}'.`)
  }
  return number
}

async function selectedStatements(only: readonly string[], skip: readonly string[]): Promise<readonly StatementId[]> {
  const { statementChapters, statementIds } = await import('../../format/statements/statements.js')
  const named = (option: string, name: string): readonly StatementId[] => {
    const chapter = statementChapters.find((each) => each.name === name)
    if (chapter !== undefined) return Object.keys(chapter.statements) as StatementId[]
    const id = statementIds.find((each) => each === name)
    if (id !== undefined) return [id]
    const nearest = nearestWord(name, [...chapterNames, ...statementIds])
    const hint = nearest === null ? '' : ` Did you mean '${nearest}'?`
    throw new UsageError(`'--${option}' is a statement or a chapter, not '${name}'.${hint}`)
  }
  const selected = only.length === 0 ? statementIds : only.flatMap((name) => named('only', name))
  const skipped = new Set(skip.flatMap((name) => named('skip', name)))
  return [...new Set(selected)].filter((id) => !skipped.has(id))
}

interface Printing {
  readonly format: string
  readonly file: string | null
  readonly all: boolean
}

async function printReport(report: Report, { format, file, all }: Printing, output: Output): Promise<void> {
  const { textReport } = await import('../../verify/report/text-report.js')
  const { junitReport } = await import('../../verify/report/junit-report.js')
  const plain = (): string => textReport(report, { all, paint: paintFor({}) }).join('\n')
  const texts = { text: plain, json: () => JSON.stringify(report, null, 2), junit: () => junitReport(report).trimEnd() }
  const text = texts[format as (typeof formats)[number]]
  if (file !== null) await writeFile(file, `${text()}\n`)
  if (file === null && format !== 'text') output.out(text())
  else for (const line of textReport(report, { all, paint: paintFor(output) })) output.out(line)
}
