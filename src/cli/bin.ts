#!/usr/bin/env node
import { argv, exit } from 'node:process'
import { runCli } from './run-cli.js'

const output = {
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
}
// A module that was loaded may hold connections, or listen: neither is of use once the answer is given.
exit(await runCli(argv.slice(2), output))
