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
  type NestModule,
  Next,
  Req,
  Res,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import { dividedTarget, segmentsOf } from '../adapters/divided-target.js'
import type { HttpRequest } from '../http/request.js'
import { automaticPatterns } from './automatic-patterns.js'
import { type ExpressExchange, expressExchange } from './express-exchange.js'
import type { FrameworkOptions, FrameworkServer, PlacementOptions } from './framework-server.js'
import { placedPatterns } from './placed-patterns.js'

/** Options of {@link nestAdapter}. */
export interface NestOptions extends FrameworkOptions<Request> {
  /** The path of the controller, after the global prefix of the application: `api/v1`. Default: none. */
  readonly path?: string
  /** Guards in front of the routes. Global guards are in front of them, too. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[]
  /** Interceptors in front of the routes. The response is not theirs to change: it is sent when the handler returns. */
  readonly interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[]
  /** The modules of the providers that guards and interceptors need. */
  readonly imports?: NonNullable<DynamicModule['imports']>
}

/** Options of `placeRoutes()` for NestJS. */
export interface NestPlacementOptions extends NestOptions, PlacementOptions<Request> {}

/**
 * Serves an Ashlar server in a NestJS application on Express: a module with a controller. Guards and interceptors run in front of
 * it. What they throw becomes an error document. Requests to other paths get the response of the application.
 *
 * @example
 * ```ts
 * import { NestFactory } from '@nestjs/core'
 * import { type FrameworkServer, nestAdapter } from 'ashlar/nest'
 *
 * export const application = (server: FrameworkServer) =>
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
 * import { type FrameworkServer, placeRoutes } from 'ashlar/nest'
 *
 * export const staffOf = (server: FrameworkServer, guard: CanActivate) =>
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
  const servedAt = servedAtRoute(exchange, patterns)
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

  class JsonApiModule implements NestModule {
    readonly #host: HttpAdapterHost
    constructor(host: HttpAdapterHost) {
      this.#host = host
    }

    /** Nest calls it after the body parsers are in place, whose errors reach no filter of a controller. */
    configure(): void {
      const { httpAdapter } = this.#host
      if (httpAdapter.getType() !== 'express') {
        throw new TypeError(
          `ashlar/nest needs an application on Express: use @nestjs/platform-express, or ashlar/${httpAdapter.getType()}.`,
        )
      }
      httpAdapter.use(parserErrors(exchange, path))
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

/** The controller and the application have added segments before the pattern of a route: those are the prefix of links. */
function servedAtRoute(exchange: ExpressExchange, patterns: readonly string[]): ServedAt {
  const longestFirst = patterns
    .map((pattern) => (pattern === '/' ? '' : pattern))
    .toSorted((a, b) => b.length - a.length)
  return (request, response) => {
    const route: { readonly path: string } = request.route
    const pattern = longestFirst.find((each) => route.path.endsWith(each)) ?? ''
    const depth = segmentsOf(route.path) - segmentsOf(pattern)
    return exchange.served(request, response, dividedTarget(request.originalUrl, depth))
  }
}

/** Responds to errors of body parsers, which run before any route is found. */
function parserErrors(exchange: ExpressExchange, path: string): ErrorRequestHandler {
  const mount = path.replace(/^\/*(?=.)/, '/').replace(/\/$/, '')
  return (thrown, request, response, next) => {
    for (let depth = 0; depth < segmentsOf(request.path); depth += 1) {
      const divided = dividedTarget(request.originalUrl, depth)
      const served = divided?.prefix.endsWith(mount) === true ? exchange.served(request, response, divided) : null
      if (served !== null && !response.headersSent) return exchange.fail(request, response, { served, thrown })
    }
    next(thrown)
  }
}
