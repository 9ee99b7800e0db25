#!/usr/bin/env node
import { argv, env, exit, stderr, stdin, stdout } from 'node:process'
import { ask } from './tools/cli/ask.js'
import { progressOn } from './tools/cli/progress.js'
import { runCli } from './tools/cli/run-cli.js'
import { registerTypeScript } from './tools/cli/typescript/register-typescript.js'

/** Imports a module of the application. Hooks for TypeScript take time, so that JavaScript is imported without them. */
async function importModule(url: string): Promise<unknown> {
  if (/\.m?ts$/.test(url)) await registerTypeScript()
  return import(url)
}

const code = await runCli(argv.slice(2), {
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
  // Node reads NO_COLOR, FORCE_COLOR and TERM.
  hasColors: stdout.isTTY && stdout.hasColors(),
  importModule,
  ask: stdin.isTTY && stdout.isTTY ? ask : undefined,
  progress: progressOn(stderr, env),
})
// A pipe may accept a long text with a delay. `exit()` would truncate it.
await new Promise((resolve) => stdout.write('', resolve))
// The loaded module may hold open connections or listen on a port, which would keep the process running.
exit(code)
