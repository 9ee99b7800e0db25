/** Where a command writes, line by line. */
export interface Output {
  /** What was asked for. */
  out(text: string): void
  /** What keeps it from being answered. */
  err(text: string): void
}

/** 0: sound. 1: something was found. 2: the command was not understood. */
export type ExitCode = 0 | 1 | 2

/** What the command line can be asked: one a file, all of them in `commands.ts`. */
export interface Command {
  readonly name: string
  /** In one line, for the list of commands. */
  readonly summary: string
  /** How it is called, with its options. */
  readonly help: string
  run(args: readonly string[], output: Output): Promise<ExitCode>
}

/** A call that makes no sense, in a sentence: told with the exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
