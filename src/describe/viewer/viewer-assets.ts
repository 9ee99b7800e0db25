// oxlint-disable-next-line typescript/triple-slash-reference -- A declaration file for texts cannot be imported.
/// <reference path="./raw-text.d.ts" />
import { getBuiltinModule } from 'node:process'
import type { ViewerFile } from '../../serve/route/description-routes.js'
import { invariant } from '../../core/util/invariant.js'
import styles from './browser/viewer.css?raw'
import script from './browser/viewer.js?raw'
import type { ServedFile } from './served-file.js'
import { servedFile } from './served-file.js'
import { VIEWER_PACKAGE, viewerFolder } from './viewer-package.js'

/** The files of the viewer that are the same for all servers. */
export type ViewerAsset = Exclude<ViewerFile, 'overview.html'>

/** Returns a file of the viewer. */
export type ViewerAssets = (file: ViewerAsset) => ServedFile

const mediaTypes = Object.freeze({
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
})

/** Returns a function that reads each file once: those of the framework, and those of the package. */
export function viewerAssets(): ViewerAssets {
  const files = new Map<ViewerAsset, ServedFile>()
  return (file) => {
    const known = files.get(file)
    if (known !== undefined) return known
    const ending = file.slice(file.lastIndexOf('.') + 1) as keyof typeof mediaTypes
    const read = servedFile(mediaTypes[ending], bodyOf(file), ending === 'html' ? redirectHeaders : undefined)
    files.set(file, read)
    return read
  }
}

function bodyOf(file: ViewerAsset): string | Uint8Array {
  if (file === 'viewer.js') return script
  if (file === 'viewer.css') return styles
  const folder = viewerFolder()
  invariant(folder !== null, `the package '${VIEWER_PACKAGE}' was there when the server was built`)
  const { readFileSync } = getBuiltinModule('node:fs')
  return readFileSync(`${folder}/${file}`)
}

/** Headers of the page to which an OAuth server redirects the visitor. It passes the result to the window that opened it. */
const redirectHeaders: readonly string[] = Object.freeze([
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
])
