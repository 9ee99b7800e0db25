import type { Contract } from '../contract/contract.js'
import type { DescribedServer } from '../openapi/described-server.js'
import type { OpenApiDocument } from '../openapi/openapi-settings.js'
import type { ViewerFile } from '../../serve/route/description-routes.js'
import type { Sliced } from '../../core/util/in-slices.js'
import { sliced } from '../../core/util/in-slices.js'
import { contentPolicy } from './content-policy.js'
import { overviewPage } from './overview-page.js'
import type { ServedFile } from './served-file.js'
import { servedFile } from './served-file.js'
import type { ViewerAsset, ViewerAssets } from './viewer-assets.js'
import { viewerPage } from './viewer-page.js'

/** The parts of a server that its viewer shows. */
export interface ViewedServer {
  readonly server: DescribedServer
  readonly contract: Sliced<Contract>
  /** The path of the page. */
  readonly path: string
  readonly document: () => Promise<OpenApiDocument>
  readonly assets: ViewerAssets
}

/** Returns a function that returns the page of the viewer, or a file that the page loads. Each is created once. */
export function viewerContent({
  server,
  contract,
  path,
  document,
  assets,
}: ViewedServer): (file: ViewerFile | null) => Promise<ServedFile> {
  const urlOf = (file: ViewerAsset): string => `${file}?v=${assets(file).version}`
  let page: ServedFile | null = null
  const overview = sliced(function* () {
    return htmlFile(yield* overviewPage(yield* contract.steps(), urlOf), contentPolicy(null))
  })
  return async (file) => {
    if (file === 'overview.html') return overview.soon()
    if (file !== null) return assets(file)
    const policy = contentPolicy(await document())
    return (page ??= htmlFile(viewerPage(server, path, urlOf), policy))
  }
}

function htmlFile(text: { toString(): string }, policy: string): ServedFile {
  const headers = ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
  return servedFile('text/html; charset=utf-8', text.toString(), headers)
}
