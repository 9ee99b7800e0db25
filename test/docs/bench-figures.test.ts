import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../bench/record.mjs'
import { benchPages, benchParts, benchPicture, picturePath, withFigures } from '../../scripts/bench-docs.mjs'
import { documentationPages, pageText } from './pages.js'

/*
 * Figures of the benchmark have one source, bench/results.json. Other measured statements name the program that measures them, on their page
 * or on the page that they link to.
 */

const recorded = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../bench/results.json', import.meta.url)), 'utf8'),
) as Recorded
const parts = benchParts(recorded)

/** Pages of measurements, where each table has the program that measured it. */
const pagesOfMeasurements: Readonly<Record<string, string>> = {
  'docs/internals/benchmarks.md': 'bench/run.mjs',
  'docs/internals/caches.md': 'bench/run.mjs',
  'docs/internals/limits.md': 'bench/limits.mjs',
  'docs/internals/pg-protocol.md': 'bench/instructions.mjs',
}

/** Measured statements of other pages, with the program on the page `by`. */
const otherStatements = [
  [
    'docs/guide/deploying-and-scaling.md',
    '14 to 56 % more there, and 9 to 12 % more on PostgreSQL',
    'docs/internals/benchmarks.md',
    'bench/workers.mjs',
  ],
  [
    'docs/guide/deploying-and-scaling.md',
    '5,900 single resources',
    'docs/internals/benchmarks.md',
    'bench/workers.mjs',
  ],
  ['docs/guide/deploying-and-scaling.md', '2.5 to 2.7 times', 'docs/internals/benchmarks.md', 'bench/overload.mjs'],
  ['docs/guide/performance.md', '[two thirds]', 'docs/internals/caches.md', 'bench/run.mjs'],
  ['docs/guide/performance.md', '20 µs more', 'docs/internals/benchmarks.md', 'bench/run.mjs'],
  ['docs/guide/performance.md', 'Fastify 28 µs more', 'docs/internals/benchmarks.md', 'bench/run.mjs'],
  ['docs/internals/architecture.md', '[a third to a half]', 'docs/internals/caches.md', 'bench/run.mjs'],
  ['docs/internals/architecture.md', '[two thirds]', 'docs/internals/caches.md', 'bench/run.mjs'],
] as const

describe('pages', () => {
  test.each(benchPages)('%s has the recorded figures: else run `node scripts/bench-docs.mjs`', (page) => {
    expect(pageText(page)).toBe(withFigures(pageText(page), parts))
    expect(pageText(page).match(/<!-- bench:/g)?.length).toBe(pageText(page).match(/<!-- \/bench -->/g)?.length)
  })

  test('the picture has the recorded figures', () => {
    expect(pageText(picturePath)).toBe(benchPicture(recorded))
  })

  test.each(benchPages)('%s has no text behind a comment that begins a line, which Markdown takes as HTML', (page) => {
    expect(pageText(page).match(/^ *<!-- \/?bench.*-->.+$/gm)).toBeNull()
  })

  test('an unknown part is an error', () => {
    expect(() => withFigures('<!-- bench:none --><!-- /bench -->', parts)).toThrow("no part 'none'")
  })
})

describe('other figures of speed', () => {
  const pages = ['README.md', ...documentationPages].filter((page) => pagesOfMeasurements[page] === undefined)

  test.each(pages)('%s has none', (page) => {
    const allowed = otherStatements.filter(([of]) => of === page).map(([, words]) => words)
    const claims = speedClaims(pageText(page))
    expect(claims.filter((claim) => !allowed.some((words) => claim.includes(words)))).toEqual([])
  })

  test.each(otherStatements)('%s: "%s" has a program', (page, words, by, program) => {
    expect(speedClaims(pageText(page)).filter((claim) => claim.includes(words))).toHaveLength(1)
    expect(pageText(by)).toContain(program)
  })

  test.each(Object.entries(pagesOfMeasurements))('%s names %s', (page, program) => {
    expect(pageText(page)).toContain(program)
  })

  test.each([
    'Ashlar is 1.4 times as fast.',
    'Lists take 1.2 to 1.5 times *less* CPU.',
    'A delete takes about twice as much CPU time.',
    'It is twice as\nfast as others.',
    'A delete takes half the time.',
    '| one request | 20 % more CPU time |',
    'Speed by CPU: Ashlar 1.40, others 0.78.',
    'It takes two thirds of the CPU time.',
    'Express takes about 190 µs more.',
    'One process serves about 5,900 single resources a second.',
  ])('%j is one', (text) => {
    expect(speedClaims(text)).toHaveLength(1)
  })

  test.each([
    'A lost update is written twice.',
    'A client may try it three times.',
    '<!-- bench:speed -->Ashlar is 1.4 times as fast.<!-- /bench -->',
    '```sh\nnode bench.mjs # 1.4 times as fast\n```',
    'The request fails in 1 % of cases.',
    'It waits 100 ms, and then twice as long each time.',
    'Up to 150 requests in a second are refused immediately.',
  ])('%j is none', (text) => {
    expect(speedClaims(text)).toEqual([])
  })
})

/** Returns the sentences that have both a ratio and a word of speed, or an amount of time or of requests, outside of code and of the parts that the benchmark writes. */
function speedClaims(page: string): readonly string[] {
  const ratio =
    /\d (?:times|%)|\d× |\btwice\b|\bhalf\b|\bthirds?\b|\bquarters?\b|\b(?:double|triple)\b|\b[01]\.\d\d\b|\b(?:two|three|four|five|ten) times\b/i
  const speed = /\bCPU|\bfast|\bslow|\bspeed|\bas (?:much|long)\b|\b(?:the|less|more) (?:CPU )?time\b/i
  const amount = /\d µs\b|\d[\d,]* [\w ]*(?<!\bin )\ba second\b/
  const prose = page
    .replaceAll(/<!-- bench:.*?<!-- \/bench -->/gs, '')
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll('twice as long each time', '')
  return prose
    .split(/\n\n|\n(?=[-|#\d])|(?<=[.!?]) (?=[A-Z])| \| /)
    .map((sentence) => sentence.replaceAll('\n', ' '))
    .filter((sentence) => (ratio.test(sentence) && speed.test(sentence)) || amount.test(sentence))
}
