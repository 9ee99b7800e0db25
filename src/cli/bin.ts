#!/usr/bin/env node
import { argv, exit, stderr, stdout } from 'node:process'
import { runCli } from './run-cli.js'

/** Writes over the line that was shown before. */
function showProgress(text: string | null): void {
  stderr.write(`\r\u001B[K${text?.slice(0, (stderr.columns || 80) - 1) ?? ''}`)
}

const output = {
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
  // Node reads NO_COLOR, FORCE_COLOR and TERM.
  hasColors: stdout.isTTY && stdout.hasColors(),
  ...(stderr.isTTY ? { progress: showProgress } : {}),
}
const code = await runCli(argv.slice(2), output)
// A pipe may take a long text later. `exit()` would cut it off.
await new Promise((resolve) => stdout.write('', resolve))
// The loaded module may hold open connections or listen on a port, which would keep the process running.
exit(code)
