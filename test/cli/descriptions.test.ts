import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { yamlText } from '../../src/tools/cli/yaml-text.js'
import { ashlar } from '../support/cli.js'
import { sourceFolder } from '../support/source-folder.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

describe('ashlar routes', () => {
  test('lists method, path and name of each route', async () => {
    expect(await ashlar('routes', module('sound'))).toEqual({
      code: 0,
      out: [
        'GET     /albums       jsonapi.albums.index',
        'POST    /albums       jsonapi.albums.create',
        'GET     /albums/{id}  jsonapi.albums.show',
        'PATCH   /albums/{id}  jsonapi.albums.update',
        'DELETE  /albums/{id}  jsonapi.albums.delete',
        '\n5 routes.',
      ].join('\n'),
      err: '',
    })
  })

  test('lists the routes of one server as JSON', async () => {
    const { out } = await ashlar('routes', module('costed'), '--server', 'open', '--json')
    const routes: unknown = JSON.parse(out)
    expect(routes).toContainEqual({
      method: 'GET',
      path: '/open/albums',
      name: 'jsonapi.open.albums.index',
      server: 'open',
    })
    expect(routes).toEqual((routes as { server: string }[]).filter(({ server }) => server === 'open'))
  })

  test('ends with 1 if there is no such server, or if it cannot be built', async () => {
    expect(await ashlar('routes', module('sound'), '--server', 'x')).toMatchObject({
      code: 1,
      err: "There is no server 'x' with routes.",
    })
    expect(await ashlar('routes', module('faulty'))).toMatchObject({ code: 1, out: '' })
  })
})

describe.each(['openapi', 'schemas'])('ashlar %s', (command) => {
  const member = command === 'openapi' ? 'openapi' : 'albums'

  test('prints JSON, or YAML with the same content', async () => {
    const json = await ashlar(command, module('costed'))
    expect(JSON.parse(json.out)).toHaveProperty(member)
    const yaml = await ashlar(command, module('costed'), '--format', 'yaml')
    expect(yaml.out).not.toMatch(/^\{/)
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out))
    expect(parse(yaml.out, { version: '1.1' })).toEqual(JSON.parse(json.out))
  })

  test('writes a file, in the format of its ending', async () => {
    const folder = sourceFolder({})
    for (const name of ['a/out.json', 'out.yaml', 'out.yml']) {
      const file = join(folder, name)
      expect(await ashlar(command, module('sound'), '--output', file)).toMatchObject({ code: 0, err: '' })
      const text = readFileSync(file, 'utf8')
      expect(text.endsWith('\n')).toBe(true)
      expect(name.endsWith('json') ? JSON.parse(text) : parse(text)).toHaveProperty(member)
      expect(text.startsWith('{')).toBe(name.endsWith('json'))
    }
  })

  test('has the description of a named server', async () => {
    const [whole, named] = [
      await ashlar(command, module('costed')),
      await ashlar(command, module('costed'), '--server', 'open'),
    ]
    expect(named.code).toBe(0)
    // The types of both are the same, and so are their schemas; the paths are not.
    expect(named.out === whole.out).toBe(command === 'schemas')
    expect(await ashlar(command, module('sound'), '--server', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'x'"),
    })
  })
})

test('YAML texts are quoted where a reader could take them for something else', () => {
  const value = {
    plain: "It's /albums/{id} (a path)",
    words: [
      'yes',
      'NO',
      'null',
      '',
      ' a',
      'a ',
      '- a',
      'a: b',
      'a #b',
      '1',
      '1e3',
      '0x1',
      '2026-01-01',
      '~',
      '*a',
      '&a',
      '!a',
      '|',
      '%a',
      '@a',
      '`a',
    ],
    lines: 'a\nb',
    'a: key': { nested: [{ a: 1, b: [] }, [[1.5], {}], null, true] },
    on: -1,
  }
  const text = yamlText(value)
  expect(text.split('\n')[0]).toBe("plain: It's /albums/{id} (a path)")
  for (const version of ['1.1', '1.2'] as const) expect(parse(text, { version })).toEqual(value)
})
