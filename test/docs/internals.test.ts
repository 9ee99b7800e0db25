import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { pageText } from './pages.js'

/*
 * The pages for contributors name files, functions, folders and layers of the source. These tests compare the names with the source, and
 * the pictures with the tables below them.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Layers {
  readonly wings: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly never: Readonly<Record<string, readonly string[]>>
  readonly only: Readonly<Record<string, readonly string[]>>
  readonly within: Readonly<Record<string, readonly (readonly string[])[]>>
}

const layers: Layers = JSON.parse(readFileSync(`${root}scripts/layers.json`, 'utf8')) as Layers

/** The lines of folders of all wings, with names such as `core/util`. */
const allLines = Object.entries(layers.wings).flatMap(([wing, folders]) =>
  folders.map((line) => line.map((folder) => `${wing}/${folder}`)),
)

const ARCHITECTURE = 'docs/internals/architecture.md'
const CONTRIBUTING = 'CONTRIBUTING.md'

describe('files', () => {
  test.each([
    [ARCHITECTURE, 20],
    ['docs/internals/caches.md', 20],
    ['docs/internals/glossary.md', 20],
    ['docs/internals/pg-protocol.md', 8],
  ] as const)('%s names files and folders of src that exist', (page, least) => {
    const paths = codeIn(page).filter((span) => /^[\w-]+(?:\/[\w.-]+)+\/?$|^[\w-]+\.ts$|^[\w-]+\/$/.test(span))
    expect(paths.length).toBeGreaterThan(least)
    expect(paths.filter((path) => pathInSource(path) === null)).toEqual([])
  })

  test.each([ARCHITECTURE, 'docs/internals/caches.md'])('%s names functions that are in their files', (page) => {
    const named = [...pageText(page).matchAll(/`#?(\w+)` in\s+`([\w/.-]+\.ts)`/g)]
    const missing = named.filter(([, name = '', file = '']) => {
      const path = pathInSource(file)
      return path === null || !readFileSync(path, 'utf8').includes(name)
    })
    expect(named.length).toBeGreaterThan(2)
    expect(missing.map(([text]) => text)).toEqual([])
  })

  test('CONTRIBUTING.md names files and folders of the repository that exist', () => {
    const folders = /^(?:\.changeset|\.github|bench|docs|etc|examples|integration|packages|scripts|src|test)\/[\w./-]*$/
    const paths = codeIn(CONTRIBUTING).filter((span) => folders.test(span))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !isInRepository(path))).toEqual([])
  })
})

test('the glossary is in alphabetical order, with one row for each term', () => {
  const terms = firstColumn('docs/internals/glossary.md', '| Term | Meaning | File |').map((term) =>
    term.replaceAll('`', ''),
  )
  expect(terms).toEqual([...new Set(terms)].toSorted((one, other) => one.localeCompare(other, 'en')))
})

describe('pictures', () => {
  test('the picture of the journey has the steps of its table', () => {
    expect(stepsIn('journey.svg')).toEqual(firstColumn(ARCHITECTURE, '| Step | What it does | File |'))
  })

  test.each([
    ['read-plan.svg', '| Step | File |'],
    ['write-path.svg', '| Step | Create | Update | Delete | Relationship write |'],
  ])('the steps of %s are in their table', (picture, header) => {
    const steps = stepsIn(picture)
    const described = firstColumn(ARCHITECTURE, header)
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.filter((step) => !described.includes(step))).toEqual([])
  })

  test('the picture of the layers has all folders in their order', () => {
    expect(textsIn('layers.svg', 'wings')).toEqual(Object.keys(layers.wings))
    expect(textsIn('layers.svg', 'folders')).toEqual(Object.values(layers.wings).flat(2))
  })
})

describe('layers', () => {
  test('the table of the page has the layers in their order', () => {
    const rows = firstColumn(ARCHITECTURE, '| Folders | Contents |')
    expect(rows.map(namesIn)).toEqual(allLines)
  })

  test('the page has the restrictions of folders', () => {
    const rows = tableRows(ARCHITECTURE, '| Folder | Restriction |')
    const found = (verb: RegExp): Record<string, readonly string[]> =>
      Object.fromEntries(
        rows
          .filter(([, rule = '']) => verb.test(rule))
          .flatMap(([folders = '', rule = '']) => namesIn(folders).map((folder) => [folder, namesIn(rule)])),
      )
    expect(found(/^never /)).toEqual(layers.never)
    expect(found(/^imports only /)).toEqual(layers.only)
  })

  test('the page has the sub-layers', () => {
    const rows = tableRows(ARCHITECTURE, '| Folder | Sub-layers, in order |')
    const found = rows.map(([folder = '', lines = '']) => [namesIn(folder)[0], lines.split(', ').map(namesIn)])
    expect(Object.fromEntries(found)).toEqual(layers.within)
  })

  test('CONTRIBUTING.md has the wings and their layers in their order', () => {
    const [, list = ''] = /^```text\n(core .*?)^```$/ms.exec(pageText(CONTRIBUTING)) ?? []
    const wings = list
      .trim()
      .split('\n')
      .map((line) => {
        const [, wing = '', folders = ''] = /^(\w+) +(.*)$/.exec(line) ?? []
        return [wing, folders.split(' > ').map((each) => each.split(', '))]
      })
    expect(Object.fromEntries(wings)).toEqual(layers.wings)
  })
})

/** Returns the spans of code of a page, outside of its blocks. */
function codeIn(page: string): readonly string[] {
  const text = pageText(page).replaceAll(/^```.*?^```$/gms, '')
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
}

/** Whether a path names a file or a folder, or a test without its ending. */
function isInRepository(path: string): boolean {
  return existsSync(`${root}${path}`) || existsSync(`${root}${path}.test.ts`)
}

/** Returns the path of a file, a folder or a test that a page names; `null` if there is none. */
function pathInSource(name: string): string | null {
  const paths = [`src/${name}`, name, `${name}.test.ts`].map((path) => `${root}${path}`)
  return paths.find((path) => existsSync(path)) ?? null
}

/** Returns the rows of the table with a header, cell by cell. */
function tableRows(page: string, header: string): readonly (readonly string[])[] {
  const lines = pageText(page).split('\n')
  const start = lines.indexOf(header)
  expect(start, `${page} has no table ${header}`).toBeGreaterThan(0)
  const rest = lines.slice(start + 2)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  return rest.slice(0, end === -1 ? rest.length : end).map((line) => {
    return line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim())
  })
}

/** Returns the first cells of a table, without their explanation after a colon. */
function firstColumn(page: string, header: string): readonly string[] {
  return tableRows(page, header).map(([cell = '']) => cell.replace(/:.*/, ''))
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function stepsIn(picture: string): readonly string[] {
  return textsIn(picture, 'steps')
}

/** Returns the texts of the group of a picture that has a class. */
function textsIn(picture: string, group: string): readonly string[] {
  const svg = readFileSync(`${root}docs/internals/images/${picture}`, 'utf8')
  const [, inside = ''] = new RegExp(`<g class="${group}"[^>]*>(.*?)</g>`, 's').exec(svg) ?? []
  return [...inside.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)
}
