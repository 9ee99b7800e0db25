import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readCommand } from '../../examples/music/src/generate/options.js'
import { progressBar, type Screen } from '../../examples/music/src/generate/progress-bar.js'
import { seeds } from '../../examples/music/src/seeds.js'
import { builtPackage } from '../support/built-package.js'
import { patience } from '../support/patience.js'
import { endPrograms, type Program, startProgram } from '../support/program.js'

function screen(columns?: number): Screen & { readonly texts: string[] } {
  const texts: string[] = []
  return { isTTY: true, ...(columns === undefined ? {} : { columns }), texts, write: (text) => texts.push(text) }
}

describe('The progress bar', () => {
  test('overwrites itself on a terminal, only when something has changed, and is erased', () => {
    const terminal = screen()
    const bar = progressBar(terminal, 1000)
    for (const done of [0, 500, 501, 1000]) bar.show(done)
    bar.clear()
    const erase = '\r\u001B[K'
    expect(terminal.texts).toEqual([
      `${erase}${'░'.repeat(40)}   0 % of 1,000 tracks`,
      `${erase}${'█'.repeat(20)}${'░'.repeat(20)}  50 % of 1,000 tracks`,
      `${erase}${'█'.repeat(40)} 100 % of 1,000 tracks`,
      erase,
    ])
  })

  test('never fills a line, which would wrap', () => {
    for (const columns of [10, 24, 40, 61, 200]) {
      const terminal = screen(columns)
      progressBar(terminal, 1_000_000).show(400_000)
      const [line = ''] = terminal.texts
      expect(line.replace('\r\u001B[K', '').length).toBeLessThan(columns)
      expect(line).toContain('40 %')
    }
  })

  test('assumes the usual width for a terminal that does not know its width', () => {
    const terminal = screen(0)
    progressBar(terminal, 1000).show(0)
    expect(terminal.texts).toEqual([expect.stringContaining('░'.repeat(40))])
  })

  test('is only drawn on a terminal', () => {
    const { isTTY: _isTTY, ...file } = screen()
    const bar = progressBar(file, 1000)
    bar.show(500)
    bar.clear()
    expect(file.texts).toEqual([])
  })
})

describe('The command line', () => {
  test('takes the number of tracks, and the number of the first', () => {
    expect(readCommand(['--tracks', '100000'])).toEqual({ kind: 'generate', tracks: 100_000, seed: 1 })
    expect(readCommand(['--seed=7', '--tracks=1'])).toEqual({ kind: 'generate', tracks: 1, seed: 7 })
  })

  test('prints its help on request', () => {
    expect(readCommand(['--help'])).toMatchObject({ kind: 'help', text: expect.stringContaining('--tracks 100000') })
  })

  test.each([
    [[], 'The option --tracks is missing: write --tracks 100000.'],
    [['--tracks', 'many'], "--tracks takes a whole number from 1 to 10,000,000, not 'many'."],
    [['--tracks', ''], "--tracks takes a whole number from 1 to 10,000,000, not ''."],
    [['--tracks', '0'], "--tracks takes a whole number from 1 to 10,000,000, not '0'."],
    [['--tracks', '1.5'], "--tracks takes a whole number from 1 to 10,000,000, not '1.5'."],
    [['--tracks', '10000001'], "--tracks takes a whole number from 1 to 10,000,000, not '10000001'."],
    [['--tracks', '-5'], '--tracks takes a whole number: --help shows an example.'],
    [['--tracks'], '--tracks takes a whole number: --help shows an example.'],
    [['--tracks', '9', '--seed', 'x'], "--seed takes a whole number up to 4,294,967,295, not 'x'."],
    [['--tracks', '9', '--seed', '4294967296'], "--seed takes a whole number up to 4,294,967,295, not '4294967296'."],
    [['--trakcs', '9'], "There is no option '--trakcs': --help shows all options."],
    [['9'], "'9' belongs to no option: --help shows all options."],
    [['--help=yes'], '--help takes no value.'],
  ])('is refused in one sentence: %j', (given, reason) => {
    expect(readCommand(given)).toEqual({ kind: 'refused', reason })
  })
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function run(data: string, args: readonly string[], onStart?: (program: Program) => unknown): Promise<Ended> {
  const main = builtPackage().pathOf('examples/music/src/generate/main.ts')
  const program = startProgram(main, { args, environment: { DATA_DIR: data } })
  await onStart?.(program)
  return { code: await program.ended, ...program.output() }
}

describe('The program', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(inject('runFolder'), 'generate-'))
  })
  afterAll(async () => {
    await endPrograms()
    rmSync(folder, { recursive: true })
  })

  test('that is interrupted reports it and has added nothing; the next one prints in one line what it has added', {
    timeout: patience(120_000),
  }, async () => {
    const data = join(folder, 'data')
    const interrupted = await run(data, ['--tracks', '1000000'], (program) => interruptOnceFull(program, data))
    expect(interrupted).toEqual({ code: 130, stdout: '', stderr: 'Interrupted: nothing was added.\n' })

    const { stdout, ...ended } = await run(data, ['--tracks', '50'])
    expect(ended).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Added to SQLite in .+ in \d+\.\d s: 1 artist, \d+ albums, 50 tracks, 1 user, .+ plays\.\n$/,
    )
    const database = new DatabaseSync(join(data, 'music.db'))
    const [{ tracks } = {}] = database.prepare('select count(*) as tracks from tracks').all() as { tracks?: number }[]
    database.close()
    expect(tracks).toBe(seeds.tracks.length + 50)
  })

  test('exits with 2 and one sentence for invalid arguments, and changes nothing', async () => {
    const data = join(folder, 'none')
    const stderr = "--tracks takes a whole number from 1 to 10,000,000, not 'many'.\n"
    expect(await run(data, ['--tracks', 'many'])).toEqual({ code: 2, stdout: '', stderr })
    expect(existsSync(data)).toBe(false)
  })

  test('ends with 1 and one sentence when there is no database', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { stderr, ...ended } = await run(file, ['--tracks', '5'])
    expect(ended).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The folder .+ cannot be created \(EEXIST\): .+\n$/)
  })
})

/** Interrupts it as soon as it writes: the log of the database has grown by much more than the first rows. */
async function interruptOnceFull({ process }: Program, data: string): Promise<void> {
  const log = join(data, 'music.db-wal')
  while (process.exitCode === null && (!existsSync(log) || statSync(log).size < 2_000_000)) await sleep(20)
  process.kill('SIGINT')
}
