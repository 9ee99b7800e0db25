import { type Fence, fencesIn } from './fences.js'
import { documentationPages, isAboutCatalogue, pageText } from './pages.js'

/** A page that teaches by the music catalogue. */
export interface GuidePage {
  /** From the root of the repository on. */
  readonly name: string
  readonly text: string
  readonly steps: readonly Step[]
}

/** A fenced block. */
export interface Step {
  readonly fence: Fence
  /** The blocks next to it: its input, and its output. */
  readonly before: Fence | undefined
  readonly next: Fence | undefined
}

/**
 * The pages of the guide about the music catalogue. Each of their blocks is one of these, and nothing else:
 *
 * - `ts from=examples/music/src/…` is in that file, word for word; a line `// …` stands for what is left out. So is a block of any other
 *   language with `from`.
 * - `ts` compiles, as a file beside the sources of the example.
 * - `ts refused` does not compile, and the compiler says every line of the `text` block after it.
 * - `ts ends` compiles, is run, and prints the `text` block after it. One that names the address of the catalogue is run in its place among the
 *   requests of the page.
 * - `ts faulty` compiles, is run, and throws the error whose name and message are the `text` block after it.
 * - `sh` with one curl command is sent, and answered as the `http` block after it shows.
 * - Other `sh` blocks are for the reader only.
 */
export const guidePages: readonly GuidePage[] = documentationPages.filter(isAboutCatalogue).map((name) => {
  const text = pageText(name)
  const fences = fencesIn(text, name)
  return { name, text, steps: fences.map((fence, at) => ({ fence, before: fences[at - 1], next: fences[at + 1] })) }
})

/** The text that the `ts` block of a step is compared with. */
export type Check = 'quoted' | 'compiles' | 'refused' | 'ends' | 'faulty'

function checkOf({ info }: Fence): Check {
  if ('from' in info) return 'quoted'
  return (['refused', 'ends', 'faulty'] as const).find((kind) => kind in info) ?? 'compiles'
}

/** A block of TypeScript, and the text that comes of it. */
export interface Block {
  readonly location: string
  readonly fence: Fence
  readonly output: string
}

/** The blocks of all pages that are checked in one of these ways. */
export function blocksOf(...checks: readonly Check[]): readonly Block[] {
  return guidePages
    .flatMap(({ steps }) => steps)
    .filter(({ fence }) => ('from' in fence.info || fence.language === 'ts') && checks.includes(checkOf(fence)))
    .map(({ fence, next }) => ({ location: fence.location, fence, output: next?.text.trim() ?? '' }))
}

export function isExchange({ language, text }: Fence): boolean {
  return language === 'sh' && text.startsWith('curl ')
}

/** Why the block is not checked; `null` if it is. */
export function uncheckedBecause({ fence, before, next }: Step): string | null {
  if ('from' in fence.info) return null
  switch (fence.language) {
    case 'ts':
      return ['refused', 'ends', 'faulty'].includes(checkOf(fence)) && next?.language !== 'text'
        ? 'no text block shows what comes of it'
        : null
    case 'sh':
      return isExchange(fence) && next?.language !== 'http' ? 'no http block shows the answer' : null
    case 'http':
      return before !== undefined && isExchange(before) ? null : 'no curl command asks for it'
    case 'text':
      return before?.language === 'ts' && ['refused', 'ends', 'faulty'].includes(checkOf(before))
        ? null
        : 'no ts block says it'
    default:
      return `blocks of ${fence.language} are not checked`
  }
}
