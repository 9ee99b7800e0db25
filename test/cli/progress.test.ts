import { expect, test, vi } from 'vitest'
import { progressOn, withProgress } from '../../src/tools/cli/progress.js'
import { runCli } from '../../src/tools/cli/run-cli.js'
import { signal } from '../support/signal.js'

function terminal() {
  const written: string[] = []
  return { written, stream: { isTTY: true, write: (text: string) => written.push(text) > 0 } }
}

test('long work is shown with the seconds that it takes, and erased at its end', async () => {
  vi.useFakeTimers()
  try {
    const { written, stream } = terminal()
    const finished = signal()
    const work = withProgress({ progress: progressOn(stream, {}) }, 'Reading', () => finished.given)
    vi.advanceTimersByTime(300)
    expect(written).toEqual([])
    vi.advanceTimersByTime(2200)
    expect(written).toEqual(['\r\u001B[2KReading …', '\r\u001B[2KReading … 1 s', '\r\u001B[2KReading … 2 s'])
    finished.give()
    await work
    expect(written.at(-1)).toBe('\r\u001B[2K')
    vi.advanceTimersByTime(5000)
    expect(written).toHaveLength(4)
  } finally {
    vi.useRealTimers()
  }
})

test('short work is not shown', async () => {
  const { written, stream } = terminal()
  progressOn(stream, {})?.('Reading')()
  expect(written).toEqual([])
})

test.each([
  { name: 'a pipe', stream: { isTTY: false }, environment: {} },
  { name: 'a dumb terminal', stream: { isTTY: true }, environment: { TERM: 'dumb' } },
  { name: 'CI', stream: { isTTY: true }, environment: { CI: 'true' } },
])('nothing is shown on $name', ({ stream, environment }) => {
  expect(progressOn({ ...stream, write: () => true }, environment)).toBeUndefined()
})

test('the work may fail, and is no longer shown', async () => {
  const shown: string[] = []
  const progress = (text: string | (() => string)) => {
    shown.push(String(text))
    return () => void shown.push('end')
  }
  await expect(withProgress({ progress }, 'Reading', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(shown).toEqual(['Reading', 'end'])
})

test('check and pull show their progress', async () => {
  const shown: string[] = []
  const progress = (text: string | (() => string)) => {
    shown.push(String(text))
    return () => undefined
  }
  const shell = { out: () => undefined, err: () => undefined, progress }
  const module = new URL('modules/sound.ts', import.meta.url).pathname
  await runCli(['check', module, '--database'], shell)
  await runCli(['pull', 'absent.db'], shell)
  expect(shown).toEqual(['Building the server', 'Reading the databases', 'Reading the schema'])
})
