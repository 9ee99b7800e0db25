import { expect } from 'vitest'
import { answerTo, shownAnswer } from './exchange.js'
import type { Fence } from './fences.js'
import type { Running, Sandbox } from './sandbox.js'
import { typeErrors } from './type-check.js'

/** The address that pages write; the tests take a free port instead. */
const shownAddress = 'http://127.0.0.1:3000'

interface Step {
  readonly fence: Fence
  /** The block after it, where the page shows what comes of it. */
  readonly next: Fence | undefined
}

/**
 * Does what a page says, in its order, and compares what comes of it with what the page shows:
 *
 * - `ts file=server.ts` compiles; one that listens is run.
 * - `ts file=… refused` does not compile, and the compiler says every line of the `text` block after it.
 * - `ts file=… faulty` compiles, ends with exit code 1, and says the `text` block after it.
 * - `sh` blocks of one curl command are sent, and answered as the `http` block after them shows.
 */
export async function followPage(fences: readonly Fence[], folder: Sandbox): Promise<void> {
  let running: Running | null = null
  const said = sayingsOn(fences)
  for (const step of fences.map((fence, index): Step => ({ fence, next: fences[index + 1] }))) {
    const { fence } = step
    if (fence.language === 'ts') running = (await followFile(step, said, { folder, running })) ?? running
    if (fence.language === 'sh' && fence.text.startsWith('curl ')) await followExchange(step, running)
  }
  running?.process.kill()
}

/** What the compiler says of each file of a page, all of them checked at once. */
function sayingsOn(fences: readonly Fence[]): (fence: Fence) => string {
  const files = new Map(fences.flatMap((fence, index) => nameOf(fence, index)))
  const errors = typeErrors(Object.fromEntries([...files].map(([fence, name]) => [name, fence.text])))
  return (fence) => (errors[files.get(fence) ?? ''] ?? []).join('\n')
}

/** In a folder of its own: a page may show one file twice, before and after a change. */
function nameOf(fence: Fence, index: number): readonly (readonly [Fence, string])[] {
  const { file } = fence.info
  return file === undefined ? [] : [[fence, `${index}/${file}`]]
}

interface Place {
  readonly folder: Sandbox
  readonly running: Running | null
}

async function followFile(
  { fence, next }: Step,
  said: (fence: Fence) => string,
  { folder, running }: Place,
): Promise<Running | null> {
  const { file } = fence.info
  if (file === undefined) return null
  if ('refused' in fence.info) {
    for (const line of shownLines(fence, next)) expect(said(fence), fence.place).toContain(line)
    return null
  }
  expect(said(fence), fence.place).toBe('')
  folder.write(file, fence.text.replace('port: 3000', 'port: 0'))
  if ('faulty' in fence.info) {
    const failing = folder.run(file)
    expect(await failing.ended, fence.place).toBe(1)
    for (const line of shownLines(fence, next)) expect(failing.output().stderr, fence.place).toContain(line)
    return null
  }
  if (!fence.text.includes('listen(')) return null
  running?.process.kill()
  return folder.run(file)
}

async function followExchange({ fence, next }: Step, running: Running | null): Promise<void> {
  const address = (await running?.address) ?? shownAddress
  if (next?.language !== 'http') throw new Error(`${fence.place}: no http block shows the answer`)
  const shown = shownAnswer(next.text.replaceAll(shownAddress, address))
  const answer = await answerTo(fence.text.replaceAll(shownAddress, address), Object.keys(shown.headers))
  expect(answer, next.place).toEqual(shown)
}

function shownLines({ place }: Fence, next: Fence | undefined): readonly string[] {
  if (next?.language !== 'text') throw new Error(`${place}: no text block shows what is said`)
  return next.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
