import { readFileSync } from 'node:fs'
import { shownPath } from '../shown-path.js'

/** A location in a file of the application. */
export interface SourceLocation {
  /** An absolute path. */
  readonly file: string
  /** From 1; null if it is unknown. */
  readonly line: number | null
  /** From 1; null if it is unknown. */
  readonly column: number | null
}

/** Parses a location such as `/music/src/albums.ts:3:5`. */
export function parsedLocation(text: string): SourceLocation {
  const [, file = text, line, column] = /^(.*?)(?::(\d+)(?::(\d+))?)?$/s.exec(text) ?? []
  return {
    file,
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
  }
}

/** Formats a location for messages: `src/albums.ts:3:5`, which terminals and editors can follow. */
export function locationText({ file, line, column }: SourceLocation): string {
  return [shownPath(file), line, column].filter((part) => part !== null).join(':')
}

/** Returns the line of a location with its neighbours, and a mark below the column; null if the line is unknown. */
export function codeFrame({ file, line, column }: SourceLocation): string | null {
  const text = readText(file)
  if (line === null || text === null) return null
  const lines = text.split(/\r?\n/)
  const [first, last] = [Math.max(1, line - 2), Math.min(lines.length, line + 1)]
  const width = String(last).length
  const shown: string[] = []
  for (let number = first; number <= last; number++) {
    const source = lines[number - 1] ?? ''
    shown.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${source}`.trimEnd())
    if (number !== line || column === null) continue
    // Tabs are not replaced, so that the mark is below its column for any tab width.
    shown.push(`  ${' '.repeat(width)} | ${source.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`)
  }
  return shown.join('\n')
}

/** Returns the location of the first match in a file; without a line if there is none. */
export function locationOfMatch(file: string, pattern: RegExp): SourceLocation {
  const text = readText(file) ?? ''
  const index = text.search(pattern)
  if (index === -1) return { file, line: null, column: null }
  const before = text.slice(0, index).split('\n')
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
