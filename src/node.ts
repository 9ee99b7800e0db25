export { type CloseServer, gracefulShutdown, type Shutdown } from './serve/adapters/graceful-shutdown.js'
export { listen, type Listening } from './serve/adapters/listen.js'
export { runWorkers } from './serve/adapters/run-workers.js'
export { WorkersError } from './serve/adapters/worker-processes.js'
