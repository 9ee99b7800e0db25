import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

/** Bundles an entry point for browsers, and returns its size and what it consists of. */
async function bundled(name: string) {
  const input = fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))
  const build = await rolldown({ input, platform: 'browser' })
  const { output } = await build.generate({ minify: true })
  await build.close()
  const [{ code, imports, dynamicImports, modules }, ...others] = output
  expect(others).toEqual([])
  return { size: gzipSync(code).length, imports: [...imports, ...dynamicImports], modules: Object.keys(modules) }
}

test('ashlar/client is small, and imports nothing', async () => {
  const { size, imports, modules } = await bundled('client')
  expect(imports).toEqual([])
  expect(modules.filter((module) => !/\/src\/client(?:\/|\.ts$)/.test(module))).toEqual([])
  expect(size).toBeLessThan(5 * 1024)
})

test('ashlar/tanstack-query is small, and imports nothing, not even the client', async () => {
  const { size, imports, modules } = await bundled('tanstack-query')
  expect(imports).toEqual([])
  expect(modules.filter((module) => !/\/src\/tanstack-query(?:\/|\.ts$)/.test(module))).toEqual([])
  expect(size).toBeLessThan(2 * 1024)
})
