import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The package with the files of the viewer. It is an optional peer dependency. */
export const VIEWER_PACKAGE = 'swagger-ui-dist'

/**
 * Returns the folder of the package of the viewer; `null` if it is not installed.
 *
 * @param from the module that looks for it
 */
export function viewerFolder(from: string = import.meta.url): string | null {
  try {
    return dirname(createRequire(from).resolve(`${VIEWER_PACKAGE}/package.json`))
  } catch {
    return null
  }
}
