import { Client } from 'pg'

/** A client of a version of pg that has none of the internals. */
export class PlainClient extends Client {
  constructor(...settings: ConstructorParameters<typeof Client>) {
    super(...settings)
    Reflect.set(this, 'pipeline', undefined)
  }
}

/** A client as tracing libraries wrap it: they send a copy of each query, with a comment. */
export class TracedClient extends Client {
  constructor(...settings: ConstructorParameters<typeof Client>) {
    super(...settings)
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown
    Reflect.set(this, 'query', (config: unknown, ...others: unknown[]) =>
      query(typeof config === 'object' ? { ...config } : config, ...others),
    )
  }
}
