import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtProblems } from '../../site/built-problems.mjs'
import { vitepressInfo, withTabs } from '../../site/markdown.js'
import { sections, sidebarPages } from '../../site/sidebar.js'
import { chapters } from '../spec/jsonapi/chapters.js'
import { documentationPages, pageText } from './pages.js'

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

test('the home page counts the statements of the ledger', () => {
  const count = chapters.reduce((sum, { published }) => sum + published, 0)
  expect(pageText('docs/index.md')).toContain(`**${count} statements**`)
})

test('the README counts the statements of the ledger by their status', () => {
  const statuses = chapters.flatMap(({ ledger }) => Object.values(ledger).map(({ status }) => status))
  const count = (status: string): number => statuses.filter((one) => one === status).length
  expect(pageText('README.md')).toContain(
    `${count('tested')} have tests, ${count('client')} are for clients only, and for ${count('superseded')} the service does something else`,
  )
})

/** Some files of a site, with that body as one of its pages. */
function siteWith(body: string): ReadonlyMap<string, string> {
  return new Map([
    ['index.html', '<h1 id="top">Ashlar</h1>'],
    ['guide/index.html', '<h2 id="a-type">A type</h2>'],
    ['guide/reading.html', body],
    ['source/README.md.txt', ''],
  ])
}
