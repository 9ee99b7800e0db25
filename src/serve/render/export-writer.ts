import { Buffer } from 'node:buffer'
import { NO_SNIFF, VARY_ACCEPT } from '../../core/document/media-type.js'
import { contentDisposition } from '../../core/http/content-disposition.js'
import type { HttpResponse } from '../../core/http/response.js'
import { exportMediaTypes } from '../../declare/resource/parts/export.js'
import { unshownIn, UnshownValue } from '../../declare/resource/reading/shown-value.js'
import type { ExportValue, ResourceNode } from '../operation/response-value.js'
import { csvLine } from './csv.js'
import { exportReader, type ExportReader } from './export-reader.js'
import { json } from './json.js'
import type { ReportUnshown } from './resources-writer.js'

/** Renders an export. Its parts become bytes when the client wants them. */
export function renderExport(value: ExportValue, onUnshown: ReportUnshown): HttpResponse {
  const { format, served, parts } = value
  const isText = format === 'csv'
  const headers = [
    ...VARY_ACCEPT,
    'Content-Type',
    `${exportMediaTypes[format]}${isText ? '; charset=utf-8; header=present' : ''}`,
    ...NO_SNIFF,
    'Content-Disposition',
    contentDisposition(`${served.type.type}.${format}`, false),
    ...value.headers,
  ]
  const writer = partWriter(value, onUnshown)
  if (parts === null) return { status: 200, headers, body: Buffer.from(writer.start + writer.end) }
  return { status: 200, headers, body: new ExportBody(value.first, parts, writer) }
}

/** Writes the parts of an export as text. */
interface PartWriter {
  readonly start: string
  readonly write: (nodes: readonly ResourceNode[]) => string
  readonly end: string
  /** The last line of an export that was cut off. */
  readonly cutOff: (thrown: unknown) => string
}

/** Not a generator, because `return` of one that was not started would leave the parts open. */
class ExportBody implements AsyncIterableIterator<Uint8Array> {
  readonly #parts: AsyncIterableIterator<readonly ResourceNode[]>
  readonly #writer: PartWriter
  #first: readonly ResourceNode[] | null
  #failure: { readonly thrown: unknown } | null = null
  #hasEnded = false

  constructor(
    first: readonly ResourceNode[],
    parts: AsyncIterableIterator<readonly ResourceNode[]>,
    writer: PartWriter,
  ) {
    this.#first = first
    this.#parts = parts
    this.#writer = writer
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const writer = this.#writer
    if (this.#failure !== null) throw this.#failure.thrown
    if (this.#hasEnded) return { done: true, value: undefined }
    if (this.#first !== null) {
      const text = writer.start + writer.write(this.#first)
      this.#first = null
      return bytesOf(text)
    }
    try {
      const { done, value } = await this.#parts.next()
      if (done !== true) return bytesOf(writer.write(value))
    } catch (thrown) {
      this.#failure = { thrown }
      const last = writer.cutOff(thrown)
      if (last === '') throw thrown
      return bytesOf(last)
    }
    this.#hasEnded = true
    return writer.end === '' ? { done: true, value: undefined } : bytesOf(writer.end)
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#hasEnded = true
    await this.#parts.return?.()
    return { done: true, value: undefined }
  }
}

function bytesOf(text: string): IteratorResult<Uint8Array> {
  return { done: false, value: Buffer.from(text) }
}

/** Returns the reason for the client: the message of a limit, and nothing about an unexpected error. */
function problem(thrown: unknown): string {
  return thrown instanceof Error && 'isCutOff' in thrown ? thrown.message : 'An error has occurred.'
}

const none = (): string => ''

function partWriter(value: ExportValue, onUnshown: ReportUnshown): PartWriter {
  const { format, columns, options } = value
  const read = readerOfParts(value, onUnshown)
  switch (format) {
    case 'ndjson':
      return {
        start: '',
        write: (nodes) => read(nodes, (row) => `${objectText(row)}\n`),
        end: '',
        cutOff: (thrown) =>
          `${json({ errors: [{ status: '500', title: 'The export is incomplete.', detail: problem(thrown) }] })}\n`,
      }
    case 'json': {
      let isFirst = true
      const write = (row: ExportRow): string => {
        const separator = isFirst ? '' : ',\n'
        isFirst = false
        return separator + objectText(row)
      }
      return { start: '[', write: (nodes) => read(nodes, write), end: ']\n', cutOff: none }
    }
    case 'csv': {
      const names = columns.flatMap((column) =>
        column.kind === 'attribute'
          ? [column.name]
          : [...(column.hasTypes ? [`${column.name}.type`] : []), `${column.name}.id`],
      )
      const start = `${options.hasBom ? '\uFEFF' : ''}${csvLine(['id', ...names], false)}`
      const write = (row: ExportRow): string => csvLine([...row.values()], options.escapesFormulas)
      return { start, write: (nodes) => read(nodes, write), end: '', cutOff: none }
    }
  }
}

/** The cells of a row by name, in the order of the columns; `undefined` for a cell that the client may not see. */
type ExportRow = ReadonlyMap<string, unknown>

function objectText(row: ExportRow): string {
  let text = ''
  for (const [name, value] of row) if (value !== undefined) text += `,${json(name)}:${json(value)}`
  return `{${text.slice(1)}}`
}

/** Returns a function that writes nodes, each with the reader of its columns. Values that cannot be shown are reported once for each attribute. */
function readerOfParts(
  { served, columns, context }: ExportValue,
  onUnshown: ReportUnshown,
): (nodes: readonly ResourceNode[], write: (row: ExportRow) => string) => string {
  const reported = new Set<string>()
  const onUnshownValue = (thrown: unknown, id: string): void => {
    if (!(thrown instanceof UnshownValue)) throw thrown
    if (!reported.has(thrown.attribute)) onUnshown(unshownIn(served.type.type, id, thrown))
    reported.add(thrown.attribute)
  }
  let known: { readonly columns: readonly string[]; readonly read: ExportReader } | null = null
  return (nodes, write) => {
    let text = ''
    for (const node of nodes) {
      if (known?.columns !== node.rows.columns) {
        known = { columns: node.rows.columns, read: exportReader(served, columns, node.rows.columns) }
      }
      text += write(known.read(node, context, onUnshownValue))
    }
    return text
  }
}
