import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { moduleHooks } from '../../../src/tools/cli/typescript/module-hooks.js'
import { sourceFolder } from '../../support/source-folder.js'

const files = {
  'src/server.ts': 'source of server',
  'src/albums.ts': 'source of albums',
  'src/tracks.mts': '',
  'src/both.ts': '',
  'src/both.js': '',
  'src/types/index.ts': '',
  'node_modules/pg/index.ts': '',
}

function hooked(transform = (_file: string, source: string): string => `${source}, compiled`) {
  const root = sourceFolder(files)
  const loaded: string[] = []
  const hooks = moduleHooks({ root, transform, onFile: (file) => loaded.push(file.slice(root.length + 1)) })
  const urlOf = (path: string): string => pathToFileURL(join(root, path)).href
  return {
    loaded,
    resolved: (specifier: string): string =>
      hooks.resolve(specifier, { parentURL: urlOf('src/server.ts') }, (found) =>
        found.replace(pathToFileURL(`${root}/`).href, ''),
      ),
    load: (path: string): unknown => hooks.load(urlOf(path), {}, () => 'left to node'),
  }
}

test.each([
  { specifier: './albums.js', found: 'src/albums.ts' },
  { specifier: './tracks.mjs', found: 'src/tracks.mts' },
  { specifier: './albums', found: 'src/albums.ts' },
  { specifier: './types', found: 'src/types/index.ts' },
  { specifier: './both.js', found: './both.js' },
  { specifier: './albums.ts', found: './albums.ts' },
  { specifier: 'pg', found: 'pg' },
  { specifier: 'node:fs', found: 'node:fs' },
  { specifier: '../node_modules/pg/index.js', found: '../node_modules/pg/index.js' },
])('$specifier resolves to $found', ({ specifier, found }) => {
  const { resolved, loaded } = hooked()
  expect(resolved(specifier)).toBe(found)
  expect(loaded).toEqual([])
})

test('a file that is missing is reported, because it may be added', () => {
  const { resolved, loaded } = hooked()
  expect(resolved('./gone.js')).toBe('./gone.js')
  expect(loaded).toEqual(['src/gone.js'])
})

test('TypeScript is compiled, everything else is left to Node, and files of packages are not reported', () => {
  const { load, loaded } = hooked()
  expect(load('src/albums.ts')).toEqual({ format: 'module', source: 'source of albums, compiled', shortCircuit: true })
  expect(load('src/both.js')).toBe('left to node')
  expect(load('node_modules/pg/index.ts')).toBe('left to node')
  expect(loaded).toEqual(['src/albums.ts', 'src/both.js'])
})
