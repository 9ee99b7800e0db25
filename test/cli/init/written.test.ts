import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { Cancelled } from '../../../src/tools/cli/ask.js'
import { toolVersions } from '../../../src/tools/cli/tool-versions.js'
import { runCli } from '../../../src/tools/cli/run-cli.js'
import { ashlar, type Ended } from '../../support/cli.js'
import { sourceFolder } from '../../support/source-folder.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const starterText = (path: string) => readFileSync(join(root, 'examples/starter/src', path), 'utf8')

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

/** Runs `ashlar init` on a terminal with this input. */
async function initAnswering(
  answers: readonly string[],
  ...args: readonly string[]
): Promise<Ended & { questions: string[] }> {
  const [out, err, questions]: [string[], string[], string[]] = [[], [], []]
  const left = [...answers]
  const ask = async (question: string): Promise<string> => {
    questions.push(question)
    const input = left.shift()
    if (input === undefined) throw new Cancelled('Cancelled.')
    return input
  }
  const shell = { out: (text: string) => out.push(text), err: (text: string) => err.push(text), ask }
  return { code: await runCli(['init', ...args], shell), out: out.join('\n'), err: err.join('\n'), questions }
}

const written = [
  '.env',
  '.gitignore',
  'README.md',
  'package.json',
  'src/authentication.ts',
  'src/database.ts',
  'src/environment.ts',
  'src/main.ts',
  'src/migrations.ts',
  'src/resources/albums.ts',
  'src/resources/artists.ts',
  'src/server.ts',
  'src/service.test.ts',
  'src/service.ts',
  'tsconfig.json',
]

