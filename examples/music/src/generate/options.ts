import { parseArgs } from 'node:util'

/** A parsed command line. */
export type Command =
  | { readonly kind: 'generate'; readonly tracks: number; readonly seed: number }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string }

const maxTracks = 10_000_000
const maxSeed = 2 ** 32 - 1

const help = `Adds artists, albums, tracks and listeners to the music catalogue.

  npm run generate -- --tracks 100000 [--seed 1]

  --tracks <number>  how many tracks, up to ${shown(maxTracks)}; about one album for ten tracks, and so on
  --seed <number>    each number gives other rows, the same in every run (default: 1)
  --help             shows this

The database is the one that DATA_DIR or DATABASE_URL names, as for npm start.`

/** Parses the arguments after the name of the program. */
export function readCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { tracks: { type: 'string' }, seed: { type: 'string', default: '1' }, help: { type: 'boolean' } },
    })
    if (values.help === true) return { kind: 'help', text: help }
    if (values.tracks === undefined) return refused('The option --tracks is missing: write --tracks 100000.')
    const [tracks, seed] = [wholeNumber(values.tracks), wholeNumber(values.seed)]
    if (!(tracks >= 1 && tracks <= maxTracks)) {
      return refused(`--tracks takes a whole number from 1 to ${shown(maxTracks)}, not '${values.tracks}'.`)
    }
    if (!(seed <= maxSeed)) return refused(`--seed takes a whole number up to ${shown(maxSeed)}, not '${values.seed}'.`)
    return { kind: 'generate', tracks, seed }
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error
    return refused(parseErrorText(String(error.code), error.message))
  }
}

function refused(reason: string): Command {
  return { kind: 'refused', reason }
}

/** Returns a short message for an error of `parseArgs()`, whose own messages have several sentences. */
function parseErrorText(code: string, message: string): string {
  const [, name = ''] = /'([^' ]+)/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option '${name}': --help shows all options.`
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `'${name}' belongs to no option: --help shows all options.`
  return name === '--help' ? '--help takes no value.' : `${name} takes a whole number: --help shows an example.`
}

function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function shown(count: number): string {
  return count.toLocaleString('en-US')
}
