import type { CommandDescription, Options } from './command.js'

/** The options that every command has. */
const sharedOptions = {
  json: { kind: 'flag', description: 'prints the result as JSON' },
  help: { kind: 'flag', description: 'prints this help' },
} as const satisfies Options

/** Returns the options of a command, with those that every command has. */
export function allOptions({ options }: CommandDescription): Options {
  return { ...options, ...sharedOptions }
}

/** The name of the server, for commands about one of several. */
export const serverOption = {
  kind: 'value',
  value: 'name',
  description: 'the name of the server. Default: default',
  completes: 'nothing',
} as const

/** The caller, for commands that need one. */
export const callerOption = {
  kind: 'value',
  value: 'json',
  description: `the caller, as your middleware sets it: --as '{"id":1}'. Default: no caller`,
  completes: 'nothing',
} as const

/** The module that exports the server. */
export const moduleParameter = { name: 'module', noun: 'the path of a module', completes: 'file' } as const

/** A paragraph about the module, for descriptions. */
export const moduleNote =
  "The module exports the server, or a function that creates it, as default or as 'server'. It is JavaScript or TypeScript. On Node 20, TypeScript needs the package oxc-transform."
