export {
  type CloseServer,
  gracefulShutdown,
  type Shutdown,
  type ShutdownOptions,
} from './adapters/graceful-shutdown.js'
export type { HealthEndpoints } from './adapters/health-endpoints.js'
export { listen, type Listening } from './adapters/listen.js'
export type { ListenOptions } from './adapters/listen-options.js'
export { runWorkers, type ServingProcess, type WorkersOptions } from './adapters/run-workers.js'
export { WorkersError } from './adapters/worker-processes.js'
