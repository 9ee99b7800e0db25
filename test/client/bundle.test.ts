import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { json, kidA } from './scripted-server.js'

const entry = fileURLToPath(new URL('../../src/client.ts', import.meta.url))

async function bundled(format: 'es' | 'iife') {
  const build = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await build.generate({ minify: true, format, name: 'ashlar' })
  await build.close()
  return output
}

describe('the bundle of @ashlar/client', () => {
  let output: Awaited<ReturnType<typeof bundled>>
  beforeAll(async () => {
    output = await bundled('es')
  })

  test('is one file, which imports nothing and has no module of the server', () => {
    const [{ imports, dynamicImports, modules }, ...others] = output
    expect(others).toEqual([])
    expect([...imports, ...dynamicImports]).toEqual([])
    expect(
      Object.keys(modules).filter((module) => !/\/src\/client(?:\/(?!tanstack-query\/)|\.ts$)/.test(module)),
    ).toEqual([])
  })

  test('has less than 6 KB gzipped, also with a bundler that needs 117 bytes more', () => {
    // Measured with scripts/client-size.mjs: esbuild needs 117 bytes more than Rolldown.
    expect(gzipSync(output[0].code).length + 117).toBeLessThan(6 * 1024)
  })
})

test('@ashlar/client needs only what browsers, Workers and Node.js have in common', async () => {
  const [{ code }] = await bundled('iife')
  const requests: string[] = []
  const globals = {
    fetch: async (url: string, { method }: RequestInit) => {
      requests.push(`${method} ${url}`)
      return method === 'GET' ? json({ data: [kidA.data], links: {} }) : json({ 'atomic:results': [kidA] })
    },
    AbortController,
    clearTimeout,
    crypto,
    DOMException,
    Headers,
    setTimeout,
    URL,
    URLSearchParams,
  }
  const context = createContext(globals)
  const script = `${code}
    ;(async () => {
      const { types, atomic } = ashlar.createClient({ url: 'https://music.example', timeout: 60000 })
      const titles = []
      for await (const album of types.albums.each({ filter: { id: ['1'] }, include: ['artist'] })) titles.push(album.title)
      const [made] = await atomic((batch) => [batch.create('albums', { attributes: { title: 'x' } })], { idempotencyKey: true })
      return [...titles, made.title].join()
    })()`
  expect(await runInContext(script, context)).toBe('Kid A,Kid A')
  expect(requests).toEqual([
    'GET https://music.example/albums?include=artist&filter%5Bid%5D%5B%5D=1',
    'POST https://music.example/operations',
  ])
})
