import { Cancelled } from './ask.js'
import type { Command, ExitCode, Output, Shell } from './command.js'
import { UsageError } from './command.js'
import { commands } from './commands.js'
import { helpText, overviewText, usageText } from './help-text.js'
import { nearestWord } from '../../core/util/nearest-word.js'
import { ownManifest } from './package-file.js'
import { type Paint, paintFor } from './paint.js'
import { readArguments } from './read-arguments.js'

/** Runs the command that the arguments name, and returns the exit code of the process. */
export async function runCli(args: readonly string[], output: Shell): Promise<ExitCode> {
  const [name, ...rest] = args
  const paint = paintFor(output)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return help(rest[0] ?? null, output, paint) ?? (name === undefined ? 2 : 0)
  }
  if (name === '--version') {
    output.out(ownManifest().version)
    return 0
  }
  const command = commands.find((candidate) => candidate.name === name)
  return command === undefined ? unknownCommand(name, output) : runCommand(command, rest, output)
}

/** Prints the help of a command, or the list of all. Returns an exit code only if there is no such command. */
function help(name: string | null, output: Output, paint: Paint): ExitCode | null {
  const command = commands.find((candidate) => candidate.name === name)
  if (name !== null && command === undefined) return unknownCommand(name, output)
  output.out(command === undefined ? overviewText(commands, paint) : helpText(command, paint))
  return null
}

function unknownCommand(name: string, output: Output): ExitCode {
  const names = commands.map((candidate) => candidate.name)
  const nearest = nearestWord(name, names)
  const hint = nearest === null ? `Commands: ${names.join(', ')}.` : `Did you mean '${nearest}'?`
  output.err(`There is no command '${name}'. ${hint}`)
  return 2
}

async function runCommand(command: Command, args: readonly string[], output: Shell): Promise<ExitCode> {
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
  return `${message}\n\n${usageText(command, paintFor({}))}\n\nashlar ${command.name} --help prints the options, with examples.`
}

/** Returns whether an error comes from the operating system, such as a failed read of a file. The message contains the path. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'syscall' in thrown
}
