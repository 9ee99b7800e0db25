import { parseArgs } from 'node:util'

/** What a command line asks for. */
export type Command =
  | { readonly kind: 'generate'; readonly tracks: number; readonly seed: number }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string }

const mostTracks = 10_000_000
const mostSeed = 2 ** 32 - 1

const help = `Adds artists, albums, tracks and listeners to the music catalogue.

  npm run generate -- --tracks 100000 [--seed 1]

  --tracks <number>  how many tracks, up to ${shown(mostTracks)}; about one album for ten of them, and so on
  --seed <number>    another number gives other rows, the same one the same rows (default: 1)
  --help             shows this

The database is the one that DATA_DIR or DATABASE_URL names, as for npm start.`

/** @param given the words after the name of the program */
export function readCommand(given: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...given],
      options: { tracks: { type: 'string' }, seed: { type: 'string', default: '1' }, help: { type: 'boolean' } },
    })
    if (values.help === true) return { kind: 'help', text: help }
    if (values.tracks === undefined) return refused('How many tracks? Say it with --tracks 100000.')
    const [tracks, seed] = [wholeNumber(values.tracks), wholeNumber(values.seed)]
    if (!(tracks >= 1 && tracks <= mostTracks)) {
      return refused(`--tracks takes a whole number from 1 to ${shown(mostTracks)}, not '${values.tracks}'.`)
    }
    if (!(seed <= mostSeed))
      return refused(`--seed takes a whole number up to ${shown(mostSeed)}, not '${values.seed}'.`)
    return { kind: 'generate', tracks, seed }
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error
    return refused(misreading(String(error.code), error.message))
  }
}

function refused(reason: string): Command {
  return { kind: 'refused', reason }
}

/** What `parseArgs()` cannot read, in our words: its own go on for several sentences. */
function misreading(code: string, message: string): string {
  const [, name = ''] = /'([^' ]+)/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `There is no option '${name}': --help shows those that there are.`
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `'${name}' belongs to no option: --help shows how to ask.`
  return name === '--help' ? '--help takes no value.' : `${name} takes a whole number: --help shows how to ask.`
}

function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function shown(count: number): string {
  return count.toLocaleString('en-US')
}
