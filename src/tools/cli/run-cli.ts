import type { ExitCode, Output, Shell } from './command.js'
import { commands } from './commands.js'
import { helpText, overviewText } from './help-text.js'
import { nearestWord } from '../../core/util/nearest-word.js'
import { manifestOf } from './package-file.js'
import { type Paint, paintFor } from './paint.js'
import { runCommand } from './run-command.js'

/** Runs the command that the arguments name, and returns the exit code of the process. */
export async function runCli(args: readonly string[], output: Shell): Promise<ExitCode> {
  const [name, ...rest] = args
  const paint = paintFor(output)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return help(rest[0] ?? null, output, paint) ?? (name === undefined ? 2 : 0)
  }
  if (name === '--version') {
    output.out(manifestOf('ashlar').version)
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
