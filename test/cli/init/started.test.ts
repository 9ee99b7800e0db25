import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { applicationFolder } from '../../support/application-folder.js'
import { endPrograms, startProgram } from '../../support/program.js'

afterAll(endPrograms)

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** `npm run verify` does the same with the packed packages, and with the compiler's checks: see integration/run.mjs. */
test('an empty folder becomes a service: npm create ashlar, npm test, npm start', async () => {
  const { path } = applicationFolder({})
  cpSync(join(root, 'packages/create-ashlar'), join(path, 'node_modules/create-ashlar'), { recursive: true })
  const created = startProgram(join(path, 'node_modules/create-ashlar/bin.mjs'), {
    args: ['music', '--yes'],
    cwd: path,
  })
  expect({ code: await created.ended, ...created.output() }).toMatchObject({
    code: 0,
    stdout: "12 files written to 'music'.\n\nNext:\n  cd music\n  npm install\n  npm run dev\n",
    stderr: '',
  })

  const project = join(path, 'music')
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  expect(scripts).toMatchObject({ build: 'tsc', test: 'tsc && cd dist && node --test', start: 'node dist/main.js' })
  // The built package of the tests has no declarations. The sources of the project are checked as those of an example.
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  execFileSync(execPath, [compiler, '--noCheck'], { cwd: project, stdio: 'pipe' })
  const tested = execFileSync(execPath, ['--test', '--test-reporter=spec'], {
    cwd: join(project, 'dist'),
    encoding: 'utf8',
  })
  expect(tested).toMatch(/✔ an album belongs to an artist[^]*pass 1\n[^]*fail 0\n/)

  const started = startProgram('dist/main.js', { cwd: project, environment: { PORT: '0' } })
  const [, url] = await started.printed(/Listening at (\S+)\n/)
  const response = await fetch(`${url}/artists`)
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 200, body: { data: [] } })
  expect((await fetch(`${url}/docs`)).status).toBe(200)
  expect(scripts).toMatchObject({ check: 'ashlar check src/server.ts --database' })
  const checked = startProgram(join(path, 'node_modules/ashlar/dist/cli/bin.js'), {
    args: ['check', 'src/server.ts', '--database'],
    cwd: project,
  })
  expect({ code: await checked.ended, ...checked.output() }).toEqual({
    code: 0,
    stdout: '2 types, 31 routes: no faults.\nThe databases match the declarations.\n',
    stderr: '',
  })
  started.process.kill('SIGTERM')
  expect({ code: await started.ended, stderr: started.output().stderr }).toEqual({ code: 0, stderr: '' })
})
