import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { freePort } from '../support/free-port.js'
import { endPrograms, startProgram } from '../support/program.js'

afterAll(endPrograms)

const source = fileURLToPath(new URL('../../examples/web', import.meta.url))

/** Returns a folder with the examples as they are after `npm run build:example`, from the sources as they are. */
function builtExamples(): string {
  const folder = mkdtempSync(join(inject('runFolder'), 'web-start-'))
  const built = dirname(builtPackage().pathOf('examples/music/src/main.ts'))
  mkdirSync(join(folder, 'music'))
  symlinkSync(built, join(folder, 'music/dist'), 'dir')
  for (const name of ['package.json', 'start.mjs', 'index.html', 'vite.config.ts', 'src']) {
    cpSync(join(source, name), join(folder, 'web', name), { recursive: true })
  }
  return folder
}

test('one program starts the catalogue and the page, and Ctrl+C ends both', async () => {
  const folder = builtExamples()
  const [servicePort, pagePort] = [await freePort(), await freePort()]
  const program = startProgram(join(folder, 'web/start.mjs'), {
    cwd: folder,
    environment: { PORT: String(servicePort), WEB_PORT: String(pagePort) },
  })
  const [, page = ''] = await program.printed(/The page is at (\S+)\. Sign in/)
  expect(program.output().stdout).toContain('alice  dev-alice')
  expect(await (await fetch(page)).text()).toContain('/src/main.tsx')
  const service = `http://127.0.0.1:${servicePort}`
  const { origin } = new URL(page)
  const albums = await fetch(`${service}/albums`, { headers: { Authorization: 'Bearer dev-alice', Origin: origin } })
  expect(albums.headers.get('Access-Control-Allow-Origin')).toBe(origin)
  // There is more than one page of them.
  expect(await albums.json()).toMatchObject({ links: { next: expect.any(String) } })
  program.process.kill('SIGINT')
  expect(await program.ended).toBe(0)
  await expect(fetch(service)).rejects.toThrow()
  await expect(fetch(page)).rejects.toThrow()
})
