export {
  type CloseServer,
  gracefulShutdown,
  type Shutdown,
  type ShutdownOptions,
} from './serve/adapters/graceful-shutdown.js'
export type { HealthEndpoints } from './serve/adapters/health-endpoints.js'
export { listen, type Listening } from './serve/adapters/listen.js'
export type { ListenOptions } from './serve/adapters/listen-options.js'
export { runWorkers, type ServingProcess, type WorkersOptions } from './serve/adapters/run-workers.js'
export { WorkersError } from './serve/adapters/worker-processes.js'
