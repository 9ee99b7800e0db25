import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import module, { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ashlar, cli } from '../../../scripts/packages.mjs'
import { applicationFolder } from '../../support/application-folder.js'
import { builtPackage } from '../../support/built-package.js'
import { endPrograms, type Program, startProgram } from '../../support/program.js'
import { sourceFolder } from '../../support/source-folder.js'

/** Commands load TypeScript by Node if the package `oxc-transform` is missing or does not load. Node 20 reports what to install. */

const nodeStrips = 'stripTypeScriptTypes' in module

const files = {
  'package.json': '{ "type": "module" }',
  'src/server.ts': `
import { createServer } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { albums, type Album } from './albums.js'

const rows: Album[] = [{ id: 1, title: 'Blue Train' }]
export const server = createServer({ resources: [albums], data: memoryData({ albums: rows }), access: 'open' })
`,
  'src/albums.ts': `
import { defineResource, id, model } from 'ashlar'

export interface Album {
  id: number
  title: string
}

export const albums = defineResource('albums', {
  model: model<Album>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})
`,
  'src/plain.js': `
import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', { model: model('albums'), id: id(), attributes: (a) => ({ title: a.string() }) })
export const server = createServer({ resources: [albums], data: memoryData({ albums: [] }) })
`,
}

/** Packages that cannot be imported: without the file of its entry, and with one that has no binding. */
const packages = {
  'a missing package': { main: 'gone.js', entry: null },
  'a package without a binding': { main: 'index.js', entry: "throw new Error('Cannot find native binding.')" },
}

/** Runs a command in an application with copies of the packages, which find only this package of a name. */
function command(
  { name = 'oxc-transform', found }: { readonly name?: string; readonly found: keyof typeof packages },
  ...args: readonly string[]
): Program {
  const path = sourceFolder(files)
  // Before the folder is removed: processes that load their modules from it would wait forever.
  onTestFinished(endPrograms)
  const { folder } = builtPackage()
  for (const { name: own, folder: from } of [ashlar, cli]) {
    for (const part of ['package.json', 'dist'])
      cpSync(join(folder, from, part), join(path, 'node_modules', own, part), { recursive: true })
  }
  const { main, entry } = packages[found]
  const broken = join(path, 'node_modules', name)
  mkdirSync(broken, { recursive: true })
  writeFileSync(join(broken, 'package.json'), JSON.stringify({ name, version: '0.0.0', main }))
  if (entry !== null) writeFileSync(join(broken, main), entry)
  return startProgram(join(path, 'node_modules/@ashlar/cli/dist/cli.js'), { args, cwd: path })
}

async function ended(program: Program) {
  const code = await program.ended
  return { code, ...program.output() }
}

describe.each(Object.keys(packages) as (keyof typeof packages)[])('with %s', (found) => {
  test('`ashlar check` loads TypeScript by Node, or reports what to install', async () => {
    const { code, stdout, stderr } = await ended(command({ found }, 'check', 'src/server.ts'))
    if (nodeStrips) {
      // No warning about an experimental feature either.
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    } else {
      expect(code).toBe(1)
      const text = stdout + stderr
      expect(text).toMatch(/server\.ts' is TypeScript, which on Node \d.* needs the package 'oxc-transform'/)
      expect(text).toMatch(/npm install --save-dev oxc-transform@\d+\.\d+\.\d+\./)
      expect(text).not.toContain('    at ')
    }
  })

  test('`ashlar dev` serves TypeScript by Node, or reports what to install', async () => {
    const dev = command({ found }, 'dev', '--port', '0', '--json')
    const [line] = await dev.printed(/^\{"event":"(?:serving|failed)".*$/m)
    const event = JSON.parse(line) as { readonly event: string; readonly url?: string; readonly error?: string }
    if (nodeStrips) {
      expect(event.event).toBe('serving')
      expect(await (await fetch(`${event.url}/albums/1`)).text()).toContain('Blue Train')
      expect(dev.output().stderr).toBe('')
    } else {
      expect(event).toMatchObject({ event: 'failed', place: null })
      expect(event.error).toMatch(/^'src\/server\.ts' is TypeScript, which on .*oxc-transform@\d+\.\d+\.\d+\./)
    }
  })

  test('`ashlar dev` serves JavaScript', async () => {
    const dev = command({ found }, 'dev', 'src/plain.js', '--port', '0', '--json')
    const [line] = await dev.printed(/^\{"event":"(?:serving|failed)".*$/m)
    expect(JSON.parse(line)).toMatchObject({ event: 'serving' })
  })
})

test('an embedded database needs another package if the first one has no binding', async () => {
  const sqlite = { name: '@photostructure/sqlite', found: 'a package without a binding' } as const
  const dev = command(sqlite, 'dev', 'src/albums.ts', '--port', '0', '--database', ':memory:', '--json')
  const [line] = await dev.printed(/^\{"event":"(?:serving|failed)".*$/m)
  expect(JSON.parse(line)).toMatchObject(
    isBuiltin('node:sqlite')
      ? { event: 'serving' }
      : {
          event: 'failed',
          error: `SQLite needs a package: npm install @photostructure/sqlite. Node 22.16 and later have 'node:sqlite'. The package '@photostructure/sqlite' is installed, but does not load on ${process.platform} ${process.arch}: Cannot find native binding.`,
        },
  )
})

test('a name that a module does not export may be a type', async () => {
  const server = `export { Album } from './albums.js'\n${files['src/server.ts']}`
  const folder = applicationFolder({ ...files, 'src/server.ts': server })
  const { code, stdout, stderr } = await ended(folder.start(['check', 'src/server.ts']))
  expect(code).toBe(1)
  expect(stdout + stderr).toContain("If 'Album' is a type, mark it: 'import type' or 'export type'.")
})
