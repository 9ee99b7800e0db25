#!/usr/bin/env node
import { runProgram } from './tools/cli/run-program.js'
import { runVerify } from './tools/cli/run-verify.js'

await runProgram(runVerify)
