#!/usr/bin/env node
import { argv, exit } from 'node:process'
import { runCli } from './run-cli.js'

const output = {
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
}
// The loaded module may hold open connections or listen on a port, which would keep the process running.
exit(await runCli(argv.slice(2), output))
