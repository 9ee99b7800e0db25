import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listen } from 'ashlar/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as service from '../../examples/music/src/service.js'
import type * as storages from '../../examples/music/src/storage/storage.js'
import { afterStep, cloneFolder, freshClone } from './clone.js'
import { type Fence, fencesIn } from './fences.js'
import { followExchange, shownLines, type Step, stepsOf } from './page-run.js'
import { type BlockErrors, typeErrors } from './type-check.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = 'docs/start/ten-minutes.md'

const steps = stepsOf(fencesIn(readFileSync(join(root, page), 'utf8'), page)).filter(
  ({ fence }) => 'clone' in fence.info,
)
const changes = steps.filter(({ fence }) => 'file' in fence.info && !('refused' in fence.info))
const refused = steps.filter(({ fence }) => 'refused' in fence.info)

const changed = changes.map(({ fence }) => fence).reduce(afterStep, freshClone())
const made = new Set(changes.map(({ fence }) => fileOf(fence)))
const folder = cloneFolder()
folder.write(changed)
afterAll(() => folder.remove())

describe(`${page}, in a clone`, () => {
  let errors: BlockErrors = {}
  beforeAll(async () => {
    const right = Object.entries(changed)
    const wrong = refused.map(
      ({ fence }) => [nameOfRefused(fence), afterStep(changed, fence)[fileOf(fence)] ?? ''] as const,
    )
    errors = await typeErrors([...right, ...wrong].map(([path, text]) => ({ place: path, path, text })))
  })

  test.each(Object.keys(changed))('%s compiles', (name) => {
    expect(errors[name]).toEqual([])
  })

  test('what it calls a compile error is one, with the message that it shows', () => {
    expect(refused).toHaveLength(1)
    for (const { fence, next } of refused) {
      const said = errors[nameOfRefused(fence)]?.join('\n')
      for (const line of shownLines(fence, next)) expect(said, fence.place).toContain(line)
    }
  })

  test('its requests have the responses that it shows, before and after the changes, on the same database', async () => {
    const data = mkdtempSync(join(tmpdir(), 'ashlar-first-type-'))
    const firstChange = steps.findIndex(({ fence }) => made.has(fileOf(fence)))
    try {
      await follow(steps.slice(0, firstChange).filter(isExchange), { clone: root, data })
      await follow(steps.slice(firstChange).filter(isExchange), { clone: folder.path, data })
    } finally {
      rmSync(data, { recursive: true })
    }
  }, 60_000)

  describe('its test passes', async () => {
    await import(join(folder.path, 'test/labels.test.ts'))
  })
})

function fileOf({ info }: Fence): string {
  return info['file'] ?? ''
}

/** Beside the file that it would replace, so that all are checked at once. */
function nameOfRefused(fence: Fence): string {
  return fileOf(fence).replace(/\.ts$/, '.refused.ts')
}

function isExchange({ fence }: Step): boolean {
  return fence.language === 'sh'
}

/** Sends requests to what `npm start` serves in a clone, in this process. */
async function follow(exchanges: readonly Step[], place: { clone: string; data: string }): Promise<void> {
  expect(exchanges.length).toBeGreaterThan(2)
  const sources = join(place.clone, 'examples/music/src')
  const { musicServer } = (await import(join(sources, 'service.ts'))) as typeof service
  const { openStorage } = (await import(join(sources, 'storage/storage.ts'))) as typeof storages
  const storage = await openStorage({ folder: place.data })
  const listening = await listen(musicServer(storage))
  try {
    for (const exchange of exchanges) await followExchange(exchange, listening.url)
  } finally {
    await listening.close()
    await storage.close()
  }
}
