import { argv, env, exit, stderr, stdout } from 'node:process'
import type { ExitCode, Shell } from './command.js'
import { progressOn } from './progress.js'

/** Runs a program with the arguments and the streams of the process, and ends the process. */
export async function runProgram(
  run: (args: readonly string[], shell: Shell) => Promise<ExitCode>,
  parts: Partial<Shell> = {},
): Promise<never> {
  const code = await run(argv.slice(2), {
    out: (text: string) => console.log(text),
    err: (text: string) => console.error(text),
    // Node reads NO_COLOR, FORCE_COLOR and TERM.
    hasColors: stdout.isTTY && stdout.hasColors(),
    progress: progressOn(stderr, env),
    ...parts,
  })
  // A pipe may accept a long text with a delay. `exit()` would truncate it.
  await new Promise((resolve) => stdout.write('', resolve))
  // The loaded module may hold open connections or listen on a port, which would keep the process running.
  return exit(code)
}
