// @ts-check
/**
 * Starts the music catalogue and the page together: `npm run start:web` in the root of the clone. Ctrl+C ends both.
 *
 * The catalogue has its own database in `data/web`, with enough albums for several pages.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const [servicePort, pagePort] = [env['PORT'] || '3000', env['WEB_PORT'] || '5173']
const folder = resolve(env['DATA_DIR'] || 'data/web')
const settings = {
  ...env,
  PORT: servicePort,
  DATA_DIR: folder,
  CORS_ORIGINS: ['localhost', '127.0.0.1'].map((host) => `http://${host}:${pagePort}`).join(','),
}

/** @param {string} path */
const music = (path) => fileURLToPath(new URL(`../music/dist/${path}`, import.meta.url))

if (!existsSync(join(folder, 'music.db'))) {
  spawnSync(execPath, [music('generate/main.js'), '--tracks', '600'], {
    env: settings,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** @type {(() => void | Promise<void>)[]} */
const ends = []
let isEnding = false

/** Stops both, once. Also called when the service has ended by itself. */
async function end() {
  if (isEnding) return
  isEnding = true
  for (const each of ends) await each()
}

const service = spawn(execPath, [music('main.js')], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
ends.push(() => void service.kill())
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void end())
service.on('exit', (code) => {
  process.exitCode ||= code ?? 0
  void end()
})
service.stdout.pipe(process.stdout)
service.stdout.once('data', () => {
  startPage().catch((/** @type {Error} */ error) => {
    console.error(error.message)
    process.exitCode = 1
    void end()
  })
})

/** Starts the development server of Vite, which shows changes of the sources immediately. */
async function startPage() {
  env['VITE_API_URL'] = `http://127.0.0.1:${servicePort}`
  const page = await createServer({
    root: fileURLToPath(new URL('.', import.meta.url)),
    server: { port: Number(pagePort) },
  })
  ends.push(() => page.close())
  await page.listen()
  console.log(`\nThe page is at ${page.resolvedUrls?.local[0]}. Sign in with one of the tokens. Ctrl+C ends both.`)
}
