import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Compilation, compile } from '../support/compile.js'
import { type Fence, fencesIn } from './fences.js'
import { followExchange, followServiceCommand, shownLines, type Step, stepsOf } from './page-run.js'
import { type Sandbox, sandbox } from './sandbox.js'
import { afterStep, freshService, type ServiceFiles } from './service-files.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const pages = ['docs/start/ten-minutes.md', 'docs/start/roles-actions-versions.md']
const environment = { PORT: '0', DATABASE_FILE: 'first-type.db', API_TOKEN: 'token-of-the-test' }

/** Each page changes the service that the page before it has left. */
const lessons = pages.reduce<readonly Lesson[]>((earlier, page) => {
  const steps = stepsOf(fencesIn(readFileSync(join(root, page), 'utf8'), page))
  const before = earlier.at(-1)?.after ?? freshService()
  const changes = steps.filter(({ fence: { info } }) => isMarked(info) && 'file' in info && !('refused' in info))
  return [...earlier, { page, steps, before, after: changes.map(({ fence }) => fence).reduce(afterStep, before) }]
}, [])
const complete = lessons.at(-1)?.after ?? {}

describe('the service after all pages', () => {
  const refused = lessons.flatMap(({ steps }) => steps.filter(({ fence }) => 'refused' in fence.info))
  let compiled: Compilation
  beforeAll(async () => {
    const wrong = refused.map(({ fence }) => [nameOfRefused(fence), afterStep(complete, fence)[fileOf(fence)] ?? ''])
    compiled = await compile({ ...complete, ...Object.fromEntries(wrong) })
  })

  test.each(Object.keys(complete))('%s compiles', (name) => {
    expect(compiled.diagnosticsOf(name)).toEqual([])
  })

  test('the compile error that a page shows is the real one', () => {
    expect(refused).toHaveLength(1)
    for (const { fence, next } of refused) {
      const messages = compiled.diagnosticsOf(nameOfRefused(fence)).map(({ message }) => message)
      for (const line of shownLines(fence, next)) expect(messages.join('\n'), fence.location).toContain(line)
    }
  })
})

describe('the pages, on one database', () => {
  let folder: Sandbox
  beforeAll(() => {
    folder = sandbox()
  })
  afterAll(() => folder.remove())

  test.each(lessons)(
    '$page: its requests and commands show what it shows, and its tests pass',
    async (lesson) => {
      const { steps, before, after } = lesson
      const first = steps.findIndex(({ fence }) => isMarked(fence.info))
      const marked = steps.slice(first).filter(({ fence }) => isMarked(fence.info))
      expect(marked.filter(isExchange).length).toBeGreaterThan(3)
      await follow(steps.slice(0, first), before)
      await follow(marked, after)
      const tests = Object.keys(after).filter((name) => name.endsWith('.test.ts') && before[name] === undefined)
      expect(tests).toHaveLength(1)
      for (const name of tests) {
        const running = folder.run(join('service', name))
        expect({ name, code: await running.ended }, running.output().stdout).toEqual({ name, code: 0 })
      }
    },
    60_000,
  )

  /** Runs the service of these files, and follows the requests and commands of the steps. */
  async function follow(steps: readonly Step[], files: ServiceFiles): Promise<void> {
    const followed = steps.filter((step) => isExchange(step) || isCommand(step))
    if (followed.length === 0) return
    for (const [name, text] of Object.entries(files)) folder.write(join('service', name), text)
    const running = folder.run('service/src/main.ts', { environment, directory: 'service' })
    const address = await running.address
    for (const step of followed) {
      if (isExchange(step)) await followExchange(step, address, environment)
      else await followServiceCommand(step, { folder, directory: 'service', environment })
    }
    running.process.kill()
    await running.ended
  }
})

interface Lesson {
  readonly page: string
  readonly steps: readonly Step[]
  readonly before: ServiceFiles
  readonly after: ServiceFiles
}

function isMarked(info: Fence['info']): boolean {
  return 'service' in info
}

function isExchange({ fence }: Step): boolean {
  return fence.language === 'sh' && fence.text.startsWith('curl ')
}

function isCommand({ fence }: Step): boolean {
  return isMarked(fence.info) && fence.language === 'sh' && fence.text.startsWith('npx ashlar ')
}

function fileOf({ info }: Fence): string {
  return info['file'] ?? ''
}

/** Returns a path next to the file that it would replace, so that one program has both. */
function nameOfRefused(fence: Fence): string {
  return fileOf(fence).replace(/\.ts$/, '.refused.ts')
}
