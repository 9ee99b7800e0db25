import { Buffer } from 'node:buffer'
import { NO_SNIFF, VARY_ACCEPT } from '../../core/document/media-type.js'
import { turnsOfOthers } from '../../core/util/time-slices.js'
import { contentDisposition } from '../../core/http/content-disposition.js'
import type { HttpResponse } from '../../core/http/response.js'
import { exportMediaTypes } from '../../declare/resource/parts/export.js'
import { unshownIn, UnshownValue } from '../../declare/resource/reading/shown-value.js'
import type { ExportValue, ResourceNode } from '../operation/response-value.js'
import { csvLine } from './csv.js'
import { cellNames, exportReader, type ExportReader } from './export-reader.js'
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

/** How long nodes are written before other requests go on, in milliseconds. */
const SLICE = 0.5

/** The number of rows after which the time is checked. */
const ROWS_PER_CHECK = 10

/** Writes the parts of an export as text. */
interface PartWriter {
  readonly start: string
  /** Writes nodes for a short time. */
  readonly write: (nodes: readonly ResourceNode[], from: number) => Written
  readonly end: string
  /** The last line of an export that was cut off. */
  readonly cutOff: (thrown: unknown) => string
}

/** The text of some nodes, and the index of the next one. */
interface Written {
  readonly text: string
  readonly next: number
}

/** Not a generator, because `return` of one that was not started would leave the parts open. */
class ExportBody implements AsyncIterableIterator<Uint8Array> {
  readonly #parts: AsyncIterableIterator<readonly ResourceNode[]>
  readonly #writer: PartWriter
  /** The part that is being written, and how many of its nodes are. */
  #part: readonly ResourceNode[]
  #written = 0
  /** Comes before the first node. */
  #start: string
  #failure: { readonly thrown: unknown } | null = null
  #hasEnded = false

  constructor(
    first: readonly ResourceNode[],
    parts: AsyncIterableIterator<readonly ResourceNode[]>,
    writer: PartWriter,
  ) {
    this.#part = first
    this.#parts = parts
    this.#writer = writer
    this.#start = writer.start
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const { end, cutOff } = this.#writer
    if (this.#failure !== null) throw this.#failure.thrown
    if (this.#hasEnded) return { done: true, value: undefined }
    try {
      if (await this.#hasNodes()) return bytesOf(this.#write())
    } catch (thrown) {
      this.#failure = { thrown }
      const last = cutOff(thrown)
      if (last === '') throw thrown
      return bytesOf(last)
    }
    this.#hasEnded = true
    return end === '' ? { done: true, value: undefined } : bytesOf(end)
  }

  /** Gets the next part if all nodes of this one are written. Otherwise other requests go on before more of them are. */
  async #hasNodes(): Promise<boolean> {
    if (this.#written < this.#part.length) {
      await turnsOfOthers()
      return true
    }
    const { done, value } = await this.#parts.next()
    if (done === true) return false
    this.#part = value
    this.#written = 0
    return true
  }

  #write(): string {
    const { text, next } = this.#writer.write(this.#part, this.#written)
    this.#written = next
    const start = this.#start
    this.#start = ''
    return start + text
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
  const names = cellNames(columns)
  const addObject = objectWriter(names)
  switch (format) {
    case 'ndjson':
      return {
        start: '',
        write: (nodes, from) => read(nodes, from, (cells, texts) => addObject(cells, texts, '}\n')),
        end: '',
        cutOff: (thrown) =>
          `${json({ errors: [{ status: '500', title: 'The export is incomplete.', detail: problem(thrown) }] })}\n`,
      }
    case 'json': {
      let isFirst = true
      const write: WriteRow = (cells, texts) => {
        if (!isFirst) texts.push(',\n')
        isFirst = false
        addObject(cells, texts, '}')
      }
      return { start: '[', write: (nodes, from) => read(nodes, from, write), end: ']\n', cutOff: none }
    }
    case 'csv': {
      const start = `${options.hasBom ? '\uFEFF' : ''}${csvLine(names, false)}`
      const write: WriteRow = (cells, texts) => void texts.push(csvLine(cells, options.escapesFormulas))
      return { start, write: (nodes, from) => read(nodes, from, write), end: '', cutOff: none }
    }
  }
}

/** Writes the cells of a row to a list of texts, which are joined once: a text that grows cell by cell takes 50 % more memory for a row. */
type WriteRow = (cells: readonly unknown[], texts: string[]) => void

/** Returns a function that writes a row as an object. The first cell, the id, is always there. */
function objectWriter(names: readonly string[]): (cells: readonly unknown[], texts: string[], end: string) => void {
  const keys = names.map((name, index) => `${index === 0 ? '{' : ','}${json(name)}:`)
  return (cells, texts, end) => {
    for (let index = 0; index < keys.length; index += 1) {
      const value = cells[index]
      if (value !== undefined) texts.push(keys[index] as string, json(value))
    }
    texts.push(end)
  }
}

/** Returns a function that writes nodes, each with the reader of its columns. Values that cannot be shown are reported once for each attribute. */
function readerOfParts(
  { served, columns, context }: ExportValue,
  onUnshown: ReportUnshown,
): (nodes: readonly ResourceNode[], from: number, write: WriteRow) => Written {
  const reported = new Set<string>()
  const onUnshownValue = (thrown: unknown, id: string): void => {
    if (!(thrown instanceof UnshownValue)) throw thrown
    if (!reported.has(thrown.attribute)) onUnshown(unshownIn(served.type.type, id, thrown))
    reported.add(thrown.attribute)
  }
  let known: { readonly columns: readonly string[]; readonly read: ExportReader } | null = null
  return (nodes, from, write) => {
    const texts: string[] = []
    const end = performance.now() + SLICE
    let next = from
    for (; next < nodes.length; next += 1) {
      if (next % ROWS_PER_CHECK === 0 && next > from && performance.now() >= end) break
      const node = nodes[next] as ResourceNode
      if (known?.columns !== node.rows.columns) {
        known = { columns: node.rows.columns, read: exportReader(served, columns, node.rows.columns) }
      }
      write(known.read(node, context, onUnshownValue), texts)
    }
    return { text: texts.join(''), next }
  }
}
