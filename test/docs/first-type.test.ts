import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Compilation, compile } from '../support/compile.js'
import { type Fence, fencesIn } from './fences.js'
import { followExchange, shownLines, type Step, stepsOf } from './page-run.js'
import { type Sandbox, sandbox } from './sandbox.js'
import { afterStep, freshService, type ServiceFiles } from './service-files.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = 'docs/start/ten-minutes.md'

const allSteps = stepsOf(fencesIn(readFileSync(join(root, page), 'utf8'), page))
const firstChange = allSteps.findIndex(isMarked)
const [before, after] = [allSteps.slice(0, firstChange), allSteps.slice(firstChange).filter(isMarked)]
const changes = after.filter(({ fence }) => 'file' in fence.info && !('refused' in fence.info))
const refused = after.filter(({ fence }) => 'refused' in fence.info)

const fresh = freshService()
const changed = changes.map(({ fence }) => fence).reduce(afterStep, fresh)

describe(`${page}: changes to a new service`, () => {
  let compiled: Compilation
  let folder: Sandbox
  beforeAll(async () => {
    const wrong = refused.map(({ fence }) => [nameOfRefused(fence), afterStep(changed, fence)[fileOf(fence)] ?? ''])
    compiled = await compile({ ...changed, ...Object.fromEntries(wrong) })
    folder = sandbox()
  })
  afterAll(() => folder.remove())

  test.each(Object.keys(changed))('%s compiles', (name) => {
    expect(compiled.diagnosticsOf(name)).toEqual([])
  })

  test('the compile error that it shows is the real one', () => {
    expect(refused).toHaveLength(1)
    for (const { fence, next } of refused) {
      const messages = compiled.diagnosticsOf(nameOfRefused(fence)).map(({ message }) => message)
      for (const line of shownLines(fence, next)) expect(messages.join('\n'), fence.location).toContain(line)
    }
  })

  test('its requests have the responses that it shows, before and after the changes, on the same database', async () => {
    await follow(before.filter(isExchange), fresh)
    await follow(after.filter(isExchange), changed)
  }, 60_000)

  test('its tests pass', async () => {
    const tests = Object.keys(changed).filter((name) => name.endsWith('.test.ts'))
    expect(tests.length).toBeGreaterThan(1)
    write(changed)
    for (const name of tests) {
      const running = folder.run(join('service', name))
      expect({ name, code: await running.ended }, running.output().stdout).toEqual({ name, code: 0 })
    }
  }, 60_000)

  /** Sends requests to the service of these files. */
  async function follow(exchanges: readonly Step[], files: ServiceFiles): Promise<void> {
    expect(exchanges.length).toBeGreaterThan(1)
    write(files)
    const running = folder.run('service/src/main.ts', { environment: { PORT: '0', DATABASE_FILE: 'first-type.db' } })
    const address = await running.address
    for (const exchange of exchanges) await followExchange(exchange, address)
    running.process.kill()
    await running.ended
  }

  function write(files: ServiceFiles): void {
    for (const [name, text] of Object.entries(files)) folder.write(join('service', name), text)
  }
})

function isMarked({ fence }: Step): boolean {
  return 'service' in fence.info
}

function isExchange({ fence }: Step): boolean {
  return fence.language === 'sh' && fence.text.startsWith('curl ')
}

function fileOf({ info }: Fence): string {
  return info['file'] ?? ''
}

/** Returns a path next to the file that it would replace, so that one program has both. */
function nameOfRefused(fence: Fence): string {
  return fileOf(fence).replace(/\.ts$/, '.refused.ts')
}
