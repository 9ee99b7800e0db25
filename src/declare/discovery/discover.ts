import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import type { AnyResource } from '../resource/define/resource-types.js'
import { exportedDeclarations } from '../resource/define/resources-in.js'
import { declarationFiles, isDirectory } from './declaration-files.js'

/**
 * Imports the modules below a directory, and returns the declarations that they export, in the order of their paths. Rejects if
 * there is no such directory, if a module throws, or if there are no declarations.
 *
 * The compiler does not know the types that are found. `ashlar snapshot` writes the same list as a module with types.
 *
 * @param directory a URL, or a path
 * @param base the module that a path is relative to, as `import.meta.url`; without it, paths are relative to the working directory
 *
 * @example
 * ```ts
 * const resources = await discover('./resources', import.meta.url)
 * const server = createServer({ resources, data: memoryData() })
 * ```
 */
export async function discover(directory: string | URL, base?: string | URL): Promise<readonly AnyResource[]> {
  const folder = folderOf(directory, base)
  if (!isDirectory(folder)) throw new Error(`There is no directory '${folder}'.`)
  const modules: unknown[] = []
  // Sequential, in the order in which a snapshot imports them.
  for (const file of await declarationFiles(folder)) modules.push(await moduleIn(join(folder, file)))
  const resources = exportedDeclarations(modules)
  if (resources.length === 0) {
    throw new Error(
      `There are no declarations in '${folder}': no module in it exports the return value of defineResource().`,
    )
  }
  return resources
}

function folderOf(directory: string | URL, base: string | URL | undefined): string {
  if (typeof directory !== 'string') return fileURLToPath(directory)
  return base === undefined ? resolve(directory) : resolve(dirname(fileURLToPath(base)), directory)
}

async function moduleIn(file: string): Promise<unknown> {
  try {
    return (await import(pathToFileURL(file).href)) as unknown
  } catch (thrown) {
    throw new Error(`The module '${file}' cannot be imported: ${thrownMessage(thrown)}`, { cause: thrown })
  }
}
