import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ratiosOf, type RecordedRun, textOf, withRun } from '../../bench/record.mjs'

function figure(workload: string, target: string, cpu: number, more: { database?: number; pageOne?: number } = {}) {
  return { workload, target, cpu, title: '', rate: 1, p50: 1, p99: 1, ...more }
}

function run(commit: string, ratios: RecordedRun['ratios']): RecordedRun {
  return { date: '2026-11-20', machine: 'two cores', versions: 'Node 20', commit, rounds: '7', ratios }
}

const about = 'The figures.'

test('servers are compared with l1, and variants of the catalogue with the plain one', () => {
  const figures = [
    figure('W1', 'ashlar', 200, { database: 100 }),
    figure('W1', 'ruled', 250, { database: 200 }),
    figure('W1', 'l1', 300),
    figure('W1', 'fortune', 400),
  ]
  expect(ratiosOf(figures)).toEqual({ W1: { ashlar: [1.5], ruled: [0.8], 'ruled:database': [0.5], fortune: [0.75] } })
})

test('a deep page is compared with the first page of the same server', () => {
  const figures = [figure('W6', 'ashlar', 110, { pageOne: 100 }), figure('W6', 'l1', 100, { pageOne: 80 })]
  expect(ratiosOf(figures)).toEqual({ W6: { ashlar: [1.1], l1: [1.25] } })
})

test('without the server to compare with, nothing is recorded', () => {
  expect(ratiosOf([figure('W1', 'ashlar', 200), figure('W1', 'l3', 100)])).toEqual({})
})

test('a run replaces what it measured in runs of other commits', () => {
  const earlier = run('aaa', { postgres: { W1: { ashlar: [1.1], l3: [1.2] }, W2: { ashlar: [1.3] } } })
  const next = run('bbb', { postgres: { W1: { ashlar: [1.4] } } })
  const { runs } = withRun({ about, runs: [earlier] }, next)
  expect(runs).toEqual([run('aaa', { postgres: { W1: { l3: [1.2] }, W2: { ashlar: [1.3] } } }), next])
})

test('a run without a remaining figure disappears, and runs of one commit stay', () => {
  const earlier = run('aaa', { postgres: { W1: { ashlar: [1.1] } } })
  const first = run('bbb', { postgres: { W1: { ashlar: [1.4] } } })
  const second = run('bbb', { postgres: { W1: { ashlar: [1.5] } } })
  expect(withRun(withRun({ about, runs: [earlier] }, first), second).runs).toEqual([first, second])
})

test('a run without figures is not added', () => {
  expect(withRun({ about, runs: [] }, run('aaa', { postgres: {} })).runs).toEqual([])
})

test('the file has the form that is written', () => {
  const path = fileURLToPath(new URL('../../bench/results.json', import.meta.url))
  const text = readFileSync(path, 'utf8')
  expect(textOf(JSON.parse(text))).toBe(text)
})
