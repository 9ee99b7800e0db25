#!/usr/bin/env node
import { stdin, stdout } from 'node:process'
import { ask } from './tools/cli/ask.js'
import { runCli } from './tools/cli/run-cli.js'
import { runProgram } from './tools/cli/run-program.js'
import { registerTypeScript } from './tools/cli/typescript/register-typescript.js'

/** Imports a module of the application. Hooks for TypeScript take time, so that JavaScript is imported without them. */
async function importModule(url: string): Promise<unknown> {
  if (/\.m?ts$/.test(url)) await registerTypeScript()
  return import(url)
}

await runProgram(runCli, { importModule, ask: stdin.isTTY && stdout.isTTY ? ask : undefined })
