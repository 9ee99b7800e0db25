import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { withReference } from '../../scripts/command-docs.mjs'
import { commands } from '../../src/tools/cli/commands.js'
import { referenceText } from '../../src/tools/cli/reference-text.js'
import { runCli } from '../../src/tools/cli/run-cli.js'
import { ashlar } from '../support/cli.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

describe.each(commands)('ashlar $name', (command) => {
  test('has help with its options, examples and exit codes, in three ways', async () => {
    const { code, out } = await ashlar(command.name, '--help')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Usage: ashlar ${command.name}( |$)`, 'm'))
    for (const option of [...Object.keys(command.options), 'json', 'help']) expect(out).toContain(`  --${option}`)
    for (const { call } of command.examples) expect(out).toContain(`\n  ${call}`)
    expect(out).toMatch(/\nExit codes:\n {2}0 .+\n(?: .*\n)* {2}1 .+\n(?: .*\n)* {2}2 /)
    expect((await ashlar(command.name, '-h')).out).toBe(out)
    expect((await ashlar('help', command.name)).out).toBe(out)
  })

  test('has examples that are calls of it', () => {
    expect(command.examples.length).toBeGreaterThan(0)
    for (const { call } of command.examples) expect(call).toMatch(new RegExp(`\\bashlar ${command.name}\\b`))
  })

  test('prints the reason as JSON if the call is not understood', async () => {
    const { code, out, err } = await ashlar(command.name, '--json', '--no-such-option')
    expect(code).toBe(2)
    expect(JSON.parse(out)).toEqual({ error: "Unknown option '--no-such-option'." })
    expect(err).toContain("Unknown option '--no-such-option'.")
  })
})

test('docs/reference/command-line.md matches the declarations of the commands', () => {
  const page = readFileSync(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8')
  expect(page, 'run `node scripts/command-docs.mjs`').toBe(withReference(page, referenceText(commands)))
})

describe('arguments', () => {
  test.each([
    { args: ['--servre', 'x'], message: "Unknown option '--servre'. Did you mean '--server'?" },
    { args: ['-x'], message: "Unknown option '-x'." },
    { args: ['--server'], message: "'--server' needs a value: --server <name>." },
    { args: ['--server', '--json'], message: "'--server' needs a value: --server <name>." },
    { args: ['--json=yes'], message: "'--json' takes no value." },
    { args: ['--format', 'yml'], message: "'--format' is one of json, yaml, not 'yml'. Did you mean 'yaml'?" },
  ])('refuses $args', async ({ args, message }) => {
    const { code, err } = await ashlar('openapi', module('sound'), ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain('Usage: ashlar openapi <module>')
  })

  test('takes a value that begins with a dash if it is joined to its option', async () => {
    expect((await ashlar('can', module('guarded'), 'albums:view:1', '--as=-1')).code).not.toBe(2)
  })

  test('help for an unknown command ends with 2', async () => {
    expect(await ashlar('help', 'snapshto')).toMatchObject({
      code: 2,
      err: "There is no command 'snapshto'. Did you mean 'snapshot'?",
    })
  })
})

describe('--json', () => {
  test.each([
    { args: ['check', module('sound')], json: { types: ['albums'], routes: 5, snapshots: [], database: null } },
    {
      args: ['check', module('unreachable'), '--database'],
      json: { database: { error: 'No PostgreSQL server listens at 127.0.0.1:1.' } },
    },
    { args: ['check', module('faulty')], json: { error: expect.stringContaining('2 faults'), snapshots: [] } },
    {
      args: ['can', module('guarded'), 'albums:update:1'],
      json: { question: 'albums:update:1', permitted: false, status: 401 },
    },
    { args: ['explain', module('costed'), '/open/albums/1'], json: { cost: 1, budget: null, isWithinBudget: true } },
  ])('$args', async ({ args, json }) => {
    const text = await ashlar(...args)
    const { code, out } = await ashlar(...args, '--json')
    expect(code).toBe(text.code)
    expect(JSON.parse(out)).toMatchObject(json)
  })
})

test('has colours only if the output supports them', async () => {
  const lines: string[] = []
  const output = { out: (text: string) => lines.push(text), err: () => undefined }
  await runCli(['--help'], output)
  await runCli(['--help'], { ...output, hasColors: true })
  expect(lines[0]).toMatch(/^Usage: /)
  expect(lines[1]?.startsWith('\u001B[1mUsage:\u001B[22m ')).toBe(true)
})
