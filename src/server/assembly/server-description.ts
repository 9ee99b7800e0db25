import type { Contract } from '../../describe/contract/contract.js'
import type { OpenApiDocument, OpenApiVersion } from '../../describe/openapi/openapi-settings.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { ViewerFile } from '../../serve/route/description-routes.js'
import type { DescriptionTarget } from '../../serve/route/target.js'
import type { ServedFile } from '../../describe/viewer/served-file.js'

/** The descriptions of a server. Each is created when it is needed for the first time. */
export interface ServerDescription {
  /** @param version the version of OpenAPI. Default: that of the setting */
  openapi(version?: OpenApiVersion): OpenApiDocument
  /** The JSON Schemas by type. */
  schemas(): Readonly<Record<string, JsonSchema>>
  contract(): Contract
  /**
   * Returns a description as it is served; if a file is given, that file of the viewer. The first time, it is created in slices, so that
   * other requests do not wait for it.
   */
  content(description: DescriptionTarget['description'], file: ViewerFile | null): Promise<ServedFile>
}
