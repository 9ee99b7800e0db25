import { UsageError } from '../command.js'

interface Line {
  readonly number: number
  readonly indent: number
  readonly text: string
}

/**
 * Reads YAML as `yamlText` writes it: block style, with texts that are plain or in quotes. Formatters may have changed quotes and added
 * comments. Throws a `UsageError` with the line for any other YAML.
 */
export function readYaml(text: string, name: string): unknown {
  const lines = text.split('\n').flatMap((line, index): readonly Line[] => {
    const content = line.trimStart()
    const isEmpty = content.trim() === '' || content.startsWith('#') || /^---\s*$/.test(line)
    return isEmpty ? [] : [{ number: index + 1, indent: line.length - content.length, text: content.trimEnd() }]
  })
  const reader: Reader = { lines, name, next: 0 }
  const [first] = lines
  const value = first === undefined ? null : readBlock(reader, first.indent)
  const rest = lines[reader.next]
  if (rest !== undefined) refuse(reader, rest)
  return value
}

interface Reader {
  readonly lines: Line[]
  /** The name of the file, for messages. */
  readonly name: string
  /** The index of the next line. */
  next: number
}

function refuse({ name }: Reader, { number }: Line): never {
  throw new UsageError(
    `'${name}' cannot be read at line ${number}: give it as JSON, or as \`ashlar openapi\` writes YAML.`,
  )
}

/** Reads the value whose lines have this indent. */
function readBlock(reader: Reader, indent: number): unknown {
  const line = reader.lines[reader.next]
  if (line === undefined || line.indent !== indent) return null
  if (isItem(line)) return readItems(reader, indent)
  if (memberOf(line) !== null) return readMembers(reader, indent)
  reader.next += 1
  return readScalar(reader, line, line.text)
}

function isItem({ text }: Line): boolean {
  return text === '-' || text.startsWith('- ')
}

function readItems(reader: Reader, indent: number): readonly unknown[] {
  const items: unknown[] = []
  for (
    let line = reader.lines[reader.next];
    line?.indent === indent && isItem(line);
    line = reader.lines[reader.next]
  ) {
    const rest = line.text.slice(1).trimStart()
    if (rest === '') {
      reader.next += 1
      items.push(readNested(reader, indent))
      continue
    }
    // The first line of an item follows its dash, and the others are below it.
    const inner = indent + line.text.length - rest.length
    reader.lines[reader.next] = { ...line, indent: inner, text: rest }
    items.push(readBlock(reader, inner))
  }
  return items
}

/** Reads the value below a line, which has a larger indent; `null` if there is none. */
function readNested(reader: Reader, indent: number): unknown {
  const line = reader.lines[reader.next]
  return line !== undefined && line.indent > indent ? readBlock(reader, line.indent) : null
}

function readMembers(reader: Reader, indent: number): Readonly<Record<string, unknown>> {
  const members: [string, unknown][] = []
  for (let line = reader.lines[reader.next]; line?.indent === indent; line = reader.lines[reader.next]) {
    const member = memberOf(line)
    if (member === null) refuse(reader, line)
    const name = String(readScalar(reader, line, member.name, true))
    reader.next += 1
    members.push([name, member.rest === '' ? readMemberBlock(reader, indent) : readScalar(reader, line, member.rest)])
  }
  return Object.fromEntries(members)
}

/** A list may have the indent of the member that it belongs to. */
function readMemberBlock(reader: Reader, indent: number): unknown {
  const line = reader.lines[reader.next]
  return line?.indent === indent && isItem(line) ? readItems(reader, indent) : readNested(reader, indent)
}

const member = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[\]{}&*!|>%@`#-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$/

function memberOf({ text }: Line): { readonly name: string; readonly rest: string } | null {
  const [, name, rest = ''] = member.exec(text) ?? []
  return name === undefined ? null : { name, rest: rest.startsWith('#') ? '' : rest }
}

/** @param isName whether it is the name of a member, which is always a text */
function readScalar(reader: Reader, line: Line, text: string, isName = false): unknown {
  const [, quoted] = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:\s+#.*)?$/.exec(text) ?? []
  if (quoted !== undefined)
    return quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll("''", "'") : jsonText(reader, line, quoted)
  if (/^["']/.test(text)) refuse(reader, line)
  const plain = text.replace(/\s+#.*$/, '')
  if (isName) return plain
  if (plain === '[]') return []
  if (plain === '{}') return {}
  if (/^(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(plain))
    return JSON.parse(plain) as unknown
  // Flow style, anchors, tags and folded texts are not written by `ashlar openapi`.
  if (/^[[\]{}&*!|>%@`]/.test(plain)) refuse(reader, line)
  return plain
}

function jsonText(reader: Reader, line: Line, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // YAML has escapes that JSON does not have.
    refuse(reader, line)
  }
}
