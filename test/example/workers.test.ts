import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { endPrograms, startProgram } from '../support/program.js'

afterAll(endPrograms)

/** The primary process gets the error of a message to a worker that was killed a moment before, and starts another worker. */
const program = (workers: string) => `
import cluster from 'node:cluster'
import { reportListening, startWorkers } from '${workers}'
if (cluster.isPrimary) {
  const { end } = await startWorkers(1)
  const [worker] = Object.values(cluster.workers)
  worker.process.kill('SIGKILL')
  worker.process.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  cluster.once('fork', async () => {
    await end()
    console.log('The primary process has ended its workers.')
  })
} else {
  process.once('SIGTERM', () => process.exit())
  reportListening('http://127.0.0.1', async () => process.exit())
}
`

test('a message to a worker that was killed does not end the primary process', async () => {
  const file = join(mkdtempSync(join(inject('runFolder'), 'workers-')), 'main.mjs')
  writeFileSync(file, program(pathToFileURL(builtPackage().pathOf('examples/music/src/workers.ts')).href))
  const running = startProgram(file)
  await running.printed(/has ended its workers/)
  expect(running.output().stderr).toMatch(/^Worker \d+ has ended \(SIGKILL\)\. Another one starts in \d+ ms\.\n$/)
  expect(await running.ended).toBe(0)
})
