import { mkdirSync, mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@ashlar/client'
import { listen } from 'ashlar/node'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { build, preview } from 'vite'
import { inject, vi } from 'vitest'
import { musicServer } from '../../examples/music/src/service.js'
import { settings } from '../../examples/music/src/settings.js'
import { openStorage } from '../../examples/music/src/storage/storage.js'
import type { Api } from '../../examples/web/src/api.js'

/** The page of `examples/web`, built for production, and the catalogue that it uses. */
export interface WebPage {
  /** The address of the page. */
  readonly url: string
  /** Another client that uses the same catalogue. */
  readonly others: Client<Api>
  close(): Promise<void>
}

const root = fileURLToPath(new URL('../../examples/web', import.meta.url))
const sources = fileURLToPath(new URL('../../src', import.meta.url))

/** Builds the page from the sources, and serves it from another origin than that of the catalogue, as in production. */
export async function servedWebPage(): Promise<WebPage> {
  const folder = mkdtempSync(join(inject('runFolder'), 'web-'))
  const outDir = join(folder, 'page')
  mkdirSync(outDir)
  // The port of the page is known before the page is built, and that of the catalogue before the page is built for it.
  const server = await preview({
    root,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, strictPort: false },
    logLevel: 'error',
  })
  const { port } = server.httpServer.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const storage = await openStorage({ folder })
  const service = await listen(musicServer(storage, null, { ...settings, cors: { origins: [url] } }))
  await buildFor(service.url, outDir)
  return {
    url,
    others: createClient<Api>({ url: service.url, headers: { Authorization: 'Bearer dev-bob' } }),
    async close() {
      await server.close()
      await service.close()
      await storage.close()
    },
  }
}

async function buildFor(serviceUrl: string, outDir: string): Promise<void> {
  vi.stubEnv('VITE_API_URL', serviceUrl)
  vi.stubEnv('NODE_ENV', 'production')
  await build({
    root,
    build: { outDir },
    resolve: {
      alias: [
        { find: /^@ashlar\/client$/, replacement: `${sources}/client.ts` },
        { find: /^@ashlar\/client\/([\w-]+)$/, replacement: `${sources}/$1.ts` },
      ],
    },
    logLevel: 'error',
  })
  vi.unstubAllEnvs()
}

/** Returns the violations of accessibility that axe finds on the page as it is. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source })
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html)}`))',
  )
}
