import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ashlar, cli, client, type Package, verify } from '../../scripts/packages.mjs'
import { builtPackage } from '../support/built-package.js'

/** Returns the JavaScript of a package, by the paths of its files. */
function codeOf({ folder }: Package): Readonly<Record<string, string>> {
  const dist = join(builtPackage().folder, folder, 'dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  return Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(dist, name), 'utf8')]))
}

/** Returns the folders of the source files that a package contains, to the depth of the layers. */
function foldersOf(from: Package): readonly string[] {
  const modules = Object.values(codeOf(from)).flatMap((code) => [...code.matchAll(/^\/\/ src\/(\S+)\/[\w-]+\.ts$/gm)])
  return [...new Set(modules.map(([, folder = '']) => folder.split('/').slice(0, 2).join('/')))].toSorted()
}

function bytesOf(from: Package): number {
  return Object.values(codeOf(from)).reduce((sum, code) => sum + code.length, 0)
}

/** Returns the packages that the files of a package import. */
function importsOf(from: Package): readonly string[] {
  const specifiers = Object.values(codeOf(from)).flatMap((code) => [
    ...code.matchAll(/^(?:import|export)\b.*?["']([^"'.][^"']*)["'];$/gm),
  ])
  const names = specifiers.map(([, specifier = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
  return [...new Set(names.filter((name) => !name.startsWith('node:')))].toSorted()
}

describe('packages that contain copies of the modules that they need', () => {
  test('@ashlar/client contains only the client', () => {
    expect({ folders: foldersOf(client), imports: importsOf(client) }).toEqual({
      folders: ['client', 'client/tanstack-query'],
      imports: [],
    })
    expect(bytesOf(client)).toBeLessThan(47_000)
  })

  test('@ashlar/verify contains nothing of the server', () => {
    expect({ folders: foldersOf(verify), imports: importsOf(verify) }).toEqual({
      folders: ['core/document', 'core/util', 'tools/cli', 'tools/format', 'tools/verify'],
      imports: ['ajv', 'ajv-formats'],
    })
    expect(bytesOf(verify)).toBeLessThan(310_000)
  })
})

describe('packages that share modules', () => {
  test('ashlar contains no command, and imports none', () => {
    const tools = foldersOf(ashlar).filter((folder) => folder.startsWith('tools/'))
    expect(tools).toEqual(['tools/format', 'tools/testing'])
    expect(importsOf(ashlar).filter((name) => /ashlar|oxc|yaml|tanstack/.test(name))).toEqual([])
  })

  test('@ashlar/cli imports the modules of the server from ashlar', () => {
    expect(importsOf(cli)).toEqual(['ajv', 'ajv-formats', 'ashlar'])
    const internal = Object.values(codeOf(cli)).flatMap((code) => [...code.matchAll(/"ashlar\/internal\/([^"]+)"/g)])
    const shared = Object.keys(codeOf(ashlar))
    expect(internal.length).toBeGreaterThan(10)
    expect(internal.flatMap(([, name = '']) => (shared.includes(`shared/${name}`) ? [] : [name]))).toEqual([])
    expect(foldersOf(cli).filter((folder) => /^(?:serve|server|describe)\//.test(folder))).toEqual([])
  })
})
