import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { withQuery } from '../crawl/addresses.js'
import type { KnownType } from '../crawl/knowledge.js'
import { linksOf } from '../documents/document-links.js'
import { type Exchange, isInconclusive, isRefused, responded } from '../exchange/exchange.js'
import type { Operation } from '../openapi/description.js'
import type { Check, Run } from './run.js'

/** The formats whose rows can be checked, by their media types. */
const formats: Readonly<Record<string, (text: string) => Rows>> = Object.freeze({
  'application/x-ndjson': rowsOfLines,
  'text/csv': headerOfCsv,
})

/** The maximum number of rows that a run exports, if it can choose them by their ids. */
const mostRows = 3

/** Checks the exports of collections that the OpenAPI document has: responses of other media types with their rows. */
export const exports: Check = {
  name: 'exports',
  statements: ['export-complete', 'export-columns'],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

async function checkType(type: KnownType, run: Run): Promise<void> {
  const url = type.collection?.url
  const operation = url === undefined ? null : (run.description?.find('GET', url) ?? null)
  const mediaTypes = Object.keys(operation?.response(200)?.content ?? {}).filter((name) => Object.hasOwn(formats, name))
  const wanted = operation === null ? null : fewRows(type, operation)
  if (url === undefined || wanted === null) return
  const [attribute] = Object.keys([...type.resources.values()][0]?.attributes ?? {})
  const fieldset = attribute === undefined ? {} : { [`fields[${type.name}]`]: attribute }
  const columns = run.description?.isOfAshlar === true && attribute !== undefined ? ['id', attribute] : null
  await Promise.all(
    mediaTypes.map(async (accept) => {
      const exchange = await run.sender.send(withQuery(url, { ...wanted, ...fieldset }), {
        headers: { Accept: accept },
      })
      if (exchange !== null) judgeExport(exchange, { accept, columns }, run)
    }),
  )
}

/** Returns parameters for an export of few rows; `null` if the collection has more than a page, and its ids are no filter. */
function fewRows({ collection, resources }: KnownType, operation: Operation): Readonly<Record<string, string>> | null {
  const ids = [...resources.keys()].filter((id) => !id.includes(','))
  const isFilter = operation.queryParameters.some(({ name }) => name === 'filter[id]')
  if (isFilter && ids.length > 0) return { 'filter[id]': ids.slice(0, mostRows).join(',') }
  return linksOf(collection?.exchange.document)['next'] === undefined ? {} : null
}

interface Expected {
  readonly accept: string
  /** The names of the columns; `null` if they are not known. */
  readonly columns: readonly string[] | null
}

function judgeExport(exchange: Exchange, { accept, columns }: Expected, { ledger }: Run): void {
  const { response, failure, mediaTypes } = exchange
  if (failure === null && (isInconclusive(exchange) || isRefused(exchange))) return
  // That of another media type, or of another status, is judged by the OpenAPI document.
  if (failure === null && (response.status !== 200 || mediaTypes[0]?.name !== accept)) return
  const { problem, names } = failure === null ? (formats[accept] ?? rowsOfLines)(response.text) : { problem: failure }
  ledger.expect('export-complete', problem === null, {
    problem: `${responded(exchange)}${problem === null || failure !== null ? '' : `, but ${problem}`}.`,
    exchange,
    // A connection may be cut for other reasons.
    ...(failure === null ? {} : { severity: 'warning' }),
  })
  if (columns === null || names === undefined || names.length === 0) return
  const other = names.find((name) => !columns.includes(name))
  ledger.expect('export-columns', other === undefined && names.includes('id'), {
    problem: `${responded(exchange)} with the columns ${names.join(', ')}, not ${columns.join(', ')}.`,
    exchange,
  })
}

/** The columns of an export, and what is wrong with its lines; `null` if nothing is. */
interface Rows {
  readonly problem: string | null
  readonly names?: readonly string[]
}

function rowsOfLines(text: string): Rows {
  const lines = text.split('\n')
  if (lines.pop() !== '') return { problem: 'the last line does not end' }
  const rows = lines.map(rowIn)
  const wrong = rows.findIndex((row) => row === null || Object.hasOwn(row, 'errors'))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))]
  return wrong === -1 ? { problem: null, names } : { problem: `line ${wrong + 1} is no row` }
}

function rowIn(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const row = JSON.parse(line) as unknown
    return isJsonObject(row) ? row : null
  } catch {
    return null
  }
}

function headerOfCsv(text: string): Rows {
  const [header] = /^[^\r\n]*(?=\r?\n)/.exec(text.replace(/^\uFEFF/, '')) ?? []
  if (header === undefined || !text.endsWith('\n')) return { problem: 'its last line does not end' }
  return { problem: null, names: header.split(',') }
}
