import { getBuiltinModule } from 'node:process'

/** The package with the files of the viewer. It is an optional peer dependency. */
export const VIEWER_PACKAGE = 'swagger-ui-dist'

/**
 * Returns the folder of the package of the viewer; `null` if it is not installed. The modules that find and read files are loaded only
 * here: a server without a viewer needs none, and may run where there are no files.
 *
 * @param from the module that imports it
 */
export function viewerFolder(from: string = import.meta.url): string | null {
  try {
    const paths = getBuiltinModule('node:path')
    return paths.dirname(getBuiltinModule('node:module').createRequire(from).resolve(`${VIEWER_PACKAGE}/package.json`))
  } catch {
    return null
  }
}
