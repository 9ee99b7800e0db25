import type { Histogram, Meter, UpDownCounter } from '@opentelemetry/api'

/** The metrics that are recorded when something happens. Their names are those of the semantic conventions. */
export interface Instruments {
  readonly requestDuration: Histogram
  readonly activeRequests: UpDownCounter
  readonly statementDuration: Histogram
}

/** The limits of the buckets that the conventions recommend, in seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const statementBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export function instruments(meter: Meter): Instruments {
  return Object.freeze<Instruments>({
    requestDuration: meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: requestBuckets },
    }),
    activeRequests: meter.createUpDownCounter('http.server.active_requests', {
      description: 'Number of active HTTP server requests.',
      unit: '{request}',
    }),
    statementDuration: meter.createHistogram('db.client.operation.duration', {
      description: 'Duration of database client operations.',
      unit: 's',
      advice: { explicitBucketBoundaries: statementBuckets },
    }),
  })
}
