/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>

/**
 * Any JSON value.
 *
 * @example
 * ```ts
 * const cover: JsonValue = { href: 'https://music.example/covers/1', meta: { width: 600 } }
 * ```
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** A class whose instances are `T`, abstract or not. */
export type ClassOf<T> = abstract new (...parameters: never[]) => T

/** A JSON object with unchecked members. */
export type JsonMembers = Readonly<Record<string, unknown>>
