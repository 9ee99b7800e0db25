import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { documentationPages, pageText } from './pages.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const pages = [
  ...documentationPages,
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'bench/README.md',
  'examples/drizzle/README.md',
  'examples/frameworks/README.md',
  'examples/music/README.md',
  'packages/create-ashlar/README.md',
]

const link = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g

test.each(pages)('the links of %s and their anchors resolve', (page) => {
  const missing = [...withoutCode(pageText(page)).matchAll(link)].filter(([, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path)
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
  })
  expect(missing.map(([found]) => found)).toEqual([])
})

test.each(documentationPages)('%s links pages of the documentation by their files', (page) => {
  const links = [...withoutCode(pageText(page)).matchAll(link)].map(([, path = '']) => path)
  const folders = links.filter((path) => path !== '' && isFolder(join(root, dirname(page), path)))
  expect(folders.filter((path) => join(dirname(page), path).startsWith('docs'))).toEqual([])
})

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The text without blocks and spans of code, whose brackets are no links. Spans stay where they are the text of a link. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
}

const anchors = new Map<string, readonly string[]>()

/** The anchors that GitHub makes of the headings of a page: the second of two equal ones ends with `-1`. */
function anchorsOf(page: string): readonly string[] {
  const known = anchors.get(page)
  if (known !== undefined) return known
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '')
  const counts = new Map<string, number>()
  const found = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => {
    const name = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  })
  anchors.set(page, found)
  return found
}
