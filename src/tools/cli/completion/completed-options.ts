import type { CommandDescription, Completion } from '../command.js'
import { allOptions } from '../shared-options.js'

/** An option as completion scripts need it. */
export interface CompletedOption {
  readonly name: string
  readonly description: string
  /** The placeholder of its value; null for a flag. */
  readonly value: string | null
  readonly completes: Completion
}

export function completedOptions(command: CommandDescription): readonly CompletedOption[] {
  return Object.entries(allOptions(command)).map(([name, option]) => ({
    name,
    description: option.description,
    value: option.kind === 'flag' ? null : option.value,
    completes: option.kind === 'flag' ? 'nothing' : option.completes,
  }))
}

/** Returns the completion of positional arguments. Scripts do not count them, so that the first parameter determines it. */
export function completedWords({ parameters: [first] }: CommandDescription): Completion {
  return first?.completes ?? 'nothing'
}

/** Returns a text in single quotes, for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
