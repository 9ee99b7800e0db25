import type { DataSource } from '../../data/data-source.js'
import type { ErrorSettings } from '../../errors/error-settings.js'
import type { Handler } from '../../handler/handler.js'
import type { ActionCall } from '../../operation/action-call.js'
import type { ExtensionCall } from '../../operation/extension-call.js'
import type { Operation } from '../../operation/operation.js'
import type { AnyPaginator } from '../../pagination/paginator.js'
import type { Profile } from '../../profiles/profile.js'
import type { AnyResource, CheckedResources } from '../../resource/resource-types.js'
import type { Awaitable } from '../../util/types.js'
import type { ServerExtension } from './extension.js'

/** A named server: where its routes lie. */
export interface NamedServer {
  /** Stands before every path of the server: `/admin`. */
  readonly prefix?: string
  /** The only host it answers on. */
  readonly host?: string
  /** Runs in front of the server's routes. */
  readonly middleware?: readonly unknown[]
}

/** What a client may send at most. */
export interface Limits {
  /** Bytes of a body. Default: 1 MiB. */
  readonly bodyBytes?: number
  /** Levels of nested JSON. Default: 64. */
  readonly jsonDepth?: number
  /** Characters of path and query. Default: 16,384. */
  readonly uriLength?: number
  /** Default: 100. */
  readonly includePaths?: number
  /** Default: 100. */
  readonly sortKeys?: number
  /** Values of one filter. Default: 1,000. */
  readonly filterValues?: number
  /** Errors of one answer. Default: 100. */
  readonly errors?: number
}

/** What a server is made of. */
export interface ServerSettings<Resources extends readonly AnyResource[]> extends ErrorSettings {
  readonly resources: Resources & CheckedResources<Resources>
  /** The stores behind the types; a type's own provider and persister win over them. */
  readonly data?: DataSource | readonly DataSource[]
  /** Stands before every link. Without one, the scheme and host of the request do. */
  readonly baseUri?: string
  /** The version that `jsonapi` tells; empty to leave it out. Default: `1.1`. */
  readonly version?: string
  /** Meta of the `jsonapi` object. */
  readonly jsonapiMeta?: Readonly<Record<string, unknown>>
  /** Named servers besides, or instead of the settings of, `default`. */
  readonly servers?: Readonly<Record<string, NamedServer>>
  /** Serializers and hydrators that declarations refer to by name. */
  readonly services?: Readonly<Record<string, unknown>>
  /** The paginator of types that say nothing; `null` for none. */
  readonly pagination?: AnyPaginator | null
  /** The largest page of the built-in paginator; 0 turns it off. Default: 100. */
  readonly maxPageSize?: number
  /** 0, less, or nothing for no limit. */
  readonly maxIncludeDepth?: number
  /** What a body's unknown members are: nothing, or an error. Default: `ignore`. */
  readonly unknownMembers?: 'ignore' | 'reject'
  /** Whether query parameters that nobody knows are an error. Default: true. */
  readonly strictQueryParameters?: boolean
  /** Query parameter families of the application. */
  readonly queryFamilies?: readonly string[]
  /** The profiles that clients may ask for. Default: `defaultProfiles`. */
  readonly profiles?: readonly Profile[]
  readonly limits?: Limits
  /** Whether `X-Forwarded-Proto` and `X-Forwarded-Host` are believed. Default: false. */
  readonly trustProxy?: boolean
  /**
   * Runs once for every operation, every action and every call of an extension, before it is handled; what it throws is
   * the answer. A batch of atomic operations is one such call.
   */
  readonly serving?: (operation: Operation | ActionCall | ExtensionCall) => Awaitable<void>
  /** Takes the place of the built-in handler, which it is given; `null` for a server that handles nothing. */
  readonly handler?: ((builtIn: Handler) => Handler) | null
  /** Extensions of the format, each at a path of its own: `[atomic({ path: '/operations' })]`. */
  readonly extensions?: readonly ServerExtension[]
}
