import type { Command, ExitCode, Shell } from './command.js'
import { verifyCommand } from './commands/verify.js'
import { manifestOf } from './package-file.js'
import { runCommand } from './run-command.js'

const call = 'npx @ashlar/verify'

/** The command `ashlar verify`, as the program of a package. */
const program: Command = Object.freeze({
  ...verifyCommand,
  call,
  examples: verifyCommand.examples.map((example) => ({
    ...example,
    call: example.call.replace('ashlar verify', call),
  })),
})

/** Runs the program of the package `@ashlar/verify`, and returns the exit code of the process. */
export async function runVerify(args: readonly string[], shell: Shell): Promise<ExitCode> {
  if (args[0] === '--version') {
    shell.out(manifestOf('@ashlar/verify').version)
    return 0
  }
  return runCommand(program, args, shell)
}
