import type { DescribedServer } from '../openapi/described-server.js'
import type { OpenApiDocument } from '../openapi/openapi-settings.js'
import type { ViewerFile } from '../route/description-routes.js'
import { lazily } from '../util/lazily.js'
import { contentPolicy } from './content-policy.js'
import { overviewPage } from './overview-page.js'
import type { ServedFile } from './served-file.js'
import { servedFile } from './served-file.js'
import type { ViewerAsset, ViewerAssets } from './viewer-assets.js'
import { viewerPage } from './viewer-page.js'

/** The parts of a server that its viewer shows. */
export interface ViewedServer {
  readonly server: DescribedServer
  /** The path of the page. */
  readonly path: string
  readonly document: () => OpenApiDocument
  readonly assets: ViewerAssets
}

/** Returns a function that returns the page of the viewer, or a file that the page loads. Each is created once. */
export function viewerContent({
  server,
  path,
  document,
  assets,
}: ViewedServer): (file: ViewerFile | null) => ServedFile {
  const urlOf = (file: ViewerAsset): string => `${file}?v=${assets(file).version}`
  const page = lazily(() => htmlFile(viewerPage(server, path, urlOf), contentPolicy(document())))
  const overview = lazily(() => htmlFile(overviewPage(server, urlOf), contentPolicy(null)))
  return (file) => {
    if (file === null) return page()
    return file === 'overview.html' ? overview() : assets(file)
  }
}

function htmlFile(text: { toString(): string }, policy: string): ServedFile {
  const headers = ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
  return servedFile('text/html; charset=utf-8', text.toString(), headers)
}
