import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ashlar } from '../support/cli.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

describe('ashlar', () => {
  test('lists its commands if none is named', async () => {
    for (const argument of ['--help', '-h', 'help']) {
      const { code, out } = await ashlar(argument)
      expect(code).toBe(0)
      expect(out).toMatch(/check +builds a server and prints its faults/)
    }
    expect((await ashlar()).code).toBe(2)
  })

  test('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await ashlar('--version')).toEqual({ code: 0, out: version, err: '' })
  })

  test('knows no other commands', async () => {
    expect(await ashlar('chekc')).toEqual({
      code: 2,
      out: '',
      err: "There is no command 'chekc'. Did you mean 'check'?",
    })
    expect((await ashlar('frobnicate')).err).toMatch(
      /^There is no command 'frobnicate'\. Commands: init, dev, pull, check, verify, can, /,
    )
  })
})

describe('ashlar check', () => {
  test('prints its usage', async () => {
    const { code, out } = await ashlar('check', '--help')
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: ashlar check <module> \[--database\]/)
  })

  test('counts the parts of a valid server', async () => {
    expect(await ashlar('check', module('sound'))).toEqual({ code: 0, out: '1 type, 5 routes: no faults.', err: '' })
  })

  test('takes a function that makes the server, under the name server', async () => {
    expect(await ashlar('check', module('made'))).toMatchObject({ code: 0, out: '2 types, 4 routes: no faults.' })
  })

  test('prints every fault of a build, and ends with 1', async () => {
    const { code, out, err } = await ashlar('check', module('faulty'))
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(/^The server cannot be built: 2 faults\.\n {2}- albums\.id: .*\n {2}- albums\.title: .*$/)
  })

  test('prints the error that a module throws, and where', async () => {
    const { code, err } = await ashlar('check', module('throwing'))
    expect(code).toBe(1)
    expect(err).toContain('The configuration has no host.')
    expect(err).toContain('throwing.ts')
  })

  test.each([
    { name: 'no module', args: [], message: 'check needs the path of a module.' },
    { name: 'two modules', args: ['a.js', 'b.js'], message: 'check needs the path of a module.' },
    { name: 'a module that is not there', args: ['absent.js'], message: "There is no module 'absent.js'." },
    { name: 'a folder', args: ['src'], message: "There is no module 'src'." },
    {
      name: 'an option that there is not',
      args: ['a.js', '--databse'],
      message: "Unknown option '--databse'. Did you mean '--database'?",
    },
    {
      name: 'a module without a server',
      args: [module('empty')],
      message: 'exports no server: export it, or a function that creates it, as default',
    },
  ])('does not understand $name, and ends with 2', async ({ args, message }) => {
    const { code, out, err } = await ashlar('check', ...args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain(message)
    expect(err).toContain('Usage: ashlar check')
  })
})

describe('ashlar check --database', () => {
  test('finds nothing missing from rows that are stored in memory', async () => {
    expect(await ashlar('check', module('sound'), '--database')).toEqual({
      code: 0,
      out: '1 type, 5 routes: no faults.\nThe databases match the declarations.',
      err: '',
    })
  })

  test('prints the names of findings, waived findings with their reasons, and waivers that are not needed', async () => {
    expect(await ashlar('check', module('waived'), '--database')).toEqual({
      code: 1,
      out: [
        '1 type, 5 routes: no faults.',
        "Waived: The table 'albums' has no unique index on 'title', which 'albums.title' declares unique. [unique-index:albums.title] Reason: Old rows have duplicates.",
      ].join('\n'),
      err: [
        'The databases have 2 problems:',
        "  - The table 'albums' has no unique index on 'slug', which 'albums.slug' declares unique. [unique-index:albums.slug]",
        "  - The waiver 'unique-key:albums' matches no finding: remove it from the option 'waive' of sqlData(), or correct its name.",
      ].join('\n'),
    })
  })

  test('reports in one sentence that there is no database server, and exits with 1', async () => {
    expect(await ashlar('check', '--database', module('unreachable'))).toEqual({
      code: 1,
      out: '1 type, 5 routes: no faults.',
      err: 'No PostgreSQL server listens at 127.0.0.1:1.',
    })
  })
})
