import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ashlar } from '../support/cli.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

const explain = (...args: readonly string[]) => ashlar('explain', ...args)

const parts = ['   15  rows albums  (page[size])', '  180  include tracks  (include)']

describe('ashlar explain', () => {
  test('prints its usage', async () => {
    const { code, out } = await explain('--help')
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: ashlar explain <module> <url> \[--as <json>\]/)
  })

  test('prints the cost part by part, and ends with 1 if it is beyond the budget', async () => {
    expect(await explain(module('costed'), '/albums?include=tracks')).toEqual({
      code: 1,
      out: ['GET /albums?include=tracks costs 195, beyond the budget of 100.', ...parts].join('\n'),
      err: '',
    })
  })

  test('reads as a caller, and ends with 0 if the cost is within the budget', async () => {
    expect(await explain(module('costed'), '/albums?include=tracks', '--as', '{"id":1}', '--cost-only')).toEqual({
      code: 0,
      out: ['GET /albums?include=tracks costs 195, within the budget of 1000.', ...parts].join('\n'),
      err: '',
    })
  })

  test('prints the cost without a limit, too', async () => {
    expect(await explain(module('costed'), '/open/albums/1/tracks', '--cost-only')).toMatchObject({
      code: 0,
      out: 'GET /open/albums/1/tracks costs 13, without a limit.\n   1  owner albums\n  12  rows tracks  (page[size])',
    })
    expect(await explain(module('costed'), '/open/albums/1', '--server', 'open', '--cost-only')).toMatchObject({
      code: 0,
      out: 'GET /open/albums/1 costs 1, without a limit.\n  1  rows albums',
    })
  })

  test('runs the read, and prints its statements', async () => {
    const { code, out } = await explain(module('seeded'), '/albums?include=tracks&sort=-id')
    expect(code).toBe(0)
    const [cost, ...lines] = out.split('\n').map((line) => line.replace(/[\d.]+ ms$/, '0 ms'))
    expect(cost).toBe('GET /albums?include=tracks&sort=-id costs 165, without a limit.')
    const read = lines.slice(lines.indexOf('') + 1)
    expect(read).toEqual([
      'It runs 2 statements:',
      '  1. list albums: 2 rows in 0 ms',
      expect.stringMatching(/^ {5}select .* from "albums" .*order by .*desc/),
      '  2. list albums.tracks: 3 rows in 0 ms',
      expect.stringMatching(/^ {5}select .* from "tracks"/),
    ])
  })

  test('reports that a store has no statements, and prints statements as JSON', async () => {
    const text = await explain(module('sound'), '/albums')
    expect(text.out).toBe(
      'GET /albums costs 15, without a limit.\n  15  rows albums  (page[size])\n\nIt runs no statements.',
    )
    const { code, out } = await explain(module('seeded'), '/tracks', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      cost: 15,
      statements: [{ shape: 'list tracks', rows: 3, engine: 'sqlite' }],
    })
    const { out: costs } = await explain(module('seeded'), '/tracks', '--json', '--cost-only')
    expect(JSON.parse(costs)).toMatchObject({ cost: 15, statements: null })
  })

  test('reports why a read has no document', async () => {
    const { code, out } = await explain(module('seeded'), '/albums/3')
    expect(code).toBe(0)
    expect(out).toMatch(
      /\n {2}1\. \w+ albums: 0 rows in .*\n.*\nThere is no document: The requested resource does not exist\.$/,
    )
  })

  test('ends with 2 if the read fails, and needs no database for the cost', async () => {
    const failed = await explain(module('unreachable'), '/albums')
    expect(failed).toMatchObject({ code: 2, out: '' })
    expect(failed.err).toMatch(/^No result: /)
    expect(await explain(module('unreachable'), '/albums', '--cost-only')).toMatchObject({ code: 0 })
  })

  test('takes profiles', async () => {
    const profile = 'https://haddowg.github.io/json-api/profiles/countable/'
    const { err } = await explain(module('costed'), '/albums?withCount=tracks', '--profile', profile)
    expect(err).toBe('No result: These cannot be counted here: tracks.')
  })

  test.each([
    { name: 'no URL', args: [module('costed')], message: 'explain needs the path of a module and one URL.' },
    { name: 'two URLs', args: ['a.js', '/a', '/b'], message: 'explain needs the path of a module and one URL.' },
    { name: 'a caller that is no JSON', args: ['a.js', '/a', '--as', 'bob'], message: '--as is not JSON: bob' },
    { name: 'no such module', args: ['absent.js', '/a'], message: "There is no module 'absent.js'." },
    { name: 'no such option', args: ['a.js', '/a', '--ass', '1'], message: "Unknown option '--ass'" },
    {
      name: 'no such path',
      args: [module('costed'), '/songs'],
      message: "'/songs' is not a URL at which this service reads",
    },
    {
      name: 'no such server',
      args: [module('costed'), '/albums', '--server', 'x'],
      message: 'not a URL at which this service',
    },
  ])('does not understand $name, and ends with 2', async ({ args, message }) => {
    const { code, out, err } = await explain(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('Usage: ashlar explain')
  })

  test('ends with 2 if there is no result', async () => {
    expect(await explain(module('costed'), '/albums?include=songs')).toMatchObject({
      code: 2,
      out: '',
      err: 'No result: These include paths name no relationship: songs. Offered: tracks.',
    })
    expect(await explain(module('faulty'), '/albums')).toMatchObject({ code: 2, out: '' })
  })
})
