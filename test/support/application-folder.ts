import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackage } from './built-package.js'
import { type Program, startProgram } from './program.js'
import { sourceFolder } from './source-folder.js'

/** A folder like that of an application with the installed package. */
export interface ApplicationFolder {
  readonly path: string
  /** Starts the command line of the package in the folder. */
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): Program
}

/** Makes a folder of files, in which the package is installed. The packages of the repository are found too. */
export function applicationFolder(files: Readonly<Record<string, string>>): ApplicationFolder {
  const path = sourceFolder({ 'package.json': '{ "type": "module" }', ...files })
  const { folder } = builtPackage()
  mkdirSync(join(path, 'node_modules'))
  symlinkSync(folder, join(path, 'node_modules/ashlar'), 'junction')
  return {
    path,
    start: (args, environment = {}) =>
      startProgram(join(path, 'node_modules/ashlar/dist/cli.js'), { args, environment, cwd: path }),
  }
}
