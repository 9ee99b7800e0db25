/** The part of Devour that the tests call. The package has no types. */
declare module 'devour-client' {
  interface Answer {
    // oxlint-disable-next-line typescript/no-explicit-any -- Devour returns resources of any type.
    readonly data: any
    readonly meta?: Readonly<Record<string, unknown>>
    readonly links?: Readonly<Record<string, string>>
    readonly document: object | string
  }

  type Params = Readonly<Record<string, unknown>>

  interface Settings {
    readonly apiUrl: string
    readonly pluralize?: false
    readonly logger?: false
    readonly errorBuilder?: (error: object) => object
  }

  class JsonApi {
    constructor(settings: Settings)
    headers: Record<string, string>
    define(model: string, attributes: object, options?: object): void
    find(model: string, id: string, params?: Params): Promise<Reply>
    findAll(model: string, params?: Params): Promise<Reply>
    create(model: string, resource: object, params?: Params): Promise<Reply>
    update(model: string, resource: object, params?: Params): Promise<Reply>
    destroy(model: string, id: string): Promise<Reply>
    destroy(members?: readonly object[]): Promise<Reply>
    one(model: string, id: string): this
    all(model: string): this
    relationships(name: string): this
    get(params?: Params): Promise<Reply>
    post(payload: object): Promise<Reply>
    patch(payload: object | null): Promise<Reply>
    request(url: string, method?: string, params?: Params, data?: object): Promise<Reply>
  }

  export = JsonApi
}
