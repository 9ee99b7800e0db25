import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleModules } from './example-module.js'
import type { Fence } from './fences.js'
import { blocksOf, guidePages, uncheckedBecause } from './guide-pages.js'
import { missingPiece } from './quotes.js'
import { type BlockErrors, typeErrors } from './type-check.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('every block of the guide is checked', () => {
  const unchecked = guidePages
    .flatMap(({ steps }) => steps)
    .map((step) => [step.fence.location, uncheckedBecause(step)])
  expect(unchecked.filter(([, reason]) => reason !== null)).toEqual([])
})

test.each(blocksOf('quoted'))('$location is in the example, word for word', ({ fence }) => {
  const { from = '' } = fence.info
  expect(missingPiece(fence.text, readFileSync(join(root, from), 'utf8'))).toBeNull()
})

describe('code that is not in the example', () => {
  let errors: BlockErrors = {}
  beforeAll(async () => {
    const fences = blocksOf('compiles', 'refused', 'ends', 'faulty').map(({ fence }) => besideTheExample(fence))
    errors = await typeErrors(exampleModules(fences))
  })

  test.each(blocksOf('compiles', 'ends', 'faulty'))('$location compiles', ({ location }) => {
    expect(errors[location]).toEqual([])
  })

  test.each(blocksOf('refused'))(
    '$location is refused by the compiler with the error that the page shows',
    ({ location, output }) => {
      for (const line of output.split('\n')) expect(errors[location]?.join('\n')).toContain(line)
    },
  )
})

/** Blocks import files of the example like its own sources. The compiler finds them by their absolute paths. */
function besideTheExample(fence: Fence): Fence {
  return { ...fence, text: fence.text.replaceAll(/ from '\.\//g, ` from '${root}examples/music/src/`) }
}
