import {
  Controller,
  type DynamicModule,
  type INestApplication,
  Post,
  RequestMethod,
  VersioningType,
} from '@nestjs/common'
import { NestFactory, RouterModule } from '@nestjs/core'
import { nestAdapter, placeRoutes } from 'ashlar/nest'
import { describe, expect, it, test } from 'vitest'
import { listening } from './hosts/host.js'
import { suiteServer } from './hosts/server.js'
import { sendTo } from './send-to.js'

/** A route of the application whose path ends as one of the server does. Decorators are called, because tests are compiled without them. */
class Shop {
  order(): string {
    return 'ordered'
  }
}
Post('shop/albums')(Shop.prototype, 'order', Object.getOwnPropertyDescriptor(Shop.prototype, 'order') ?? {})
Controller()(Shop)

class Application {
  readonly name = 'application'
}

/** Sends a body that the JSON parser of NestJS refuses, before any route is found. Returns whether the responses are documents. */
async function refusalsAt(
  paths: readonly string[],
  imports: DynamicModule['imports'],
  configure: (app: INestApplication) => void = () => undefined,
): Promise<readonly boolean[]> {
  const root = { module: Application, imports: imports ?? [], controllers: [Shop] }
  const app = await NestFactory.create(root, { logger: false, abortOnError: false })
  configure(app)
  await app.init()
  const hosted = await listening(app.getHttpAdapter().getInstance())
  try {
    const areDocuments: boolean[] = []
    for (const path of paths) {
      const headers = { 'Content-Type': 'application/json' }
      const { status, document } = await sendTo(hosted.url + path, { method: 'POST', headers, body: '{' })
      expect([path, status]).toEqual([path, 400])
      areDocuments.push(document?.errors[0].code === 'REQUEST_BODY_INVALID_JSON')
    }
    return areDocuments
  } finally {
    await hosted.close()
  }
}

describe('In NestJS, an error of a body parser is a document on routes of the server only', () => {
  const { server } = suiteServer({}, { staff: { routing: 'manual' } })

  it('without a path', async () => {
    const paths = ['/albums', '/albums/1/artist', '/shop/albums', '/nothing']
    expect(await refusalsAt(paths, [nestAdapter(server)])).toEqual([true, true, false, false])
  })

  it('with a path, a global prefix and a version', async () => {
    const paths = ['/t/acme/v2/api/albums', '/t/acme/v2/shop/albums', '/api/albums', '/t/acme/v2/x/api/albums']
    const areDocuments = await refusalsAt(paths, [nestAdapter(server, { path: 'api/' })], (app) => {
      app.setGlobalPrefix('t/:tenant')
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' })
    })
    expect(areDocuments).toEqual([true, false, false, false])
  })

  it('with a path that is not under the global prefix, and one of a module', async () => {
    const placement = placeRoutes(server, { server: 'staff', path: 'staff' })
    const imports = [placement, RouterModule.register([{ path: 'modules', module: placement.module }])]
    const exclude = [{ path: 'modules/*path', method: RequestMethod.ALL }]
    const paths = ['/modules/staff/albums', '/prefix/modules/staff/albums', '/staff/albums']
    const areDocuments = await refusalsAt(paths, imports, (app) => app.setGlobalPrefix('prefix', { exclude }))
    expect(areDocuments).toEqual([true, false, false])
  })
})

test('A NestJS application without HTTP can import the module', async () => {
  const application = await NestFactory.createApplicationContext(nestAdapter(suiteServer().server), { logger: false })
  await application.close()
})

test('NestJS on another platform than Express is refused when the application starts', () => {
  const { module: Adapter } = nestAdapter(suiteServer().server)
  const adapter = new Adapter({ httpAdapter: { getType: () => 'fastify' } }) as { onModuleInit(): void }
  expect(() => adapter.onModuleInit()).toThrow(
    'ashlar/nest needs an application on Express: use @nestjs/platform-express, or ashlar/fastify.',
  )
})
