#!/usr/bin/env node
// @ts-check
/** The command `ashlar`: runs the package `@ashlar/cli`, which is installed next to this one for development only. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

const program = programFrom(resolve('package.json')) ?? programFrom(import.meta.url)
if (program === null) {
  console.error(
    `The commands are in the package '@ashlar/cli'. Add it with: npm install --save-dev @ashlar/cli\nOr run it without a project: npx @ashlar/cli ${argv.slice(2).join(' ')}`.trimEnd(),
  )
  process.exitCode = 2
} else {
  await import(program.href)
}

/** Returns the program that a module finds. A project of pnpm finds its own packages only. @param {string} module @returns {URL | null} */
function programFrom(module) {
  try {
    const manifest = createRequire(module).resolve('@ashlar/cli/package.json')
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
    return pathToFileURL(join(dirname(manifest), bin['ashlar-cli']))
  } catch {
    return null
  }
}
