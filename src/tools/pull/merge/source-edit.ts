import type { Part, PartList } from './source-tree.js'

/** A replacement of a part of a text. */
export interface SourceEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits. Edits at the same position are applied in their order. */
export function withEdits(source: string, edits: readonly SourceEdit[]): string {
  const ordered = edits
    .map((edit, index) => ({ ...edit, index }))
    .toSorted((a, b) => a.start - b.start || a.index - b.index)
  let [text, position] = ['', 0]
  for (const edit of ordered) {
    text += source.slice(position, Math.max(position, edit.start)) + edit.text
    position = Math.max(position, edit.end)
  }
  return text + source.slice(position)
}

interface EditedList {
  readonly text: string
  readonly list: PartList
}

interface NewPart {
  readonly pulled: PartList
  readonly part: Part
  readonly source: string
}

/** Inserts a part after its predecessor in the pulled text, or before all others. */
export function inserted({ text, list }: EditedList, { pulled, part, source }: NewPart): SourceEdit {
  const before = pulled.parts.slice(0, pulled.parts.indexOf(part)).toReversed()
  const previous = before
    .map(({ key }) => list.parts.find((each) => each.key === key))
    .find((each) => each !== undefined)
  const raw = source.slice(part.start, part.end)
  switch (list.kind) {
    case 'statements': {
      const end = previous === undefined ? 0 : lineEnd(text, previous.end)
      return { start: end, end, text: previous === undefined ? `${raw}\n\n` : `\n\n${raw}` }
    }
    case 'calls': {
      const end = previous?.end ?? list.open
      const isBroken = list.parts.length > 1 && text.slice(list.parts[0]?.end, list.parts[1]?.end).includes('\n')
      return { start: end, end, text: `${isBroken ? `\n${indentBefore(text, list.parts[1]?.end ?? end)}` : ''}${raw}` }
    }
    case 'members':
    case 'lines':
      return insertedMember({ text, list }, previous, reindented(raw, source, part, memberIndent(text, list)))
  }
}

function insertedMember({ text, list }: EditedList, previous: Part | undefined, raw: string): SourceEdit {
  const [first] = list.parts
  const isInline = first !== undefined && !text.slice(list.open, first.start).includes('\n')
  const separator = list.kind === 'members' ? ',' : usesSemicolons(text, list) ? ';' : ''
  const gap = isInline ? ' ' : `\n${memberIndent(text, list)}`
  if (previous === undefined) {
    const start = list.open
    if (first === undefined) return { start, end: start, text: `${gap}${raw}${separator}${lineIndent(text, start)}` }
    return { start, end: start, text: `${gap}${raw}${separator}` }
  }
  const comma = /^\s*[,;]/.exec(text.slice(previous.end))?.[0]
  const start = previous.end + (comma?.length ?? 0)
  const isLast = previous === list.parts.at(-1)
  if (comma !== undefined) return { start, end: start, text: `${gap}${raw}${isLast && isInline ? '' : separator}` }
  // In a type, the end of the line separates. In an object, the last member had no comma.
  return {
    start,
    end: start,
    text: list.kind === 'lines' && !isInline ? `${gap}${raw}` : `${separator || ','}${gap}${raw}`,
  }
}

function usesSemicolons(text: string, { parts }: PartList): boolean {
  return parts.some(({ end }) => text[end] === ';')
}

/** Removes a part with its separator. */
export function removed(text: string, { kind, parts }: PartList, part: Part): SourceEdit {
  const index = parts.indexOf(part)
  const [before, next] = [parts[index - 1], parts[index + 1]]
  if (kind === 'calls') return { start: part.start, end: part.end, text: '' }
  const separator = /^\s*[,;]/.exec(text.slice(part.end))?.[0].length ?? 0
  const end = part.end + separator
  const line = text.lastIndexOf('\n', part.start - 1) + 1
  const isOwnLine = text.slice(line, part.start).trim() === '' && /^[ \t]*(?:\n|$)/.test(text.slice(end))
  if (isOwnLine) return { start: line, end: lineEnd(text, end) + 1, text: '' }
  if (next !== undefined) return { start: part.start, end: next.start, text: '' }
  return before === undefined ? { start: part.start, end, text: '' } : { start: before.end, end, text: '' }
}

function lineEnd(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end === -1 ? text.length : end
}

function memberIndent(text: string, { parts: [first], open }: PartList): string {
  if (first !== undefined && text.slice(open, first.start).includes('\n')) return indentBefore(text, first.start)
  return `${indentBefore(text, open)}  `
}

function lineIndent(text: string, position: number): string {
  return `\n${indentBefore(text, position)}`
}

/** Returns the indent of the line of a position. */
function indentBefore(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function reindented(raw: string, source: string, part: Part, indent: string): string {
  return raw.replaceAll(`\n${indentBefore(source, part.start)}`, `\n${indent}`)
}
