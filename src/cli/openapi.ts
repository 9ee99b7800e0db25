import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { thrownMessage } from '../errors/describe-thrown.js'
import type { Command, ExitCode, Output } from './command.js'
import { UsageError } from './command.js'
import { documentDifferences } from './document-differences.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'
import { shownPath } from './shown-path.js'

/** `ashlar openapi <module>`: prints or writes the OpenAPI document of a server, or the JSON Schemas of its types. */
export const openapi: Command = Object.freeze({
  name: 'openapi',
  summary: 'prints or writes the OpenAPI document of a server',
  help: `Usage: ashlar openapi <module> [--server <name>] [--schemas] [--output <file>] [--check]

Prints the OpenAPI document of the server that a module exports, whether the server serves it or not. The module exports the
server, or a function that creates it, as default or as 'server'. No store is asked.

  --server <name>  the name of the server. Default: default
  --schemas        the JSON Schemas of the types instead
  --output <file>  writes it to a file
  --check          writes nothing, and prints how the file differs from the document
  --help           prints this help

Exit code: 0 if it is done, 1 if --check finds a difference or the server cannot be built, 2 if the arguments are not valid.`,
  async run(args, output) {
    const { path, ...options } = readArgs(args)
    const loaded = await loadServer(path)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      return 1
    }
    const text = `${JSON.stringify(descriptionOf(loaded.server, options), null, 2)}\n`
    if (options.file === null) {
      output.out(text.trimEnd())
      return 0
    }
    const existing = existsSync(options.file) ? await readFile(options.file, 'utf8') : null
    const place = { file: options.file, existing }
    return options.isCheck ? compare(text, place, output) : write(text, place, output)
  },
} satisfies Command)

interface Options {
  readonly server: string
  readonly hasSchemas: boolean
  /** An absolute path. */
  readonly file: string | null
  readonly isCheck: boolean
}

function descriptionOf(server: AnyServer, { server: name, hasSchemas }: Options): object {
  try {
    return hasSchemas ? server.jsonSchemas(name) : server.openapi(name)
  } catch (thrown) {
    // Any other error comes from code of the application, such as `decorate`.
    if (thrownMessage(thrown) !== `There is no server '${name}'.`) throw thrown
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}

interface Place {
  readonly file: string
  /** The text of the file, or null if there is none. */
  readonly existing: string | null
}

async function write(text: string, { file, existing }: Place, output: Output): Promise<ExitCode> {
  if (text === existing) {
    output.out(`'${shownPath(file)}' is up to date.`)
    return 0
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  output.out(`'${shownPath(file)}' is written.`)
  return 0
}

/** Compares the values, not the text: a formatter may have changed it. */
function compare(text: string, { file, existing }: Place, output: Output): ExitCode {
  if (existing === null) {
    output.err(`There is no '${shownPath(file)}': write it without --check.`)
    return 1
  }
  const differences = documentDifferences(stored(existing, file), JSON.parse(text))
  if (differences.length === 0) {
    output.out(`'${shownPath(file)}' is up to date.`)
    return 0
  }
  output.err(`'${shownPath(file)}' is not what the server describes now:`)
  for (const difference of differences) output.err(`  - ${difference}`)
  output.err('Remedy: run the command without --check.')
  return 1
}

function stored(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new UsageError(`'${shownPath(file)}' is no JSON: ${thrownMessage(thrown)}`, { cause: thrown })
  }
}

function readArgs(args: readonly string[]): Options & { readonly path: string } {
  const { values, positionals } = parsed(args)
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) throw new UsageError('openapi needs the path of one module.')
  if (values.check === true && values.output === undefined) throw new UsageError('--check needs --output <file>.')
  return {
    path,
    server: values.server ?? 'default',
    hasSchemas: values.schemas === true,
    file: values.output === undefined ? null : resolve(values.output),
    isCheck: values.check === true,
  }
}

function parsed(args: readonly string[]) {
  const options = {
    server: { type: 'string' },
    schemas: { type: 'boolean' },
    output: { type: 'string' },
    check: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (thrown) {
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}
