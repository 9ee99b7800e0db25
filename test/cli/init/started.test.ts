import { execSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { applicationFolder } from '../../support/application-folder.js'
import { commandLine } from '../../support/built-package.js'
import { endPrograms, startProgram } from '../../support/program.js'
import { isLong } from '../../support/runs.js'
import { scratchSchema } from '../../support/scratch-schema.js'

afterAll(endPrograms)

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Processes take time: the engines differ in two files, and the long run has both. */
const engines = isLong ? ['sqlite', 'postgres'] : ['sqlite']

async function databaseOf(engine: string): Promise<Readonly<Record<string, string>>> {
  if (engine === 'sqlite') return {}
  const schema = await scratchSchema()
  onTestFinished(() => schema.drop())
  return { DATABASE_URL: schema.url }
}

/** `npm run verify` does the same with the packed packages, and with the compiler's checks: see integration/starter.mjs. */
test.each(engines)('an empty folder becomes a service on %s: create, test, start, check', async (engine) => {
  const { path } = applicationFolder({})
  cpSync(join(root, 'packages/create-ashlar'), join(path, 'node_modules/create-ashlar'), { recursive: true })
  const args = ['music', '--engine', engine, '--yes']
  const created = startProgram(join(path, 'node_modules/create-ashlar/bin.mjs'), { args, cwd: path })
  expect({ code: await created.ended, ...created.output() }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^15 files written to 'music'\.\n\nNext:\n {2}cd music\n {2}npm install\n/),
    stderr: '',
  })

  const project = { cwd: join(path, 'music'), environment: await databaseOf(engine) }
  const { scripts } = JSON.parse(readFileSync(join(project.cwd, 'package.json'), 'utf8'))
  expect(scripts).toMatchObject({
    test: 'npm run build && cd dist && node --test',
    start: 'node dist/main.js',
    check: 'ashlar check src/server.ts --database',
  })
  // A test whose source was renamed or removed is not run.
  mkdirSync(join(project.cwd, 'dist'))
  writeFileSync(join(project.cwd, 'dist/removed.test.js'), "throw new Error('removed')\n")
  // The built package of the tests has no declarations. The sources of the project are checked like those of an example.
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const build = scripts.build.replace(/\btsc$/, `node "${compiler}" --noCheck`)
  const command = `${scripts.test.replace('npm run build', build)} --test-reporter=spec`
  const tested = execSync(command, { cwd: project.cwd, encoding: 'utf8' })
  expect(tested).toMatch(
    /✔ an album belongs to an artist[^]*✔ a stranger can read, and cannot write[^]*pass 2\n[^]*fail 0\n/,
  )

  const started = startProgram('dist/main.js', {
    ...project,
    environment: { ...project.environment, PORT: '0' },
  })
  const [, url] = await started.printed(/Listening at (\S+)\n/)
  const response = await fetch(`${url}/artists`)
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 200, body: { data: [] } })
  expect((await fetch(`${url}/docs`)).status).toBe(200)
  const [, token] = /^API_TOKEN=(\S+)$/m.exec(readFileSync(join(project.cwd, '.env'), 'utf8')) ?? []
  const create = (headers: Readonly<Record<string, string>>) =>
    fetch(`${url}/artists`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json', ...headers },
      body: JSON.stringify({ data: { type: 'artists', attributes: { name: 'Radiohead' } } }),
    })
  for (const headers of [{}, { Authorization: 'Bearer guessed' }]) {
    const refused = await create(headers)
    expect({ challenge: refused.headers.get('www-authenticate'), body: await refused.json() }).toMatchObject({
      challenge: 'Bearer realm="api"',
      body: { errors: [{ status: '401', code: 'UNAUTHENTICATED', title: 'Unauthorized' }] },
    })
  }
  expect((await create({ Authorization: `Bearer ${token}` })).status).toBe(201)
  started.process.kill('SIGTERM')
  expect({ code: await started.ended, stderr: started.output().stderr }).toEqual({ code: 0, stderr: '' })

  const checked = startProgram(join(path, commandLine), {
    ...project,
    args: ['check', 'src/server.ts', '--database'],
  })
  expect({ code: await checked.ended, ...checked.output() }).toEqual({
    code: 0,
    stdout: '2 types, 31 routes: no faults.\nThe databases match the declarations.\n',
    stderr: '',
  })
})
