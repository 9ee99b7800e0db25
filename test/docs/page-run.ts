import { join } from 'node:path'
import { expect } from 'vitest'
import { commandLine } from '../support/built-package.js'
import { replyTo, shownReply, wordsOf, type Variables } from './exchange.js'
import type { Fence } from './fences.js'
import type { PageDatabase } from './page-database.js'
import type { RunOptions, Running, Sandbox } from './sandbox.js'
import { replyWithValues } from './page-values.js'
import type { BlockErrors, BlockFile } from './type-check.js'

/** The address that pages write; the tests take a free port instead. */
const shownAddress = 'http://127.0.0.1:3000'

export interface Step {
  readonly fence: Fence
  /** The block after it, if the page shows its output. */
  readonly next: Fence | undefined
}

export function stepsOf(fences: readonly Fence[]): readonly Step[] {
  return fences.map((fence, index) => ({ fence, next: fences[index + 1] }))
}

/** Where a page is followed. */
export interface PageEnvironment {
  readonly folder: Sandbox
  readonly database: PageDatabase
  /** The errors of the compiler for the modules of the page. */
  readonly errors: BlockErrors
}

/**
 * Does what a page says, in its order, and compares what comes of it with what the page shows:
 *
 * - `ts file=server.ts` compiles; one that listens is run.
 * - `ts file=… refused` does not compile, and the compiler says every line of the `text` block after it.
 * - `ts file=… faulty` compiles, ends with exit code 1, and says the `text` block after it.
 * - `ts file=… ends` compiles, ends with exit code 0, and says the `text` block after it.
 * - `ts file=… conditions=unpkg` is run with that condition for the `exports` of packages.
 * - `ts file=… postgres` is run with the address of a database in `DATABASE_URL`.
 * - `sh` blocks of one curl command are sent, and answered as the `http` block after them shows. `…` in it stands for what it leaves out.
 * - `sh` blocks that call `npx ashlar` or `npx @ashlar/verify` are run, and say the `text` block after them. The address of a page is that of what listens.
 * - `sh` blocks that call `node bin.mjs` do the same in a clone, beside the folder of the service.
 * - `sh` blocks that end with `npm run dev` serve the folder that they go to, and say the `text` block after them.
 * - `ts shows=src/albums.ts` is the text of a file that a command has written.
 * - Variables in double quotes are those of the file `.env` that `npx ashlar pull` has written.
 * - `sh` blocks `npx tsc` compile `src` to `dist`, and `node dist/main.js` runs what listens there.
 * - Blocks marked `service` change the service that `ashlar init` has written, or send requests to it: see `first-type.test.ts`.
 */
export async function followPage(fences: readonly Fence[], run: PageEnvironment): Promise<void> {
  let running: Running | null = null
  let variables: Variables = {}
  for (const step of stepsOf(fences).filter(isForProject)) {
    const { fence } = step
    if (fence.info['shows'] !== undefined) {
      expect(fence.text, fence.location).toBe(run.folder.text(fence.info['shows']))
    }
    if (fence.language === 'ts') running = (await followFile(step, { ...run, running })) ?? running
    if (fence.language === 'sh' && fence.text.startsWith('curl ')) {
      await followExchange(step, (await running?.address) ?? shownAddress, variables)
    }
    if (fence.language === 'sh' && /^(?:npx ashlar|npx @ashlar\/verify|node bin\.mjs) /.test(fence.text)) {
      await followCommand(step, run, { address: (await running?.address) ?? shownAddress, variables })
      if (fence.text.startsWith('npx ashlar pull ')) variables = variablesIn(run.folder.text('.env'))
    }
    if (fence.language === 'sh' && fence.text.trim().endsWith('npm run dev')) {
      running = await followDev(step, run)
      variables = variablesIn(run.folder.text(join(serviceFolder(step), '.env')))
    }
    if (fence.language === 'sh' && fence.text.trim() === 'npx tsc') run.folder.compile('src', 'dist')
    if (fence.language === 'sh' && fence.text.trim() === 'node dist/main.js') {
      running?.process.kill()
      running = run.folder.run('dist/main.js', { environment: { PORT: '0' } })
    }
  }
  running?.process.kill()
}

function isForProject({ fence }: Step): boolean {
  return !('service' in fence.info)
}

/** Returns the files of a page for the compiler, in a folder of the page's name: pages have files of the same names. */
export function pageModules(fences: readonly Fence[]): readonly BlockFile[] {
  const paths = new Set<string>()
  return stepsOf(fences)
    .filter(isForProject)
    .flatMap(({ fence: { info, location, text } }) => {
      if (info['file'] === undefined) return []
      const [page, line] = location.split(':')
      const first = `${page}/${info['file']}`
      // A page may show a file twice, before and after a change. The second one is in its own folder.
      const path = paths.has(first) ? `${page}/${line}/${info['file']}` : first
      paths.add(path)
      return [{ location, path, text }]
    })
}

