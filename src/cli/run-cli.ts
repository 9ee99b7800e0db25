import type { Command, ExitCode, Output } from './command.js'
import { UsageError } from './command.js'
import { can } from './can.js'
import { check } from './check.js'
import { explain } from './explain.js'
import { openapi } from './openapi.js'
import { snapshot } from './snapshot.js'

/** Runs the command that the arguments name, and returns the exit code of the process. */
export async function runCli(args: readonly string[], output: Output): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    output.out(overview())
    return name === undefined ? 2 : 0
  }
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) {
    output.err(`There is no command '${name}'. Commands: ${commands.map((candidate) => candidate.name).join(', ')}.`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    output.out(command.help)
    return 0
  }
  return runCommand(command, rest, output)
}

async function runCommand(command: Command, args: readonly string[], output: Output): Promise<ExitCode> {
  try {
    return await command.run(args, output)
  } catch (thrown) {
    if (!(thrown instanceof UsageError) && !isSystemError(thrown)) throw thrown
    output.err(thrown instanceof UsageError ? `${thrown.message}\n\n${command.help}` : thrown.message)
    return 2
  }
}

/** Whether the operating system has refused something, such as to read a file: the message has its path. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'syscall' in thrown
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const summaries = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'Usage: ashlar <command> [options]',
    '',
    ...summaries,
    '',
    'ashlar <command> --help prints the options of a command.',
  ].join('\n')
}

/** Every command. */
const commands: readonly Command[] = Object.freeze([check, can, explain, openapi, snapshot])
