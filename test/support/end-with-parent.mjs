// @ts-check
/**
 * Ends the process that loads it, by `node --import`, when the process that started it has ended. However that one ends, even when it
 * is killed, the pipe to standard input closes: so no program outlives the test run.
 */
import { exit, stdin } from 'node:process'

stdin.on('close', () => exit(1)).resume()
// A program that has nothing left to do must still end by itself.
stdin.unref()
