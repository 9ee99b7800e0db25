// @ts-check
/** `npm run example -- hono`: builds the package and an example, and starts it. Ctrl+C stops it. */
import { execFileSync } from 'node:child_process'
import { argv, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

/** The programs by their names: a folder of examples/, and a file in its `src`. @type {Readonly<Record<string, readonly [string, string]>>} */
const programs = {
  music: ['music', 'main'],
  drizzle: ['drizzle', 'main'],
  'existing-database': ['existing-database', 'main'],
  node: ['frameworks', 'node/main'],
  express: ['frameworks', 'express/main'],
  fastify: ['frameworks', 'fastify/main'],
  hono: ['frameworks', 'hono/main'],
  nest: ['frameworks', 'nest/main'],
}

const [, , name = ''] = argv
const program = programs[name]
if (program === undefined) {
  console.error(
    `${name === '' ? 'Name an example' : `No such example: ${name}`}. The examples are ${Object.keys(programs).join(', ')}.`,
  )
  exit(2)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const [folder, main] = program
try {
  execFileSync(execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
  const compiler = 'node_modules/typescript-native/bin/tsc'
  execFileSync(execPath, [compiler, '-p', `examples/${folder}/tsconfig.json`], { cwd: root, stdio: 'inherit' })
} catch {
  // The compiler has printed the errors.
  exit(1)
}
process.chdir(root)
await import(new URL(`../examples/${folder}/dist/${main}.js`, import.meta.url).href)
