import { parseArgs } from 'node:util'
import type { CommandDescription, Option } from './command.js'
import { UsageError } from './command.js'
import { nearestWord } from '../../core/util/nearest-word.js'
import { allOptions } from './shared-options.js'

/** The arguments of a command by name: a text for each parameter, or null if it is omitted, and a value for each option, depending on its kind. */
export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>
  readonly isHelp: boolean
  readonly isJson: boolean
}

/** Reads the arguments after the name of a command. Throws a `UsageError` with the first invalid one. */
export function readArguments(command: CommandDescription, args: readonly string[]): ReadArguments {
  const options = allOptions(command)
  // Not strict: the messages of `parseArgs` suggest nothing, and advise `--` for unknown options.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(options).map(([name, option]) => [name, parsedOption(name, option)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const [isHelp, isJson] = [values['help'] === true, values['json'] === true]
  if (isHelp) return { values: {}, isHelp, isJson }
  for (const token of tokens) {
    if (token.kind === 'option') checkOption(token, options)
  }
  checkCount(command, positionals.length)
  const texts = command.parameters.map(({ name }, index) => [name, positionals[index] ?? null])
  const read = Object.entries(command.options).map(([name, { kind }]) => [name, optionValue(kind, values[name])])
  return { values: Object.fromEntries([...texts, ...read]), isHelp, isJson }
}

function checkCount({ name, parameters }: CommandDescription, given: number): void {
  const needed = parameters.filter(({ isOptional = false }) => !isOptional)
  if (given >= needed.length && given <= parameters.length) return
  const nouns = (given < needed.length ? needed : parameters).map(({ noun }) => noun).join(' and ')
  const verb = needed.length === parameters.length ? 'needs' : 'takes at most'
  throw new UsageError(`${name} ${nouns === '' ? 'needs no arguments' : `${verb} ${nouns}`}.`)
}

function parsedOption(name: string, { kind }: Option) {
  return {
    type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
    multiple: kind === 'list',
    ...(name === 'help' ? { short: 'h' } : {}),
  }
}

function optionValue(kind: Option['kind'], value: unknown): unknown {
  switch (kind) {
    case 'flag':
      return value === true
    case 'list':
      return value ?? []
    case 'value':
      return value ?? null
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function checkOption(
  { name, rawName, value, inlineValue }: OptionToken,
  options: Readonly<Record<string, Option>>,
): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option === undefined) {
    const nearest = nearestWord(name, Object.keys(options))
    throw new UsageError(`Unknown option '${rawName}'.${nearest === null ? '' : ` Did you mean '--${nearest}'?`}`)
  }
  if (option.kind === 'flag') {
    if (value !== undefined) throw new UsageError(`'--${name}' takes no value.`)
    return
  }
  // A value that begins with a dash is the next option, unless it is joined: --as=-1.
  if (value === undefined || (inlineValue === false && /^--?[a-z]/i.test(value))) {
    throw new UsageError(`'--${name}' needs a value: --${name} <${option.value}>.`)
  }
  const { completes: choices } = option
  if (typeof choices === 'object' && !choices.includes(value)) {
    const nearest = nearestWord(value, choices)
    const hint = nearest === null ? '' : ` Did you mean '${nearest}'?`
    throw new UsageError(`'--${name}' is one of ${choices.join(', ')}, not '${value}'.${hint}`)
  }
}