interface FileEnvironment extends PageEnvironment {
  readonly running: Running | null
}

async function followFile(
  { fence, next }: Step,
  { folder, database, errors, running }: FileEnvironment,
): Promise<Running | null> {
  const { file } = fence.info
  if (file === undefined) return null
  if ('refused' in fence.info) {
    for (const line of shownLines(fence, next))
      expect(errors[fence.location]?.join('\n'), fence.location).toContain(line)
    return null
  }
  expect(errors[fence.location], fence.location).toEqual([])
  folder.write(file, fence.text.replace('port: 3000', 'port: 0'))
  const { conditions } = fence.info
  const environment = {
    ...('postgres' in fence.info && { DATABASE_URL: await database.url() }),
    ...(conditions !== undefined && { NODE_OPTIONS: `--conditions=${conditions}` }),
  }
  if ('faulty' in fence.info || 'ends' in fence.info) {
    const ending = folder.run(file, { environment })
    const code = await ending.ended
    const { stdout, stderr } = ending.output()
    expect({ code, stderr: code === 0 ? stderr : '' }, `${fence.location}: ${stderr}`).toEqual({
      code: 'ends' in fence.info ? 0 : 1,
      stderr: '',
    })
    for (const line of shownLines(fence, next)) expect(code === 0 ? stdout : stderr, fence.location).toContain(line)
    return null
  }
  if (!fence.text.includes('listen(')) return null
  running?.process.kill()
  return folder.run(file, { environment })
}

const verifyProgram = 'node_modules/@ashlar/verify/dist/verify.js'

/** The command line, in the folder of the page or in a clone next to it. */
async function followCommand(
  { fence, next }: Step,
  { folder }: PageEnvironment,
  { address, variables }: { readonly address: string; readonly variables: Variables },
): Promise<void> {
  const [program, name, ...words] = wordsOf(fence.text.trim().replaceAll(shownAddress, address), variables)
  const running = folder.run(name === '@ashlar/verify' ? verifyProgram : commandLine, {
    args: words,
    directory: program === 'npx' ? '.' : 'clone',
  })
  await running.ended
  const { stdout, stderr } = running.output()
  expect(linesOf(`${stdout}${stderr}`.replaceAll(address, shownAddress)), fence.location).toEqual(
    shownLines(fence, next),
  )
}

/** The command line of the package, in the folder of a service whose TypeScript has been compiled in place. */
export async function followServiceCommand(
  { fence, next }: Step,
  service: Pick<PageEnvironment, 'folder'> & Required<Pick<RunOptions, 'directory' | 'environment'>>,
): Promise<void> {
  const words = fence.text.match(/'[^']*'|[^'\s]+/g)?.map((word) => word.replaceAll("'", '')) ?? []
  const args = words.slice(2).map((word) => word.replace(/\.ts$/, '.js'))
  const { directory, environment } = service
  const running = service.folder.run(commandLine, { args, directory, environment })
  await running.ended
  const { stdout, stderr } = running.output()
  expect(linesOf(`${stdout}${stderr}`), fence.location).toEqual(shownLines(fence, next))
}

/** Returns the folder that a block enters. */
function serviceFolder({ fence }: Pick<Step, 'fence'>): string {
  return /^cd \.\.\/(\S+)/.exec(fence.text)?.[1] ?? '.'
}

function variablesIn(text: string): Variables {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
}

async function followDev({ fence, next }: Step, { folder }: PageEnvironment): Promise<Running> {
  const directory = serviceFolder({ fence })
  const running = folder.run(commandLine, { args: ['dev', '--port', '0'], directory })
  const address = await running.address
  await running.printed(/Ctrl\+C ends/)
  const printed = running.output().stdout.replaceAll(address, shownAddress)
  expect(linesOf(printed), fence.location).toEqual(shownLines(fence, next))
  return running
}

/** Sends the request of a block to that address, and compares the response with the block after it. */
export async function followExchange({ fence, next }: Step, address: string, variables: Variables = {}): Promise<void> {
  if (next?.language !== 'http') throw new Error(`${fence.location}: no http block shows the response`)
  const shown = shownReply(next.text.replaceAll(shownAddress, address))
  const response = await replyTo(fence.text.replaceAll(shownAddress, address), Object.keys(shown.headers), variables)
  expect(response, next.location).toEqual(replyWithValues(shown, response, new Map()))
}

/** The lines of the `text` block after a block. */
export function shownLines({ location }: Fence, next: Fence | undefined): readonly string[] {
  if (next?.language !== 'text') throw new Error(`${location}: no text block shows what is said`)
  return linesOf(next.text)
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
