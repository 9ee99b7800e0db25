/** The output of a command, line by line. */
export interface Output {
  /** Prints a result. */
  out(text: string): void
  /** Prints the reason why there is no result. */
  err(text: string): void
}

/** 0: no faults, or permitted. 1: faults, or denied. 2: the arguments are not valid, or there is no answer. */
export type ExitCode = 0 | 1 | 2

/** A command of the command line. Each command has its own file; `run-cli.ts` lists them all. */
export interface Command {
  readonly name: string
  /** A description in one line, for the list of commands. */
  readonly summary: string
  /** The usage of the command, with its options. */
  readonly help: string
  run(args: readonly string[], output: Output): Promise<ExitCode>
}

/** Invalid arguments. The message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
