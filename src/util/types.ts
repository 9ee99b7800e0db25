/** A value that may be given now or later. */
export type Awaitable<T> = T | Promise<T>

/** Anything JSON text can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** A class whose instances are `T`, abstract or not. */
export type ClassOf<T> = abstract new (...parameters: never[]) => T

/** The members of a JSON object, whatever they are. */
export type Members = Readonly<Record<string, unknown>>
