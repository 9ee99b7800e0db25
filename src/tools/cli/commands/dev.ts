import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process, { stdin } from 'node:process'
import type { Command } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import { startHost } from '../dev/dev-host.js'
import { devReport } from '../dev/dev-report.js'
import { shownPath } from '../shown-path.js'

/** The default modules: the first one that exists is served. */
const defaultModules = [
  ...['src/server', 'server', 'src/resources', 'resources'].flatMap((path) => [
    `${path}.ts`,
    `${path}.mts`,
    `${path}.js`,
    `${path}.mjs`,
  ]),
  'src/resources',
  'resources',
]

const defaultDatabase = '.ashlar/dev.db'

/** `ashlar dev [module]`: serves a module, and reloads it when its files change. */
export const dev: Command = defineCommand(
  {
    name: 'dev',
    summary: 'serves a module, and reloads it when its files change',
    description: [
      "Serves the server that a module exports as default or as 'server'. If the module also exports a function 'migrate', it is called first. Modules that export only declarations, and directories of such modules, are served too. Their rows are in an embedded SQLite database, which gets a table for each declaration and a column for each new attribute.",
      'JavaScript and TypeScript are loaded without a build step. The package oxc-transform compiles TypeScript. Without it, Node 22.13 and later remove the types. Types are not checked. Files that the module imports are watched, except files of packages. Each version runs in a new process and replaces the last one at the same address: running requests finish, new requests wait. While the new version is broken, requests get 503 with the reason.',
      'If a request causes an unexpected exception and the server has no setting `logger`, the exception is printed with its request and its stack.',
      'With --json, each event is a line of JSON: changed, serving, failed or exception.',
    ],
    parameters: [{ name: 'module', noun: 'the path of a module or a directory', isOptional: true, completes: 'file' }],
    options: {
      port: {
        kind: 'value',
        value: 'number',
        description: 'the port. Default: the environment variable PORT, else the first free port from 3000 on',
        completes: 'nothing',
      },
      host: {
        kind: 'value',
        value: 'address',
        description: 'the address to listen on. Default: 127.0.0.1',
        completes: 'nothing',
      },
      database: {
        kind: 'value',
        value: 'file',
        description: `the file of the embedded database, or :memory:. Default: ${defaultDatabase}`,
        completes: 'file',
      },
    },
    examples: [
      { call: 'ashlar dev', description: 'Serves src/server.ts, else server.ts, src/resources or resources.' },
      {
        call: 'ashlar dev src/resources --port 4000',
        description: 'Serves the declarations of a directory, with an embedded database.',
      },
      { call: 'ashlar dev --json | jq .url', description: 'For a program.' },
    ],
    exitCodes: {
      0: 'Ctrl+C or SIGTERM ended the command.',
      1: 'Does not occur: a module with faults is reloaded when it changes.',
      2: 'The arguments are invalid: unknown option or module. Or the port is in use.',
    },
  },
  async ({ module, port, host, database }, shell) => {
    const path = resolve(module ?? defaultModule())
    if (!existsSync(path)) throw new UsageError(`There is no module '${module}'.`)
    const address = { host: host ?? '127.0.0.1', port: portOf(port ?? process.env['PORT'] ?? null) }
    const file = database === ':memory:' ? database : resolve(database ?? defaultDatabase)
    const canReload = stdin.isTTY && shell.event === undefined
    const report = devReport({ module: shownPath(path), host: address.host, canReload }, shell)
    const ending = endSignal()
    const started = await startHost({ module: path, database: file, ...address }, report).catch((thrown: unknown) => {
      throw portInUse(thrown) ?? thrown
    })
    if (canReload) stdin.on('data', () => started.reload()).unref()
    await ending
    await started.close()
    return { code: 0, result: undefined }
  },
)

function defaultModule(): string {
  const found = defaultModules.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new UsageError(
    "There is no module to serve: name its path, or run the command in a folder with 'src/server.ts', 'server.ts' or 'src/resources'.",
  )
}

function portOf(text: string | null): number | null {
  if (text === null) return null
  const port = Number(text)
  if (/^\d+$/.test(text) && port < 65_536) return port
  throw new UsageError(`'${text}' is not a port: use a number from 0 to 65535.`)
}

function portInUse(thrown: unknown): UsageError | null {
  const { code, port } = thrown as { readonly code?: unknown; readonly port?: unknown }
  if (code !== 'EADDRINUSE') return null
  return new UsageError(
    `The port ${String(port)} is in use: end the program that uses it, or name another with --port.`,
    {
      cause: thrown,
    },
  )
}

/** Resolves when the process receives a signal to end. A second signal ends it immediately. */
function endSignal(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done())
  })
}
