export { expressAdapter, expressErrors, placeRoutes } from './server/frameworks/express.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './server/frameworks/framework-server.js'
