export { expressAdapter, expressErrors, placeRoutes } from './frameworks/express.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './frameworks/framework-server.js'
