/** The output of a command, line by line. */
export interface Output {
  /** Prints a result. */
  out(text: string): void
  /** Prints the reason why there is no result. */
  err(text: string): void
  /** Whether results may have colours: only on a terminal. Default: false. */
  readonly hasColors?: boolean
}

/** The parts of the process that a command uses. */
export interface Shell extends Output {
  /** Prompts the user for a line. Undefined without a terminal, and with `--json`. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /**
   * Shows progress until the returned function is called. A function as the argument returns the current text. Undefined if the
   * standard error is not a terminal.
   */
  readonly progress?: ((text: string | (() => string)) => () => void) | undefined
  /** Prints an event of a long-running command, as a line of JSON. Undefined without `--json`. */
  readonly event?: (event: object) => void
  /** Imports a module of the application by its URL. Default: `import()`. */
  readonly importModule?: (url: string) => Promise<unknown>
}

/** 0: no faults, or permitted. 1: faults, or denied. 2: the arguments are not valid, or there is no result. */
export type ExitCode = 0 | 1 | 2

/** The end of a command. */
export interface Outcome {
  readonly code: ExitCode
  /** The result as data, which `--json` prints instead of the text. `undefined` for a command that has printed events. */
  readonly result: unknown
}

/** The values that a shell completes; a list has the values themselves. */
export type Completion = 'file' | 'directory' | 'nothing' | readonly string[]

/** A positional argument of a command, such as the path of a module. */
export interface Parameter {
  readonly name: string
  /** For messages: `the path of a module`. */
  readonly noun: string
  /** The forms that it may have, for the usage. Default: its name, `<module>`, or `[module]` if it is optional. */
  readonly forms?: readonly string[]
  /** Whether it may be left out. Only the last ones may. Default: false. */
  readonly isOptional?: boolean
  readonly completes: Completion
}

interface FlagOption {
  readonly kind: 'flag'
  readonly description: string
}

interface ValueOption {
  /** `list` may be repeated. */
  readonly kind: 'value' | 'list'
  /** The placeholder of the value: `file` is shown as `<file>`. */
  readonly value: string
  readonly description: string
  readonly completes: Completion
}

/** An option of a command, by its name without the dashes. */
export type Option = FlagOption | ValueOption

export type Options = Readonly<Record<string, Option>>

/** A call that the help of a command shows, with a sentence about it. */
export interface Example {
  readonly call: string
  readonly description: string
}

/** The description of a command. Help, completion scripts and the reference page are generated from it. */
export interface CommandDescription {
  readonly name: string
  /** The words that call it. Default: `ashlar` and its name. */
  readonly call?: string | undefined
  /** A description in one line, for the list of commands. */
  readonly summary: string
  /** Paragraphs for the help, without line breaks. */
  readonly description: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly options: Options
  readonly examples: readonly Example[]
  /** The meaning of each exit code. */
  readonly exitCodes: Readonly<Record<ExitCode, string>>
}

/** A command of the command line. Each command has its own file; `commands.ts` lists them all. */
export interface Command extends CommandDescription {
  run(args: Readonly<Record<string, unknown>>, shell: Shell): Promise<Outcome>
}

type OptionValue<Each extends Option> = Each['kind'] extends 'flag'
  ? boolean
  : Each['kind'] extends 'list'
    ? readonly string[]
    : string | null

type ParameterValue<Each extends Parameter> = Each['isOptional'] extends true ? string | null : string

type Arguments<Given extends CommandDescription> = {
  readonly [Each in Given['parameters'][number] as Each['name']]: ParameterValue<Each>
} & { readonly [Name in keyof Given['options']]: OptionValue<Given['options'][Name]> }

/** Declares a command. `run` gets the values of the parameters and options by name. */
export function defineCommand<const Given extends CommandDescription>(
  description: Given,
  run: (args: Arguments<Given>, shell: Shell) => Promise<Outcome>,
): Command {
  return Object.freeze({
    ...description,
    run: (args: Readonly<Record<string, unknown>>, shell: Shell) => run(args as Arguments<Given>, shell),
  })
}

/** Invalid arguments. The message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
