import { join } from 'node:path'
import { commandLine, installPackages } from './built-package.js'
import { type Program, startProgram } from './program.js'
import { sourceFolder } from './source-folder.js'

/** A folder like that of an application with the installed packages. */
export interface ApplicationFolder {
  readonly path: string
  /** Starts the command line in the folder. */
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): Program
}

/** Makes a folder of files, in which Ashlar is installed. The packages of the repository are found too. */
export function applicationFolder(files: Readonly<Record<string, string>>): ApplicationFolder {
  const path = sourceFolder({ 'package.json': '{ "type": "module" }', ...files })
  installPackages(path)
  return {
    path,
    start: (args, environment = {}) => startProgram(join(path, commandLine), { args, environment, cwd: path }),
  }
}