describe('ashlar init', () => {
  test('writes the files of a service on SQLite, and prints what to do next', async () => {
    const folder = join(sourceFolder({}), 'My Records')
    const { code, out, err } = await ashlar('init', folder)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      /^15 files written to '.*My Records'\.\n\nNext:\n {2}cd '.*My Records'\n {2}npm install\n {2}npm run dev\n\nEverybody may read\. To write, send the token of the file '\.env': README\.md shows how\.$/,
    )
    expect(filesIn(folder)).toEqual(written)
    expect(manifestOf(folder)).toMatchObject({
      name: 'my-records',
      type: 'module',
      private: true,
      dependencies: { ashlar: `^${manifestOf(root).version}`, '@photostructure/sqlite': expect.any(String) },
    })
    expect(readFileSync(join(folder, 'src/database.ts'), 'utf8')).toBe(starterText('database.ts'))
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# my-records\n[^]*`DATABASE_FILE`/)
  })

  test('writes random secrets to a file that only the user may read, and git ignores', async () => {
    const folders = [sourceFolder({}), sourceFolder({})]
    for (const folder of folders) expect((await ashlar('init', folder)).code).toBe(0)
    const [one, other] = folders.map((folder) => readFileSync(join(folder, '.env'), 'utf8'))
    expect(one).toMatch(/^#.*\nAPI_TOKEN=[\w-]{43}\n#.*\nSECRET=[\w-]{43}\n$/)
    expect(one).not.toBe(other)
    expect(new Set([one, other].join('').match(/[\w-]{43}/g)).size).toBe(4)
    for (const folder of folders) {
      expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(folder, '.gitignore'), 'utf8').split('\n')).toContain('.env')
    }
  })

  test('writes one on PostgreSQL, with the same declarations', async () => {
    const folder = sourceFolder({})
    const { code, out } = await ashlar('init', folder, '--engine', 'postgres')
    expect(code).toBe(0)
    expect(out).toContain('export DATABASE_URL=')
    const { dependencies, devDependencies } = manifestOf(folder)
    expect(Object.keys(dependencies)).toEqual(['ashlar', 'kysely', 'pg', 'swagger-ui-dist'])
    expect(Object.keys(devDependencies)).toContain('@types/pg')
    expect(readFileSync(join(folder, 'src/database.ts'), 'utf8')).toBe(starterText('postgres/database.ts'))
    expect(readFileSync(join(folder, 'src/migrations.ts'), 'utf8')).toBe(starterText('postgres/migrations.ts'))
    expect(readFileSync(join(folder, 'src/resources/albums.ts'), 'utf8')).toBe(starterText('resources/albums.ts'))
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('`DATABASE_URL`')
  })

  test('lists all existing files that would be overwritten, and writes nothing', async () => {
    const folder = sourceFolder({ 'README.md': 'mine', LICENSE: 'mine', src: 'a file' })
    const { code, err } = await ashlar('init', folder)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Nothing is written, because 2 paths in .* would be overwritten\.\n {2}- README\.md\n {2}- src\nRemedy: /,
    )
    expect(filesIn(folder)).toEqual(['LICENSE', 'README.md', 'src'])
    expect(JSON.parse((await ashlar('init', folder, '--json')).out)).toMatchObject({ inTheWay: ['README.md', 'src'] })
  })

  test('does not change other files of the folder', async () => {
    const folder = sourceFolder({ LICENSE: 'mine', '.git/HEAD': 'ref', 'src/notes.txt': 'mine' })
    expect((await ashlar('init', folder)).code).toBe(0)
    expect(filesIn(folder)).toEqual(['.git/HEAD', 'LICENSE', 'src/notes.txt', ...written].toSorted())
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe('mine')
  })

  test('prints the result as JSON', async () => {
    const folder = sourceFolder({})
    const { out } = await ashlar('init', folder, '--json', '--package-manager', 'bun')
    expect(JSON.parse(out)).toMatchObject({
      directory: folder,
      engine: 'sqlite',
      packageManager: 'bun',
      files: expect.arrayContaining(written),
      isInstalled: false,
      next: [expect.stringMatching(/^cd /), 'bun install', 'bun run dev'],
    })
  })

  test.each([
    { agent: 'pnpm/10.4.1 npm/? node/v22.14.0 linux x64', manager: 'pnpm' },
    { agent: 'yarn/1.22.22 npm/? node/v20.19.0 linux x64', manager: 'yarn' },
    { agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', manager: 'npm' },
    { agent: 'cnpm/9.0.0 npminstall/1', manager: 'npm' },
  ])('uses the package manager that runs it: $manager', async ({ agent, manager }) => {
    vi.stubEnv('npm_config_user_agent', agent)
    const folder = sourceFolder({})
    const { out } = await ashlar('init', folder)
    expect(out).toContain(`\n  ${manager} install\n  ${manager} run dev`)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`\n${manager} install\n`)
  })

  test('depends on packed packages, or on those of a clone, by their paths', async () => {
    const folder = sourceFolder({
      'ashlar-0.2.0.tgz': '',
      'ashlar-cli-0.2.0.tgz': '',
      'clone/package.json': '{}',
      'clone/packages/cli/package.json': '{}',
      'alone/ashlar-0.2.0.tgz': '',
    })
    const init = (name: string, from: string) =>
      ashlar('init', join(folder, name), '--ashlar', from.startsWith('.') ? from : join(folder, from))
    await init('a/music', 'ashlar-0.2.0.tgz')
    expect(manifestOf(join(folder, 'a/music'))).toMatchObject({
      dependencies: { ashlar: 'file:../../ashlar-0.2.0.tgz' },
      devDependencies: { '@ashlar/cli': 'file:../../ashlar-cli-0.2.0.tgz' },
    })
    await init('b', 'clone')
    expect(manifestOf(join(folder, 'b'))).toMatchObject({
      dependencies: { ashlar: 'file:../clone' },
      devDependencies: { '@ashlar/cli': 'file:../clone/packages/cli' },
    })
    expect(await init('c', './absent.tgz')).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no file or folder './absent.tgz' for --ashlar."),
    })
    expect(await init('d', 'alone/ashlar-0.2.0.tgz')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is no file or folder '.*alone\/ashlar-cli-0\.2\.0\.tgz' for --ashlar\./),
    })
  })

  test('reports an installation that fails, with its output', async () => {
    const folder = sourceFolder({ 'bin/npm': '#!/bin/sh\necho "no network" >&2\nexit 1\n' })
    chmodSync(join(folder, 'bin/npm'), 0o755)
    vi.stubEnv('PATH', join(folder, 'bin'))
    const { code, err } = await ashlar('init', join(folder, 'music'), '--install')
    expect(code).toBe(1)
    expect(err).toBe('no network\nnpm cannot install the packages. The files are written.')
    expect(filesIn(join(folder, 'music'))).toEqual(written)
  })

  test.each([
    {
      args: ['--engine', 'postgre'],
      message: "'--engine' is one of sqlite, postgres, not 'postgre'. Did you mean 'postgres'?",
    },
    { args: ['one', 'two'], message: 'init takes at most the path of a directory.' },
  ])('refuses $args', async ({ args, message }) => {
    expect(await ashlar('init', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })

  test('a folder that cannot be made ends with 2', async () => {
    const folder = sourceFolder({ file: '' })
    expect(await ashlar('init', join(folder, 'file/music'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('ENOTDIR'),
    })
  })
})

describe('ashlar init on a terminal', () => {
  test('asks for settings that no option gives', async () => {
    const folder = join(sourceFolder({}), 'music')
    const { code, questions } = await initAnswering([folder, 'oracle', 'postgres', 'n'])
    expect(code).toBe(0)
    expect(questions).toEqual([
      'Folder of the service (music): ',
      'Database: sqlite or postgres (sqlite): ',
      'Database: sqlite or postgres (sqlite): ',
      'Install the packages with npm now? (Y/n): ',
    ])
    expect(manifestOf(folder).dependencies).toHaveProperty('pg')
  })

  test('takes empty input for the default', async () => {
    const folder = sourceFolder({})
    expect(await initAnswering(['', 'no'], folder)).toMatchObject({
      code: 0,
      questions: [expect.any(String), expect.any(String)],
    })
    expect(manifestOf(folder).dependencies).toHaveProperty('@photostructure/sqlite')
  })

  test.each(['--yes', '--json'])('asks nothing with %s', async (option) => {
    expect(await initAnswering([], sourceFolder({}), option)).toMatchObject({ code: 0, questions: [] })
  })

  test('writes nothing if a question is cancelled', async () => {
    const folder = sourceFolder({})
    expect(await initAnswering(['sqlite'], folder)).toMatchObject({ code: 2, err: 'Cancelled.' })
    expect(filesIn(folder)).toEqual([])
  })

  test('does not ask whether to install if files already exist', async () => {
    const { code, questions } = await initAnswering(['sqlite'], sourceFolder({ 'package.json': '{}' }))
    expect(code).toBe(1)
    expect(questions).toHaveLength(1)
  })
})

test('the versions of the tools are those that the project itself uses', () => {
  const { devDependencies } = manifestOf(root)
  const used = { ...devDependencies, typescript: devDependencies['typescript-native'] }
  for (const [name, range] of Object.entries(toolVersions)) {
    expect(`${name}@${range}`).toBe(`${name}@^${String(used[name]).replace(/^(?:npm:.*@|\^)/, '')}`)
  }
})

test('all packages have one version, and depend on each other by it', () => {
  const { version } = manifestOf(root)
  const dependencies: Record<string, unknown> = {}
  for (const folder of readdirSync(join(root, 'packages'))) {
    const manifest = manifestOf(join(root, 'packages', folder))
    expect(manifest.version).toBe(version)
    const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.includes('ashlar'))
    dependencies[manifest.name] = Object.fromEntries(own)
  }
  expect(dependencies).toEqual({
    '@ashlar/cli': { ashlar: version },
    '@ashlar/client': {},
    '@ashlar/verify': {},
    'create-ashlar': { '@ashlar/cli': version },
  })
})
