import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commands } from '../../src/tools/cli/commands.js'
import { ashlar } from '../support/cli.js'

/** Returns the completions of bash for words, of which the last is being typed. */
async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await ashlar('completion', 'bash')
  const program = `${out}
    COMP_WORDS=(ashlar "$@"); COMP_CWORD=$#
    _ashlar
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' })
  return printed.trim().split('\n')
}

test('bash completes commands, options and their values', async () => {
  const names = commands.map(({ name }) => name)
  expect(await completed('s')).toEqual(names.filter((name) => name.startsWith('s')))
  expect(await completed('check', '--d')).toEqual(['--database'])
  expect(await completed('openapi', 'x.js', '--')).toEqual([
    '--openapi-version',
    '--output',
    '--format',
    '--server',
    '--check',
    '--json',
    '--help',
  ])
  expect(await completed('openapi', 'x.js', '--format', 'y')).toEqual(['yaml'])
  expect(await completed('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(await completed('check', 'package.j')).toEqual(['package.json'])
  expect(await completed('can', 'x.js', '--as', 'pack')).toEqual([''])
})

test.each(['bash', 'zsh', 'fish'])('the script for %s has every command and every option', async (shell) => {
  const { code, out } = await ashlar('completion', shell)
  expect(code).toBe(0)
  for (const { name, options } of commands) {
    expect(out).toContain(name)
    for (const option of Object.keys(options)) expect(out).toMatch(new RegExp(`(?:--|-l )${option}\\b`))
  }
})

test('zsh and fish get the texts of options in quotes', async () => {
  const zsh = (await ashlar('completion', 'zsh')).out
  expect(zsh).toContain(
    String.raw`'--as[the caller, as your middleware sets it\: --as '\''{"id"\:1}'\''. Default\: no caller]:json: '`,
  )
  expect(zsh).toContain(
    "'--format[the format. Default\\: by the extension of the file, else json]:json|yaml:(json yaml)'",
  )
  const fish = (await ashlar('completion', 'fish')).out
  expect(fish).toContain(
    String.raw`complete -c ashlar -n '__fish_seen_subcommand_from can' -l as -r -d 'the caller, as your middleware sets it: --as \'{"id":1}\'. Default: no caller'`,
  )
  expect(fish).toContain("-n '__fish_seen_subcommand_from openapi' -l format -r -a 'json yaml' -d")
})

test('there is no script for other shells', async () => {
  expect(await ashlar('completion', 'tcsh')).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no script for 'tcsh': use one of bash, zsh, fish."),
  })
})
