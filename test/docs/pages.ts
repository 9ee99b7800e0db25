import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Fence, fencesIn } from './fences.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The pages of the documentation, by their paths in the repository. Pages of the API are not in the repository. */
export const documentationPages: readonly string[] = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
  .map((path) => `docs/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.md') && !path.startsWith('docs/reference/api/'))
  .toSorted()

/**
 * Pages of the guide that are not about the music catalogue, although they have no block with `file=`.
 * Their blocks of TypeScript compile, and other tests compare their commands and tables with the sources.
 */
const apartFromCatalogue = new Set([
  'docs/guide/command-line.md',
  'docs/guide/contract-changes.md',
  'docs/guide/drizzle.md',
  'docs/guide/mysql.md',
  'docs/guide/openapi.md',
  'docs/guide/performance.md',
  'docs/guide/verify.md',
])

/** Whether a page teaches by the music catalogue: see `guide-pages.ts`. Other pages are followed by `page-run.ts`. */
export function isAboutCatalogue(page: string): boolean {
  if (!page.startsWith('docs/guide/') || apartFromCatalogue.has(page)) return false
  return pageFences(page).every(({ info }) => info['file'] === undefined)
}

export function pageText(page: string): string {
  return readFileSync(`${root}${page}`, 'utf8')
}

/** The fenced blocks of a page. */
export function pageFences(page: string): readonly Fence[] {
  return fencesIn(pageText(page), page)
}
