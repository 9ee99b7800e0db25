/** A fenced block of a page, or of a TSDoc example. */
export interface Fence {
  /** Where it was found: `docs/start/ten-minutes.md:12`. */
  readonly location: string
  readonly language: string
  /** The words after the language: `file=server.ts` becomes `{ file: 'server.ts' }`. */
  readonly info: Readonly<Record<string, string>>
  readonly text: string
}

const fence = /^```(\w+)([^\n]*)\n(.*?)^```$/gms

/** The fenced blocks of a Markdown page, in order. */
export function fencesIn(page: string, name: string, firstLine = 1): readonly Fence[] {
  return [...page.matchAll(fence)].map((match) => {
    const [, language = '', info = '', text = ''] = match
    const line = firstLine + page.slice(0, match.index).split('\n').length - 1
    return { location: `${name}:${line}`, language, info: infoOf(info), text }
  })
}

/** The `@example` blocks of a source file. */
export function examplesIn(source: string, name: string): readonly Fence[] {
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].flatMap((comment) => {
    if (!comment[0].includes('@example')) return []
    const firstLine = source.slice(0, comment.index).split('\n').length
    const text = comment[0].replaceAll(/^[ \t]*\* ?/gm, '')
    return fencesIn(text, name, firstLine)
  })
}

function infoOf(text: string): Readonly<Record<string, string>> {
  const words = text.split(' ').filter((word) => word !== '')
  return Object.fromEntries(words.map((word) => [word.split('=')[0], word.split('=')[1] ?? '']))
}
