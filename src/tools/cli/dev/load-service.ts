import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { isDirectory } from '../../../declare/discovery/declaration-files.js'
import { discover } from '../../../declare/discovery/discover.js'
import { isRawDeclaration } from '../../../declare/resource/define/raw-declaration.js'
import type { AnyResource } from '../../../declare/resource/define/resource-types.js'
import { exportedDeclarations } from '../../../declare/resource/define/resources-in.js'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { type AnyServer, serverIn } from '../load-server.js'
import { embeddedService } from './embedded-service.js'
import { ServeError } from './load-failure.js'

/** The module to serve, and its database. */
export interface ServiceSource {
  /** The path of a module, or of a directory with declarations. */
  readonly module: string
  /** The file of the embedded database, for declarations without data. */
  readonly database: string
}

export interface LoadedService {
  readonly server: AnyServer
  /** The file of the embedded database; null if the module has its own data. */
  readonly database: string | null
}

/** Loads the server of a module, or creates one for the declarations that it exports, and waits until it is ready. */
export async function loadService({ module: path, database }: ServiceSource): Promise<LoadedService> {
  if (isDirectory(path)) return embedded(await discover(path), database)
  if (!existsSync(path)) throw new ServeError('The module no longer exists.')
  const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
  const server = await serverIn(module)
  if (server === null) return embedded(declarationsIn(module), database)
  const { migrate } = module
  if (typeof migrate === 'function') await (migrate as () => unknown)()
  await expectReady(server)
  return { server, database: null }
}

async function embedded(resources: readonly AnyResource[], database: string): Promise<LoadedService> {
  return { server: await embeddedService(resources, database), database }
}

/** Returns the declarations that a module exports, one by one or as lists. */
function declarationsIn(module: Readonly<Record<string, unknown>>): readonly AnyResource[] {
  const lists = Object.values(module).filter((exported): exported is readonly unknown[] => Array.isArray(exported))
  const listed = lists.flat().filter(isRawDeclaration) as unknown as readonly AnyResource[]
  const found = [...new Set([...exportedDeclarations([module]), ...listed])]
  if (found.length > 0) return found
  throw new ServeError(
    "The module exports neither a server nor declarations. Export the server as 'server', or the results of defineResource().",
  )
}

async function expectReady(server: AnyServer): Promise<void> {
  try {
    await server.ready()
  } catch (thrown) {
    throw new ServeError(thrownMessage(thrown), { cause: thrown })
  }
}
