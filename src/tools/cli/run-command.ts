import { Cancelled } from './ask.js'
import type { Command, ExitCode, Shell } from './command.js'
import { UsageError } from './command.js'
import { callOf, helpText, usageText } from './help-text.js'
import { paintFor } from './paint.js'
import { readArguments } from './read-arguments.js'

/** Runs a command with its arguments, and returns the exit code of the process. */
export async function runCommand(command: Command, args: readonly string[], output: Shell): Promise<ExitCode> {
  const isJson = args.includes('--json')
  try {
    const { values, isHelp } = readArguments(command, args)
    if (isHelp) {
      output.out(helpText(command, paintFor(output)))
      return 0
    }
    const { code, result } = await command.run(values, isJson ? jsonShell(output) : output)
    if (isJson && result !== undefined) output.out(JSON.stringify(result, null, 2))
    return code
  } catch (thrown) {
    if (!(thrown instanceof UsageError || thrown instanceof Cancelled) && !isSystemError(thrown)) throw thrown
    if (isJson) output.out(JSON.stringify({ error: thrown.message }, null, 2))
    output.err(thrown instanceof UsageError ? usageMessage(command, thrown) : thrown.message)
    return 2
  }
}

/** Returns the shell for a command with `--json`: a program reads the output, so that there are no prompts. */
function jsonShell(shell: Shell): Shell {
  return { ...shell, ask: undefined, out: () => undefined, event: (event) => shell.out(JSON.stringify(event)) }
}

function usageMessage(command: Command, { message }: UsageError): string {
  return `${message}\n\n${usageText(command, paintFor({}))}\n\n${callOf(command)} --help prints the options, with examples.`
}

/** Returns whether an error comes from the operating system, such as a failed read of a file. The message contains the path. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'syscall' in thrown
}
