import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtProblems } from '../../site/built-problems.mjs'
import { vitepressInfo, withTabs } from '../../site/markdown.js'
import { sections, sidebarPages } from '../../site/sidebar.js'
import { chapters } from '../spec/jsonapi/chapters.js'
import { documentationPages, pageText } from './pages.js'

/** W6 compares two pages, and not two servers. */
const readWorkloads = ['W1', 'W2', 'W3', 'W4', 'W7']
const writeWorkloads = ['W5', 'W8', 'W9', 'W10', 'W11']

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the sidebars', () => {
  test('have every page once', () => {
    const pages = documentationPages.filter((page) => page !== 'docs/index.md')
    const listed = sidebarPages.map((file) => `docs/${file}.md`)
    expect(listed.filter((page) => existsSync(`${root}${page}`)).toSorted()).toEqual(pages)
    expect(new Set(listed).size).toBe(listed.length)
  })

  test('have pages of their own folder only, so that the entry of the navigation is marked', () => {
    for (const { folder, groups } of sections) {
      const files = groups.flatMap(({ pages }) => pages.map(([file]) => file))
      expect(files.filter((file) => !file.startsWith(`${folder}/`))).toEqual([])
    }
  })
})

describe('Markdown of the pages', () => {
  test.each(documentationPages)('%s has no containers of VitePress, which GitHub shows as text', (page) => {
    expect(pageText(page).match(/^:::.*$/gm) ?? []).toEqual([])
  })

  test.each([
    ['ts', 'ts'],
    ['ts file=music.ts ends', 'ts [music.ts]'],
    ['ts from=examples/music/src/service.ts', 'ts [examples/music/src/service.ts]'],
    ['ts file=music.ts tab=SQLite', 'ts [SQLite]'],
    ['ts {2} [own title]', 'ts {2} [own title]'],
    ['', ''],
  ])('the block `%s` is `%s` for VitePress', (info, expected) => {
    expect(vitepressInfo(info)).toBe(expected)
  })

  test('blocks between two comments become tabs with the bold lines as names', () => {
    const page = [
      'Before.',
      '<!-- tabs -->',
      '',
      '**SQLite**',
      '',
      '```ts ends',
      'one',
      '```',
      '',
      '**Your own store**',
      '',
      '```ts',
      'two',
      '```',
      '',
      '<!-- /tabs -->',
      '**After**',
    ].join('\n')
    const tabs = withTabs(page)
    expect(tabs).toContain(
      '::: code-group\n\n```ts tab=SQLite ends\none\n```\n\n```ts tab=Your_own_store\ntwo\n```\n\n:::',
    )
    expect(tabs).toMatch(/^Before\.[^]*\n\*\*After\*\*$/)
    expect(vitepressInfo('ts tab=Your_own_store')).toBe('ts [Your own store]')
  })

  test.each(documentationPages)('%s names each of its tabs', (page) => {
    const groups = [...pageText(page).matchAll(/^<!-- tabs -->$(.*?)^<!-- \/tabs -->$/gms)]
    for (const [, inside = ''] of groups) {
      const blocks = inside.match(/^```\w/gm) ?? []
      expect(inside.match(/^\*\*[^*\n]+\*\*\n\n```\w/gm)).toHaveLength(blocks.length)
    }
    expect(pageText(page).match(/^<!-- \/?tabs -->$/gm) ?? []).toHaveLength(groups.length * 2)
  })
})

describe('the check of the built site', () => {
  test.each([
    '<a href="/#top">',
    '<a class="x" href="./#a-type">',
    '<a href="/guide/#a-type">',
    '<a href="#here"><p id="here">',
    '<a href="/source/README.md.txt">',
    '<a href="https://jsonapi.org/#format">',
    '<img src="data:image/png;base64,xx"><script src="/assets/app.js">',
  ])('passes %s', (body) => {
    expect(builtProblems(siteWith(body))).toEqual([])
  })

  test.each([
    ['<a href="/guide/writing.html">', 'guide/reading.html links to /guide/writing.html, which does not exist'],
    ['<a href="/#bottom">', 'guide/reading.html links to /#bottom, but the anchor is missing'],
    ['<a href="#here">', 'guide/reading.html links to #here, but the anchor is missing'],
    ['<script async src="https://cdn.test/x.js">', 'guide/reading.html loads https://cdn.test/x.js'],
    ['<link rel="stylesheet" href="//fonts.test/x.css">', 'guide/reading.html loads //fonts.test/x.css'],
  ])('reports %s', (body, problem) => {
    expect(builtProblems(siteWith(body))).toEqual([problem])
  })

  test('reports fonts of other hosts', () => {
    const files = new Map([['style.css', '@font-face { src: url("https://fonts.test/x.woff2") }']])
    expect(builtProblems(files)).toEqual(['style.css loads https://fonts.test/x.woff2'])
  })
})

describe('the figures of the home page', () => {
  const home = pageText('docs/index.md')

  test('are those of the benchmarks', () => {
    const reads = figuresOf(readWorkloads).flatMap(([postgres]) => numbersIn(postgres))
    const writes = figuresOf(writeWorkloads).flatMap(([postgres]) => numbersIn(postgres))
    expect(home).toContain(`**${Math.min(...reads).toFixed(2)} to ${Math.max(...reads).toFixed(2)} times as fast**`)
    expect(home).toContain(`Writes are ${Math.min(...writes).toFixed(2)} to ${Math.max(...writes).toFixed(2)} times`)
  })

  test('count the statements of the ledger', () => {
    const count = chapters.reduce((sum, { published }) => sum + published, 0)
    expect(home).toContain(`**${count} statements**`)
  })
})

describe('the figures of the performance page', () => {
  const measured = figuresOf([...readWorkloads, ...writeWorkloads])

  test('are those of the benchmarks', () => {
    const rows = pageText('docs/guide/performance.md').match(/^\| [^|]+ \| \d[^|]* \| \d[^|]* \|$/gm) ?? []
    expect(rows.map((row) => cellsOf(row).slice(2, 4))).toEqual(measured)
  })

  test('are those of its picture', () => {
    const picture = pageText('docs/guide/images/benchmark.svg')
    const shown = [...picture.matchAll(/class="n"[^>]*>([^<]+)</g)].map(([, figure = '']) => figure)
    const wanted = [0, 1].flatMap((engine) => measured.map((figures) => figures[engine]?.replace(' to ', ' – ')))
    expect(shown).toEqual(wanted)
  })
})

function cellsOf(row: string): readonly string[] {
  return row.split('|').map((cell) => cell.trim())
}

function numbersIn(range = ''): readonly number[] {
  return range.split(' to ').map(Number)
}

/** The figures of some workloads on PostgreSQL and SQLite, from the first table of the results. */
function figuresOf(workloads: readonly string[]): readonly (readonly string[])[] {
  const [, results = ''] = pageText('docs/internals/benchmarks.md').split('\n## Results\n')
  const rows = (results.match(/^\| W\d+ .*$/gm) ?? []).slice(0, 11).map(cellsOf)
  return workloads.map((workload) => {
    const row = rows.find(([, title = '']) => title.startsWith(`${workload} `)) ?? []
    return [row[3] ?? '', row[5] ?? '']
  })
}

/** Some files of a site, with that body as one of its pages. */
function siteWith(body: string): ReadonlyMap<string, string> {
  return new Map([
    ['index.html', '<h1 id="top">Ashlar</h1>'],
    ['guide/index.html', '<h2 id="a-type">A type</h2>'],
    ['guide/reading.html', body],
    ['source/README.md.txt', ''],
  ])
}
