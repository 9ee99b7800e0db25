import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Listening } from 'ashlar/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = join(root, 'examples/music/openapi.json')
const page = readFileSync(join(root, 'docs/guide/openapi.md'), 'utf8')

/** Each generator: the command of the page, the program that runs it, and the other files of its client. */
const generators = [
  {
    name: 'openapi-typescript',
    command: 'npx openapi-typescript openapi.json --output src/openapi-typescript/schema.ts',
    bin: 'openapi-typescript/bin/cli.js',
  },
  {
    name: 'hey-api',
    command: 'npx openapi-ts --input openapi.json --output src/hey-api',
    bin: '@hey-api/openapi-ts/bin/run.js',
  },
  {
    name: 'swagger-typescript-api',
    command:
      'npx swagger-typescript-api generate --path openapi.json --output src/swagger-typescript-api --name api.ts',
    bin: 'swagger-typescript-api/dist/cli.mjs',
  },
] as const

/** The requirements of a client: all that `strict` checks, and nothing of the repository. */
const strict = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
}

let folder = ''
beforeAll(async () => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/generators-'))
  mkdirSync(join(folder, 'src'))
  copyFileSync(document, join(folder, 'openapi.json'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, include: ['src'] }))
  await Promise.all(generators.map(generate))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function generate({ name, command, bin }: (typeof generators)[number]): Promise<void> {
  const [, , ...words] = command.split(' ')
  await run(join(root, 'node_modules', bin), words)
  copyFileSync(join(root, `test/generators/programs/${name}.ts`), join(folder, `src/${name}.ts`))
}

function run(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(execPath, [program, ...words], { cwd: folder }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${program} failed:\n${stdout}${stderr}`)),
    )
  })
}

test.each(generators)('$name is called as the page shows', ({ name, command }) => {
  expect(page).toContain(`\n${command}\n`)
  expect(existsSync(join(folder, 'src', name))).toBe(true)
})

test("the generated code of the example's document compiles under strict, and so do programs that use it", async () => {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  expect(await run(compiler, ['--pretty', 'false', '--singleThreaded'])).toBe('')
})

interface Program {
  crud(url: string, token: string): Promise<readonly unknown[]>
}

describe.each(musicServices.slice(0, 1))('clients of the example on %s', (_engine, open) => {
  const music = open()
  let listening: Listening
  beforeAll(async () => {
    listening = await music.listen()
  })

  test.each(generators)('$name creates, reads, changes and deletes a resource', async ({ name }) => {
    const program = (await import(pathToFileURL(join(folder, `src/${name}.ts`)).href)) as Program
    const included = name === 'swagger-typescript-api' ? ['artists'] : ['artists', 'tracks']
    expect(await program.crud(listening.url, 'dev-admin')).toEqual([
      'portishead',
      'Portishead',
      included,
      'From Bristol.',
      204,
      'RESOURCE_NOT_FOUND',
    ])
  })
})
