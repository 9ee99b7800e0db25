import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildContext, BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import type { OptionShape } from '../declared/option-shapes.js'
import { flag, listOf, nonEmptyText, oneOfValues, settingFaults } from '../declared/option-shapes.js'
import { servesDescriptions, servesViewer } from '../declared/openapi-options.js'
import { settingsOfServer } from '../declared/settings-of-server.js'
import { descriptionRoutes } from '../../../serve/route/description-routes.js'
import type { OpenApiSettings } from '../../../describe/openapi/openapi-settings.js'
import { VIEWER_PACKAGE, viewerFolder } from '../../../describe/viewer/viewer-package.js'

const text = nonEmptyText('give a text')

/** The type of this record makes the compiler report missing entries. */
const shapes: Readonly<Record<keyof OpenApiSettings, OptionShape>> = Object.freeze({
  openapiVersion: oneOfValues(['3.1', '3.2'], "choose '3.1' or '3.2'"),
  enabled: flag,
  title: text,
  version: text,
  description: text,
  info: { holds: isPlainObject, remedy: "give an object: { license: { name: 'MIT' } }" },
  servers: listOf(
    (server) => isPlainObject(server) && typeof server['url'] === 'string',
    "give a list of addresses: [{ url: 'https://api.example.com' }]",
  ),
  tags: listOf(
    (tag) => isPlainObject(tag) && typeof tag['name'] === 'string',
    "give a list of tags: [{ name: 'Albums' }]",
  ),
  securitySchemes: {
    holds: (value) => isPlainObject(value) && Object.entries(value).every(isScheme),
    remedy: "give security schemes by name: { bearer: { type: 'http', scheme: 'bearer' } }",
  },
  pageParameters: oneOfValues(['deepObject', 'flat'], "choose 'deepObject' or 'flat'"),
  fieldsets: flag,
  describedby: flag,
  viewer: flag,
  decorate: {
    holds: (value) => typeof value === 'function',
    remedy: 'give a function that takes the document and returns one',
  },
})

/** Checks the setting `openapi`, that no type has the path of a description, and that the package of the viewer is installed. */
export const openapi: BuildRule = (context) => [
  ...faultsOfOptions(context.settings.openapi),
  ...pathFaults(context),
  ...viewerFaults(context),
]

/** Checks the options of the setting. */
export const openapiOptionValues: BuildRule = ({ settings }) => faultsOfOptions(settings.openapi)

function faultsOfOptions(value: unknown): readonly BuildFault[] {
  return settingFaults('openapi', value, {
    remedy: "give true, or an object: { title: 'Music' }",
    otherwise: (given) => typeof given === 'boolean',
    shapes,
    unknown: { problem: 'is not an option', remedy: `use ${Object.keys(shapes).join(', ')}` },
  })
}

function pathFaults({ settings, routeServers, typesByServer }: BuildContext): readonly BuildFault[] {
  const routes = routeServers.flatMap((server) => {
    const setting = settingsOfServer(settings, server.name).openapi
    return servesDescriptions(setting) ? descriptionRoutes(server, servesViewer(setting)) : []
  })
  // The files of the viewer are below its page.
  const ownPaths = routes.filter(({ file }) => file === null)
  return ownPaths.flatMap(({ server, path }) => {
    const beside = routeServers.filter((other) => (server.isPlaced ? other.name === server.name : !other.isPlaced))
    const [conflict] = beside.flatMap(({ name, prefix }) =>
      [...(typesByServer.get(name)?.values() ?? [])].filter(({ type }) =>
        `${path}/`.startsWith(`${prefix}/${type.uriType}/`),
      ),
    )
    if (conflict === undefined) return []
    const problem = `serves '${path}', which is used by the type '${conflict.type.type}'`
    return [settingFault('openapi', problem, 'give the type another uriType, or the server another name')]
  })
}

function viewerFaults({ settings, routeServers }: BuildContext): readonly BuildFault[] {
  const isOn = routeServers.some(({ name }) => servesViewer(settingsOfServer(settings, name).openapi))
  if (!isOn || viewerFolder() !== null) return []
  const problem = `needs the package '${VIEWER_PACKAGE}', which is not installed`
  return [settingFault('openapi.viewer', problem, `run npm install ${VIEWER_PACKAGE}, or leave the viewer out`)]
}

function isScheme([name, scheme]: readonly [string, unknown]): boolean {
  return /^[\w.-]+$/.test(name) && isPlainObject(scheme) && typeof scheme['type'] === 'string'
}
