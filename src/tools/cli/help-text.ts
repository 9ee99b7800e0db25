import type { CommandDescription, Option } from './command.js'
import { allOptions } from './shared-options.js'
import type { Paint } from './paint.js'

const width = 120

/** Returns the help of a command. */
export function helpText(command: CommandDescription, paint: Paint): string {
  const { description, examples, exitCodes } = command
  const options = Object.entries(allOptions(command)).map(
    ([name, option]) => [optionText(name, option), option.description] as const,
  )
  const codes = Object.entries(exitCodes)
  return [
    usageText(command, paint),
    ...description.map((paragraph) => wrapped(paragraph, 0)),
    `${paint('bold', 'Options:')}\n${columns(options)}`,
    `${paint('bold', 'Examples:')}\n${examples.map(({ call, description: text }) => `  # ${text}\n  ${call}`).join('\n')}`,
    `${paint('bold', 'Exit codes:')}\n${columns(codes)}`,
  ].join('\n\n')
}

/** Returns the words that call a command, without arguments. */
export function callOf({ name, call = `ashlar ${name}` }: CommandDescription): string {
  return call
}

/** Returns the usage of a command: one line for each form of its parameters. */
export function usageText(command: CommandDescription, paint: Paint): string {
  const { parameters, options } = command
  const calls = parameters.reduce<readonly string[]>(
    (texts, { name: parameter, isOptional = false, forms = [isOptional ? `[${parameter}]` : `<${parameter}>`] }) =>
      texts.flatMap((text) => forms.map((form) => `${text} ${form}`)),
    [''],
  )
  const words = Object.entries(options).map(([option, declared]) => {
    return `[${optionText(option, declared)}]${declared.kind === 'list' ? '...' : ''}`
  })
  const lines = calls.map((call) => [`${callOf(command)}${call}`, ...words, '[--json]'].join(' '))
  return `${paint('bold', 'Usage:')} ${lines.join('\n       ')}`
}

/** Returns the list of all commands. */
export function overviewText(commands: readonly CommandDescription[], paint: Paint): string {
  return [
    `${paint('bold', 'Usage:')} ashlar <command> [options]`,
    columns(commands.map(({ name, summary }) => [name, summary])),
    'ashlar <command> --help prints the options of a command, with examples.',
  ].join('\n\n')
}

/** Returns an option as usage and lists show it: `--as <json>`. */
export function optionText(name: string, option: Option): string {
  return option.kind === 'flag' ? `--${name}` : `--${name} <${option.value}>`
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const left = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(left)}  ${wrapped(text, left + 4)}`).join('\n')
}

/** Breaks a text into lines, all but the first with an indent. */
function wrapped(text: string, indent: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width - indent) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
