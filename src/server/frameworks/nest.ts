import {
  All,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  Inject,
  Module,
  type NestInterceptor,
  Next,
  type OnModuleInit,
  Req,
  Res,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { NextFunction, Request, Response } from 'express'
import { dividedTarget, segmentsOf } from '../../serve/adapters/divided-target.js'
import type { HttpRequest } from '../../core/http/request.js'
import { automaticPatterns } from './automatic-patterns.js'
import { errorHandler, type ExpressExchange, expressExchange } from './express-exchange.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { placedPatterns } from './placed-patterns.js'

/** Options of {@link nestAdapter}. */
export interface NestOptions extends FrameworkOptions<Request> {
  /** The path of the controller, after the global prefix of the application: `api/v1`. Default: none. */
  readonly path?: string
  /** Guards in front of the routes. Global guards are in front of them, too. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[]
  /** Interceptors in front of the routes. They cannot change the response: it is sent when the handler returns. */
  readonly interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[]
  /** The modules of the providers that guards and interceptors need. */
  readonly imports?: NonNullable<DynamicModule['imports']>
}

/** Options of `placeRoutes()` for NestJS. */
export interface NestPlacementOptions extends NestOptions, PlacementOptions<Request> {}

/**
 * Serves an Ashlar server in a NestJS application on Express: a module with a controller. Guards and interceptors run in front of
 * it. Their errors become error documents. Requests to other paths get the response of the application.
 *
 * @example
 * ```ts
 * import { NestFactory } from '@nestjs/core'
 * import type { Server } from 'ashlar'
 * import { nestAdapter } from 'ashlar/nest'
 *
 * export const application = (server: Server) =>
 *   NestFactory.create(nestAdapter(server, { path: 'api/v1' }))
 * ```
 */
export function nestAdapter(server: FrameworkServer, options: NestOptions = {}): DynamicModule {
  return moduleOf(automaticPatterns(server, '/*path'), expressExchange(server, options), options)
}

/**
 * Creates a module with the routes of a server, one by one, with the path and the guards of the application.
 *
 * @example
 * ```ts
 * import type { CanActivate } from '@nestjs/common'
 * import type { Server } from 'ashlar'
 * import { placeRoutes } from 'ashlar/nest'
 *
 * export const staffOf = (server: Server, guard: CanActivate) =>
 *   placeRoutes(server, { server: 'admin', path: 'staff', guards: [guard] })
 * ```
 */
export function placeRoutes(
  server: FrameworkServer,
  { server: name = 'default', ...options }: NestPlacementOptions = {},
): DynamicModule {
  const exchange = expressExchange(server, { ...options, server: name })
  return moduleOf(placedPatterns(server, name), exchange, options)
}

/** Decorators are called as functions, because the package is compiled without them. */
function moduleOf(
  patterns: readonly string[],
  exchange: ExpressExchange,
  { path = '', guards = [], interceptors = [], imports = [] }: NestOptions,
): DynamicModule {
  const mounts = mountPaths(patterns, path)
  const servedAt: ServedAt = (request, response) => {
    const { path: routePath }: { readonly path: string } = request.route
    return exchange.served(request, response, dividedTarget(request.originalUrl, segmentsOf(mounts.of(routePath))))
  }
  class JsonApiController {
    async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
      const served = servedAt(request, response)
      if (served === null) next()
      else await exchange.respond(request, response, served)
    }
  }
  const { prototype } = JsonApiController
  All([...patterns])(prototype, 'handle', Object.getOwnPropertyDescriptor(prototype, 'handle') ?? {})
  for (const [index, parameter] of [Req(), Res(), Next()].entries()) parameter(prototype, 'handle', index)
  Controller(path)(JsonApiController)
  UseGuards(...guards)(JsonApiController)
  UseInterceptors(...interceptors)(JsonApiController)
  Catch()(ErrorDocuments)
  UseFilters(new ErrorDocuments(exchange, servedAt))(JsonApiController)

  class JsonApiModule implements OnModuleInit {
    readonly #host: HttpAdapterHost
    constructor(host: HttpAdapterHost) {
      this.#host = host
    }

    /** NestJS calls it after it has registered the routes, and before its handlers for unknown routes and errors. */
    onModuleInit(): void {
      const { httpAdapter }: Partial<HttpAdapterHost> = this.#host
      // An application without HTTP has no adapter.
      if (!httpAdapter) return
      if (httpAdapter.getType() !== 'express') {
        throw new TypeError(
          `ashlar/nest needs an application on Express: use @nestjs/platform-express, or ashlar/${httpAdapter.getType()}.`,
        )
      }
      // Errors of body parsers, and those of Express itself, reach no filter of a controller.
      for (const mount of mounts.registered(httpAdapter.getInstance())) httpAdapter.use(mount, errorHandler(exchange))
    }
  }
  Module({})(JsonApiModule)
  Inject(HttpAdapterHost)(JsonApiModule, undefined, 0)
  return { module: JsonApiModule, controllers: [JsonApiController], imports: [...imports] }
}

class ErrorDocuments implements ExceptionFilter {
  readonly #exchange: ExpressExchange
  readonly #servedAt: ServedAt

  constructor(exchange: ExpressExchange, servedAt: ServedAt) {
    this.#exchange = exchange
    this.#servedAt = servedAt
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const [request, response] = [host.switchToHttp().getRequest<Request>(), host.switchToHttp().getResponse<Response>()]
    const served = this.#servedAt(request, response)
    if (served === null || response.headersSent) throw thrown
    this.#exchange.fail(request, response, { served, thrown })
  }
}

/** Creates the request of the server behind a route of the controller; `null` if the server does not serve it. */
type ServedAt = (request: Request, response: Response) => HttpRequest | null

/** An application of Express with its routes. */
interface RoutedApplication {
  readonly router: { readonly stack: readonly { readonly route?: { readonly path: string } }[] }
}

interface MountPaths {
  /** Returns the path before the pattern of a route: `/api/v1` for `/api/v1/albums/*path`. */
  of(routePath: string): string
  /** Returns the mount paths where all patterns of the server are registered. A single route of the application may have the same pattern. */
  registered(application: RoutedApplication): readonly string[]
}

/** NestJS puts the global prefix, versions, and the paths of modules and of the controller before the pattern of a route. */
function mountPaths(patterns: readonly string[], path: string): MountPaths {
  const endings = patterns.map((pattern) => (pattern === '/' ? '' : pattern)).toSorted((a, b) => b.length - a.length)
  const controllerPath = path.replace(/^\/*(?=.)/, '/').replace(/\/$/, '')
  const of = (routePath: string): string => {
    const ending = endings.find((each) => routePath.endsWith(each)) ?? ''
    return routePath.slice(0, routePath.length - ending.length).replace(/\/$/, '')
  }
  return {
    of,
    registered({ router }) {
      const paths = new Set(router.stack.flatMap(({ route }) => (route === undefined ? [] : [route.path])))
      const found = new Set([...paths].map(of).filter((mount) => mount.endsWith(controllerPath)))
      return [...found].filter((mount) => endings.every((ending) => paths.has(mount + ending || '/')))
    },
  }
}
