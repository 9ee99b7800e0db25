import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ashlar } from '../support/cli.js'
import { sourceFolder } from '../support/source-folder.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

const openapi = (...args: readonly string[]) => ashlar('openapi', ...args)

describe('ashlar openapi', () => {
  test('writes a file, which is then up to date', async () => {
    const folder = sourceFolder({})
    const file = join(folder, 'contract/openapi.json')
    const shown = relative(cwd(), file)
    expect(await openapi(module('costed'), '--output', file, '--check')).toEqual({
      code: 1,
      out: '',
      err: `There is no '${shown}': write it without --check.`,
    })
    expect(existsSync(file)).toBe(false)
    expect((await openapi(module('costed'), '--output', file)).out).toBe(`'${shown}' is written.`)
    expect(readFileSync(file, 'utf8')).toBe(`${(await openapi(module('costed'))).out}\n`)
    expect((await openapi(module('costed'), '--output', file)).out).toBe(`'${shown}' is up to date.`)
    // A formatter may have changed the text.
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))))
    expect(await openapi(module('costed'), '--output', file, '--check')).toMatchObject({
      code: 0,
      out: `'${shown}' is up to date.`,
    })
  })

  test('prints the version of OpenAPI that is wanted', async () => {
    const { out } = await openapi(module('costed'), '--openapi-version', '3.2')
    const { openapi: version, paths } = JSON.parse(out) as { openapi: string; paths: Record<string, object> }
    expect([version, Object.keys(paths['/albums'] ?? {})]).toEqual(['3.2.0', expect.arrayContaining(['get', 'query'])])
    expect((await openapi(module('costed'))).out).toContain('"openapi": "3.1.0"')
    expect((await openapi(module('costed'), '--openapi-version', '3.0')).code).toBe(2)
  })

  test('reports which operations and components differ from the file', async () => {
    const folder = sourceFolder({})
    const file = join(folder, 'openapi.json')
    await openapi(module('costed'), '--output', file)
    const { paths, components, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
      paths: Record<string, Record<string, Record<string, unknown>>>
      components: { schemas: Record<string, unknown> }
    }
    delete paths['/albums']?.['post']
    paths['/songs'] = { get: {} }
    Object.assign(paths['/albums']?.['get'] ?? {}, { summary: 'Songs' })
    components.schemas['Songs'] = {}
    writeFileSync(file, JSON.stringify({ ...rest, info: {}, paths, components }))
    const { code, err } = await openapi(module('costed'), '--output', file, '--check')
    expect({ code, err }).toEqual({
      code: 1,
      err: [
        `'${relative(cwd(), file)}' does not match the server:`,
        "  - 'info' has changed at /title.",
        '  - GET /albums (fetchCollection.albums) has changed at /summary.',
        '  - GET /songs was removed.',
        "  - schema 'Songs' was removed.",
        '  - POST /albums (create.albums) is new.',
        'Remedy: run the command without --check.',
      ].join('\n'),
    })
  })

  test('ends with 1 if the server cannot be built', async () => {
    expect(await openapi(module('faulty'))).toMatchObject({ code: 1, out: '' })
  })

  test.each([
    { name: 'no module', args: [], message: 'openapi needs the path of a module.' },
    { name: 'two modules', args: ['a.js', 'b.js'], message: 'openapi needs the path of a module.' },
    { name: 'no such module', args: ['absent.js'], message: "There is no module 'absent.js'." },
    { name: 'no such option', args: ['a.js', '--out', 'b'], message: "Unknown option '--out'" },
    { name: 'a check of nothing', args: ['a.js', '--check'], message: '--check needs --output <file>.' },
    { name: 'no such server', args: [module('costed'), '--server', 'x'], message: "There is no server 'x'." },
    {
      name: 'a file that is not JSON',
      args: [module('costed'), '--output', module('costed'), '--check'],
      message: 'is not JSON',
    },
  ])('does not understand $name, and ends with 2', async ({ args, message }) => {
    const { code, out, err } = await openapi(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})
