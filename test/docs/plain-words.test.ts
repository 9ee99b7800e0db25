import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { documentationPages, pageText } from './pages.js'

/*
 * Pages use the usual terms of the trade, so that readers who are not native speakers understand each sentence: see "Words" in
 * CONTRIBUTING.md. Code and the output of programs are exempt: blocks, and spans between backticks.
 */

/** A word that pages do not use, and its replacements. */
type Replacement = readonly [word: RegExp, instead: string]

const replacements: readonly Replacement[] = [
  [/\banswer(?:s|ed|ing)?\b/gi, 'response, result; returns, responds with'],
  [/\bkept\b/gi, 'stored, saved, committed, cached or retained'],
  [/\bkeepable\b/gi, 'cacheable'],
  [/\brecurring\b/gi, 'cached, or repeated'],
  [/\bsettled\b/gi, 'cached, decided or committed'],
  [/\bcarried\b/gi, 'passed, sent or contained'],
  [/\bvouch(?:es|ed)?\b/gi, 'verify'],
  [/\btold\b/gi, 'reported, logged or informed; "unless told" is "by default"'],
  [/(?<!-)\balone\b/gi, 'only, or by itself'],
  [/\bat once\b/gi, 'immediately; or: in one response, together'],
  [/\b(?:run|runs|ran|running) again\b/gi, 'retry, or repeat'],
  [/\brecent(?:ly)?\b/gi, 'last, latest or new'],
  [/\bthose\b/gi, 'the name of the things: the rows, the requests'],
  [/\b(?:whoever|whomever)\b/gi, 'the caller, the client or the user'],
  [/\bsomebody\b/gi, 'the caller, the client or a user'],
  [/\bnobody\b/gi, 'no caller, no client; "that nobody declares" is "unknown"'],
  [/\b(?:the|an) author\b|\bauthor's\b/gi, 'you, your, or the application'],
]

const root = fileURLToPath(new URL('../..', import.meta.url))

const readmes = ['bench', 'examples', 'packages'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('/README.md') && !path.includes('/node_modules/') && !path.includes('/dist/')),
)

const pages = [...documentationPages, 'CONTRIBUTING.md', 'README.md', ...readmes].toSorted()

test('all pages are found', () => {
  expect(pages).toContain('docs/internals/architecture.md')
  expect(pages).toContain('bench/README.md')
  expect(pages).toContain('examples/music/README.md')
  expect(pages).toContain('packages/create-ashlar/README.md')
})

test.each(pages)('%s has plain words', (page) => {
  expect(violations(page)).toEqual([])
})

test.each([
  ['The answer is kept.', ['answer', 'kept']],
  ['The author may name those at once.', ['The author', 'those', 'at once']],
  ['Call `answer.ok()` with `kept`.', []],
  ['```ts\nconst told = true\n```', []],
  ['A stand-alone server is built anew.', []],
])('finds the words of %j', (text, words) => {
  expect(violationsIn(text).map(({ word }) => word)).toEqual(words)
})

function violations(page: string): readonly string[] {
  return violationsIn(pageText(page)).map(({ line, word, instead }) => `${page}:${line} '${word}': write ${instead}`)
}

interface FoundWord {
  readonly line: number
  readonly word: string
  readonly instead: string
}

function violationsIn(text: string): readonly FoundWord[] {
  const prose = withoutCode(text)
  const found = replacements.flatMap(([word, instead]) =>
    [...prose.matchAll(word)].map((match) => ({ index: match.index, word: match[0], instead })),
  )
  return found
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, word, instead }) => ({ line: prose.slice(0, index).split('\n').length, word, instead }))
}

/** Removes blocks and spans of code, comments, and the addresses of links, but no line, so that the numbers of lines stay. */
function withoutCode(text: string): string {
  const code = /^ *(`{3,}).*?^ *\1$|<!--.*?-->|`[^`\n]*(?:\n[^`\n]+)?`|\]\([^)\s]*\)/gms
  return text.replaceAll(code, (match) => match.replaceAll(/[^\n]/g, ' '))
}
