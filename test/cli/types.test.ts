import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ashlar } from '../support/cli.js'
import { sourceFolder } from '../support/source-folder.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

describe('ashlar types', () => {
  test('prints a declaration file that imports nothing', async () => {
    const { code, out, err } = await ashlar('types', module('sound'))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^\/\*\*\n \* The contract of the server 'default'/)
    expect(out).toContain('\nexport interface Api {\n  types: {\n    albums: {\n')
    expect(out).not.toContain('import')
  })

  test('prints the text as JSON', async () => {
    const [plain, json] = [await ashlar('types', module('sound')), await ashlar('types', module('sound'), '--json')]
    expect(JSON.parse(json.out)).toEqual({ text: `${plain.out}\n` })
  })

  test('prints that of a named server', async () => {
    const { out } = await ashlar('types', module('costed'), '--server', 'open')
    expect(out).toContain("The contract of the server 'open'")
    expect(await ashlar('types', module('sound'), '--server', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no server 'x'."),
    })
  })

  test('writes a file once, and reports whether it is up to date', async () => {
    const file = join(sourceFolder({}), 'client/api.d.ts')
    const args = ['types', module('sound'), '--output', file]
    expect(await ashlar(...args, '--check')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no '.*api\.d\.ts'/),
    })
    expect(await ashlar(...args)).toMatchObject({ code: 0, out: expect.stringMatching(/is written\.$/) })
    expect(readFileSync(file, 'utf8')).toBe(`${(await ashlar('types', module('sound'))).out}\n`)
    expect(await ashlar(...args)).toMatchObject({ code: 0, out: expect.stringMatching(/is up to date\.$/) })
    expect(await ashlar(...args, '--check')).toMatchObject({ code: 0, out: expect.stringMatching(/is up to date\.$/) })
    writeFileSync(file, readFileSync(file, 'utf8').replace('albums: {', 'records: {'))
    expect(await ashlar(...args, '--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('  - line 7 is the first that differs.\nRemedy: run the command without --check.'),
    })
  })

  test('ends with 1 if the server cannot be built, and with 2 if the call is not understood', async () => {
    expect(await ashlar('types', module('faulty'))).toMatchObject({ code: 1, out: '' })
    expect(await ashlar('types', module('sound'), '--check')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--check needs --output <file>.'),
    })
  })
})
