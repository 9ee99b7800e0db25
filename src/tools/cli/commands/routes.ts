import type { RouteDescription } from '../../../serve/route/route-description.js'
import type { Command } from '../command.js'
import { defineCommand } from '../command.js'
import { counted } from '../counted.js'
import { loadServer } from '../load-server.js'
import { moduleNote, moduleParameter } from '../shared-options.js'

/** `ashlar routes <module>`: lists the routes of a server. */
export const routes: Command = defineCommand(
  {
    name: 'routes',
    summary: 'lists the routes of a server',
    description: ['Prints the method, the path and the name of each route, in the order of the types.', moduleNote],
    parameters: [moduleParameter],
    options: {
      server: {
        kind: 'value',
        value: 'name',
        description: 'the name of a server. Default: all of them',
        completes: 'nothing',
      },
    },
    examples: [
      { call: 'ashlar routes dist/server.js', description: 'Which paths are there?' },
      {
        call: 'ashlar routes dist/server.js --server admin --json',
        description: 'The routes of the server admin, as JSON.',
      },
    ],
    exitCodes: {
      0: 'The routes are printed.',
      1: 'The server cannot be built, or has no routes.',
      2: 'The arguments are invalid: unknown command, option or module.',
    },
  },
  async ({ module, server }, output) => {
    const loaded = await loadServer(module, output)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      return { code: 1, result: { error: loaded.reason } }
    }
    const found = loaded.server.routes().filter((route) => server === null || route.server === server)
    if (found.length === 0) {
      const error = server === null ? 'The server has no routes.' : `There is no server '${server}' with routes.`
      output.err(error)
      return { code: 1, result: { error } }
    }
    output.out(tableOf(found))
    output.out(`\n${counted(found.length, 'route')}.`)
    return {
      code: 0,
      result: found.map(({ method, path, name, server: own }) => ({ method, path, name, server: own })),
    }
  },
)

function tableOf(found: readonly RouteDescription[]): string {
  const methods = Math.max(...found.map(({ method }) => method.length))
  const paths = Math.max(...found.map(({ path }) => path.length))
  return found.map(({ method, path, name }) => `${method.padEnd(methods)}  ${path.padEnd(paths)}  ${name}`).join('\n')
}
