import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

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
