// @ts-check
/**
 * Starts the music catalogue and the page together: `npm run start:web` from the root of the clone. Ctrl+C ends both.
 *
 * The catalogue has a database of its own in `data/web`, with enough albums for several pages.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const music = fileURLToPath(new URL('../music/dist', import.meta.url))
const folder = resolve(env['DATA_DIR'] || 'data/web')
const servicePort = Number(env['PORT'] || 3000)
const pagePort = Number(env['WEB_PORT'] || 5173)
const environment = {
  ...env,
  PORT: String(servicePort),
  DATA_DIR: folder,
  CORS_ORIGINS: `http://localhost:${pagePort},http://127.0.0.1:${pagePort}`,
}

if (!existsSync(join(folder, 'music.db'))) {
  const { status, stderr } = spawnSync(execPath, [join(music, 'generate/main.js'), '--tracks', '600'], {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) fail(stderr)
}

const service = spawn(execPath, [join(music, 'main.js')], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
service.on('exit', (code) => exit(code ?? 0))
const [printed] = await once(service.stdout.setEncoding('utf8'), 'data')
console.log(`${printed}`.split('\n')[0])

env['VITE_API_URL'] = `http://127.0.0.1:${servicePort}`
const page = await createServer({
  root: fileURLToPath(new URL('.', import.meta.url)),
  server: { port: pagePort },
  clearScreen: false,
}).then((server) => server.listen())
const address = page.resolvedUrls?.local[0]
console.log(`The page is at ${address} Sign in as dev-alice, dev-bob or dev-admin. Ctrl+C ends both.`)

/** @param {string} reason */
function fail(reason) {
  console.error(reason.trim())
  exit(1)
}
