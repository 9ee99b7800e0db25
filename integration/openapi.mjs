// @ts-check
/**
 * `npm run check:openapi`: lints the OpenAPI documents of the music catalogue with the default rules of Spectral and of Redocly, validates
 * them against the schema of OpenAPI 3.1, generates clients with the commands of the page about OpenAPI, and compiles these. The documents
 * are the files in the repository: the tests fail if they are outdated.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath, exit } from 'node:process'
import { promisify } from 'node:util'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { compiler, root } from './project.mjs'

const documents = ['openapi.json', 'openapi.admin.json']
const page = readFileSync(join(root, 'docs/guide/openapi.md'), 'utf8')

/** The programs of the generators, by the first word of their commands. @type {Readonly<Record<string, string>>} */
const programs = {
  'openapi-typescript': 'openapi-typescript/bin/cli.js',
  'openapi-ts': '@hey-api/openapi-ts/bin/run.js',
  orval: 'orval/dist/bin/orval.js',
  'swagger-typescript-api': 'swagger-typescript-api/dist/cli.mjs',
}

/** The requirements of a client: all that `strict` checks, and nothing of the repository. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
}

/** The severity of errors in Spectral. */
const ERROR = '0'

const run = promisify(execFile)
let failures = 0
for (const name of documents) {
  const source = readFileSync(join(root, 'examples/music', name), 'utf8')
  report(`${name}: the schema of OpenAPI 3.1`, await schemaErrors(source))
  report(`${name}: Redocly`, await redoclyErrors(source))
  report(`${name}: generated clients`, await generatorErrors(source))
  report(`${name}: Spectral`, await spectralErrors(source))
}
exit(failures === 0 ? 0 : 1)

/** @param {string} source @returns {Promise<readonly string[]>} */
async function schemaErrors(source) {
  const { valid, errors } = await new Validator().validate(JSON.parse(source))
  return valid ? [] : [JSON.stringify(errors)]
}

/** @param {string} source @returns {Promise<readonly string[]>} */
async function redoclyErrors(source) {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const errors = problems.filter(({ severity }) => severity === 'error')
  return errors.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`)
}

/** @param {string} source @returns {Promise<readonly string[]>} */
async function spectralErrors(source) {
  const linter = new spectral.Spectral()
  linter.setRuleset(/** @type {never} */ ({ extends: [rulesets.oas] }))
  const problems = await linter.run(source)
  // Severities are numbers of an enumeration.
  const errors = problems.filter(({ severity }) => `${severity}` === ERROR)
  return errors.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`)
}

/**
 * Runs the generators as the page shows, in an empty folder, and compiles what they write.
 * @param {string} source @returns {Promise<readonly string[]>}
 */
async function generatorErrors(source) {
  const commands = [...page.matchAll(/^npx (\S+)(.*)$/gm)].filter(([, name = '']) => name in programs)
  if (commands.length !== Object.keys(programs).length)
    return ['The page does not show the commands of all generators.']
  const [, config = ''] = /^```js title=orval\.config\.cjs\n(.*?)^```$/ms.exec(page) ?? []
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/openapi-'))
  try {
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'openapi.json'), source)
    writeFileSync(join(folder, 'orval.config.cjs'), config)
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
    for (const [, name = '', words = ''] of commands) {
      const program = join(root, 'node_modules', programs[name] ?? '')
      await run(execPath, [program, ...words.trim().split(' ')], { cwd: folder })
    }
    await run(execPath, [compiler, '--pretty', 'false'], { cwd: folder })
    return []
  } catch (error) {
    const { message, stdout = '' } = /** @type {Error & { stdout?: string }} */ (error)
    return [message, stdout]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} name @param {readonly string[]} errors */
function report(name, errors) {
  console.log(`${errors.length === 0 ? '✓' : '✗'} ${name}`)
  if (errors.length === 0) return
  failures += 1
  console.error(errors.join('\n'))
}
