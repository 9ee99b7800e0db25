import { runCli } from '../../src/tools/cli/run-cli.js'

/** The output of a command, and its exit code. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command of the command line in this process. */
export async function ashlar(...args: readonly string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCli(args, { out: (text) => out.push(text), err: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
