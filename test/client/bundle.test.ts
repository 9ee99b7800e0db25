import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, inject, test } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

const entry = fileURLToPath(new URL('../../src/client.ts', import.meta.url))

test('ashlar/client is small, and imports nothing', async () => {
  const build = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await build.generate({ minify: true })
  await build.close()
  const [{ code, imports, dynamicImports, modules }, ...others] = output
  expect(others).toEqual([])
  expect([...imports, ...dynamicImports]).toEqual([])
  expect(Object.keys(modules).filter((module) => !/\/src\/client(?:\/|\.ts$)/.test(module))).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(5 * 1024)
})

test('the published files for browsers import no module of Node', async () => {
  const folder = mkdtempSync(join(inject('runFolder'), 'client-'))
  await bundle(folder)
  expect(['client.js', 'tanstack-query.js'].flatMap((file) => importsOf(join(folder, file)))).toEqual([])
})

/** Returns all that a file imports, and what that imports, except files of the package. */
function importsOf(file: string): readonly string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b.*?["']([^"']+)["'];$/gm)]
  return found.flatMap(([, specifier = '']) =>
    specifier.startsWith('.') ? importsOf(join(file, '..', specifier)) : [specifier],
  )
}
