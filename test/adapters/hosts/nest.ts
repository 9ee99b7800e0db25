import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  type NestInterceptor,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { nestAdapter, placeRoutes } from 'ashlar/nest'
import type { Request, Response } from 'express'
import type { Observable } from 'rxjs'
import {
  failLate,
  type Framework,
  type Hosted,
  isRefusal,
  listening,
  ownHeaders,
  type User,
  userNamed,
} from './host.js'

interface Signed extends Request {
  user?: User | null
}

/** The guard of the application, in front of the routes of a server. */
class NameGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Signed>()
    const user = userNamed(request.get('authorization'))
    if (isRefusal(user)) throw Object.assign(new HttpException('not you', user.status), { headers: user.headers })
    request.user = user
    return true
  }
}

/** The interceptor of the application, likewise. */
class HeaderInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>()
    response.set(ownHeaders)
    if (context.switchToHttp().getRequest<Request>().get('X-Late-Failure') !== undefined) failLate(response)
    return next.handle()
  }
}

class StaffInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getResponse<Response>().set('X-Staff', 'yes')
    return next.handle()
  }
}

export const nestHost: Framework = {
  name: 'NestJS',
  isFramework: true,
  trustsProxies: true,
  open: ({ server, parsesBodies, trustsProxy }) =>
    listeningNest(
      nestAdapter(server, {
        path: 'v1',
        guards: [NameGuard],
        interceptors: [HeaderInterceptor],
        caller: ({ user }: Signed) => user,
      }),
      { parsesBodies, trustsProxy },
    ),
  place: ({ server }) =>
    listeningNest({
      module: Application,
      imports: [
        nestAdapter(server, { path: 'v1', guards: [NameGuard] }),
        placeRoutes(server, {
          server: 'staff',
          path: 'tenants/:tenant/staff',
          guards: [NameGuard],
          interceptors: [HeaderInterceptor, StaffInterceptor],
          caller: ({ user }: Signed) => user,
        }),
      ],
    }),
}

class Application {
  readonly name = 'application'
}

/** The routes of the application itself. Decorators are called, because tests are compiled without them. */
class OwnController {
  hello(): string {
    return 'hello'
  }

  broken(): never {
    throw new Error('secret')
  }
}
for (const name of ['hello', 'broken']) {
  const { prototype } = OwnController
  Get(name)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name) ?? {})
}
Controller('v1')(OwnController)
UseGuards(NameGuard)(OwnController)

class OwnErrors implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const status = thrown instanceof HttpException ? thrown.getStatus() : 500
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(status)
      .send(status === 404 ? 'own 404' : 'own error')
  }
}
Catch()(OwnErrors)

async function listeningNest(
  module: DynamicModule,
  { parsesBodies, trustsProxy }: { parsesBodies?: boolean | undefined; trustsProxy?: boolean | undefined } = {},
): Promise<Hosted> {
  const root = { module: Application, imports: [module], controllers: [OwnController] }
  const app = await NestFactory.create<NestExpressApplication>(root, {
    logger: false,
    abortOnError: false,
    // The parser for forms, which NestJS adds, would read the bodies of QUERY requests.
    bodyParser: parsesBodies === true,
  })
  if (parsesBodies === true)
    app.useBodyParser('json', { type: ['application/json', 'application/vnd.api+json'], limit: '1mb' })
  if (trustsProxy === true) app.set('trust proxy', true)
  app.setGlobalPrefix('api', { exclude: ['tenants/:tenant/staff/*path', 'tenants/:tenant/staff'] })
  app.useGlobalFilters(new OwnErrors())
  await app.init()
  return listening(app.getHttpAdapter().getInstance())
}
